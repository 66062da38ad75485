package recurrence

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/platform/budget"
)

// plan is a parsed Series.
type plan struct {
	allDay   bool
	start    moment
	length   moment // from a date's start to its end on the wall clock
	hasEnd   bool   // the dates have an end time
	rule     *rule  // nil: only the first date
	added    []moment
	leftOut  map[moment]bool
	daysLeft map[int]bool // whole days left out
	budget   *budget.Budget
}

// read checks each field of the series.
func read(s Series, bad *fault.Violations) *plan {
	p := &plan{allDay: s.AllDay, leftOut: map[moment]bool{}, daysLeft: map[int]bool{}}
	p.readStart(s, bad)
	p.readEnd(s, bad)
	if s.RRule != "" {
		p.rule = parseRule(s.RRule, s.AllDay, bad)
		p.checkUntil(bad)
	}
	p.readAdded(s.RDate, bad)
	p.readLeftOut(s.ExDate, bad)
	return p
}

// checkUntil refuses a rule that ends before it begins. The fields were read before it.
func (p *plan) checkUntil(bad *fault.Violations) {
	if len(*bad) == 0 && p.rule.count == 0 && p.rule.until < p.start {
		bad.Add("rrule", reason.UntilBeforeStart)
	}
}

func (p *plan) readStart(s Series, bad *fault.Violations) {
	if s.StartDate == "" {
		bad.Add("start_date", reason.Required)
	}
	if s.StartTime == "" && !s.AllDay {
		bad.Add("start_time", reason.StartTimeRequired)
	}
	p.start = on(readDay("start_date", s.StartDate, bad), p.readClock("start_time", s.StartTime, bad))
}

// readEnd reads the end of the first date, which without a date is on the day it starts.
func (p *plan) readEnd(s Series, bad *fault.Violations) {
	day, minute := p.start.day(), p.start.minute()
	if s.EndDate != "" {
		day = readDay("end_date", s.EndDate, bad)
	}
	if s.EndTime != "" {
		minute = p.readClock("end_time", s.EndTime, bad)
	}
	p.length, p.hasEnd = on(day, minute)-p.start, s.EndTime != ""
	switch {
	case len(*bad) > 0 || p.length >= 0:
	case day < p.start.day():
		bad.Add("end_date", reason.Before("start_date"))
	default:
		bad.Add("end_time", reason.EndBeforeStart)
	}
}

func readDay(field, text string, bad *fault.Violations) int {
	if text == "" {
		return 0
	}
	t, ok := parseExactly(catalogDate, text)
	if !ok {
		bad.Add(field, reason.NotDate(firstYear, lastYear))
	}
	return momentOf(t).day()
}

func (p *plan) readClock(field, text string, bad *fault.Violations) int {
	if text == "" {
		return 0
	}
	t, ok := parseExactly(clock, text)
	switch {
	case p.allDay:
		bad.Add(field, reason.AllDayHasNoTime)
	case !ok:
		bad.Add(field, reason.NotTime)
	}
	return t.Hour()*60 + t.Minute()
}

func (p *plan) readAdded(list []string, bad *fault.Violations) {
	for m, hasTime := range p.entries("rdate", list, bad) {
		if !hasTime {
			m += moment(p.start.minute())
		}
		p.added = append(p.added, m)
	}
	slices.Sort(p.added)
	p.added = slices.Compact(p.added)
}

func (p *plan) readLeftOut(list []string, bad *fault.Violations) {
	for m, hasTime := range p.entries("exdate", list, bad) {
		if hasTime {
			p.leftOut[m] = true
		} else {
			p.daysLeft[m.day()] = true
		}
	}
}

// entries yields the moments of a list and whether they have a time, and records entries that are
// not moments.
func (p *plan) entries(field string, list []string, bad *fault.Violations) iter.Seq2[moment, bool] {
	return func(yield func(moment, bool) bool) {
		if len(list) > MaxDates {
			bad.Add(field, reason.TooMany(MaxDates))
			return
		}
		for i, text := range list {
			m, hasTime, ok := parseMoment(text)
			at := fmt.Sprintf("%s[%d]", field, i)
			switch {
			case !ok:
				bad.Add(at, reason.NotDateOfRule(firstYear, lastYear))
			case hasTime && p.allDay:
				bad.Add(at, reason.TimeInAllDayRule)
			case !yield(m, hasTime):
				return
			}
		}
	}
}

func (p *plan) leavesOut(m moment) bool { return p.leftOut[m] || p.daysLeft[m.day()] }

// named yields the moments of the rule in order, including excluded ones; without a rule the first
// date.
func (p *plan) named() iter.Seq[moment] {
	if p.rule == nil {
		return slices.Values([]moment{p.start})
	}
	return newWalk(p.rule, p.start, p.budget).moments()
}

// occurrence returns the date that starts at m.
func (p *plan) occurrence(m moment) Occurrence {
	end := m + p.length
	o := Occurrence{StartDate: m.format(catalogDate)}
	if end.day() != m.day() {
		o.EndDate = end.format(catalogDate)
	}
	if !p.allDay {
		o.StartTime = m.format(clock)
	}
	if p.hasEnd {
		o.EndTime = end.format(clock)
	}
	return o
}

// id names the date that starts at m.
func (p *plan) id(m moment) string {
	if p.allDay {
		return m.format(catalogDate)
	}
	return m.format(catalogMoment)
}

// series writes the plan in its one form.
func (p *plan) series() Series {
	first := p.occurrence(p.start)
	s := Series{
		StartDate: first.StartDate, StartTime: first.StartTime, EndDate: first.EndDate, EndTime: first.EndTime,
		AllDay: p.allDay,
	}
	if p.rule != nil {
		s.RRule = p.rule.text(p.allDay)
	}
	for _, m := range p.added {
		s.RDate = append(s.RDate, p.id(m))
	}
	for day := range maps.Keys(p.daysLeft) {
		s.ExDate = append(s.ExDate, on(day, 0).format(time.DateOnly))
	}
	for m := range p.leftOut {
		if !p.daysLeft[m.day()] {
			s.ExDate = append(s.ExDate, p.id(m))
		}
	}
	slices.Sort(s.ExDate)
	return s
}
