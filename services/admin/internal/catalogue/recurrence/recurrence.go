// Package recurrence expands the iCalendar rules of organizers into dates (RFC 5545, sections
// 3.3.10 and 3.8.5).
//
// All times are floating: the wall clock of the venue. A weekly 20:00 stays 20:00 across a change
// to or from daylight-saving time, and a performance from 22:00 to 02:00 ends at 02:00 on every
// night. A time that the clock skips (02:30 in the night daylight-saving time begins) is kept as
// the organizer wrote it, as for a single date. The package therefore needs no time zone.
package recurrence

import (
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/platform/budget"
)

// MaxDates is the maximum number of dates of a series.
const MaxDates = 1000

// Series is a first date and its repetition. Dates are YYYY-MM-DD and times HH:MM, as in package
// rules; "" is absent.
type Series struct {
	StartDate string // the first date, which must be a date of RRule
	StartTime string // "" exactly when AllDay
	EndDate   string // of the first date; every date lasts as long on the wall clock
	EndTime   string // of the first date
	AllDay    bool

	// RRule is the value of RRULE, with or without "RRULE:". It ends with COUNT or UNTIL, whose
	// time is the venue's. "" means only the first date.
	RRule string
	// RDate are further dates. One without a time starts at StartTime.
	RDate []string
	// ExDate are dates left out. One without a time leaves out every date of that day; one that
	// fits no date does nothing, so that a list of holidays can be given.
	ExDate []string
}

// Occurrence is one date of a series, in the shapes of package rules.
type Occurrence struct {
	StartDate string
	StartTime string // "" for all-day dates
	EndDate   string // "" when it is StartDate
	EndTime   string // "" when the series has none
}

// ID returns the occurrence's original start, which names it within its series as RECURRENCE-ID
// does in iCalendar: 2026-12-24T20:00, all-day 2026-12-24. It can be used in RDate and ExDate and
// as the Original of a Date.
func (o Occurrence) ID() string {
	if o.StartTime == "" {
		return o.StartDate
	}
	return o.StartDate + "T" + o.StartTime
}

// Expand returns the dates of the series: distinct, in order of their start, at least one and at
// most MaxDates. COUNT counts dates of the rule before ExDate leaves some out; RDate does not
// count.
//
// Entries of RDate and ExDate are 2026-12-24, 2026-12-24T20:00, 20261224 or 20261224T200000. All
// values lie in the years 1900 to 2999. The error is a fault.Invalid that names every bad field:
// start_date, start_time, end_date, end_time, rrule, rdate, rdate[2], exdate, exdate[0].
func Expand(s Series) ([]Occurrence, error) { return ExpandWithin(s, nil) }

// ExpandWithin is Expand within a budget, whose error it returns when the budget ends.
func ExpandWithin(s Series, within *budget.Budget) ([]Occurrence, error) {
	var bad fault.Violations
	p := read(s, &bad)
	if len(bad) > 0 {
		return nil, invalid(bad)
	}
	p.budget = within
	starts := p.starts(&bad)
	if err := within.Err(); err != nil {
		return nil, err
	}
	if len(bad) > 0 {
		return nil, invalid(bad)
	}
	occurrences := make([]Occurrence, len(starts))
	for i, start := range starts {
		occurrences[i] = p.occurrence(start)
	}
	return occurrences, nil
}

// Normalize returns the series in its one stored form: the rule's parts in a fixed order without
// defaults, lists distinct and in order. Equal forms mean equal dates. It returns the errors of
// Expand about the form of fields; only Expand checks whether the rule fits the first date and ends
// within MaxDates.
func Normalize(s Series) (Series, error) {
	var bad fault.Violations
	p := read(s, &bad)
	if len(bad) > 0 {
		return Series{}, invalid(bad)
	}
	return p.series(), nil
}

func invalid(bad fault.Violations) error {
	return bad.Err("invalid_recurrence", "the dates are not valid")
}

// starts returns the starts of the dates of the plan, in order.
func (p *plan) starts(bad *fault.Violations) []moment {
	starts := p.startsOfRule(bad)
	for _, m := range p.added {
		if !p.leavesOut(m) {
			starts = append(starts, m)
		}
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	switch {
	case len(*bad) > 0:
	case len(starts) == 0:
		bad.Add("exdate", reason.NoDates)
	case len(starts) > MaxDates:
		bad.Add(p.repeatingField(), reason.TooManyDates(MaxDates))
	case starts[len(starts)-1]+p.length > finalMoment:
		bad.Add("end_date", reason.LastDateTooLate(lastYear))
	}
	return starts
}

// startsOfRule returns the starts of the rule's dates except the excluded ones, at most one more
// than allowed.
func (p *plan) startsOfRule(bad *fault.Violations) []moment {
	var starts []moment
	named := 0
	for m := range p.named() {
		if named == 0 && m != p.start {
			p.refuseStart(bad, m)
			return nil
		}
		named++
		if !p.leavesOut(m) {
			starts = append(starts, m)
		}
		if len(starts) > MaxDates {
			return starts
		}
	}
	switch {
	case named == 0:
		bad.Add("rrule", reason.NoDates)
	case p.rule != nil && named < p.rule.count:
		bad.Add("rrule", reason.RuleTooShort(named, lastYear))
	}
	return starts
}

// refuseStart records that the first date does not match the rule. RFC 5545 leaves such a series
// undefined, and calendars differ on whether the first date is one of it.
func (p *plan) refuseStart(bad *fault.Violations, next moment) {
	field := "start_date"
	if next.day() == p.start.day() {
		field = "start_time"
	}
	bad.Add(field, reason.NotOfRule(p.id(next)))
}

func (p *plan) repeatingField() string {
	if p.rule == nil {
		return "rdate"
	}
	return "rrule"
}
