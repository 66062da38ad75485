package eventfile

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-ical"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/catalogue/recurrence"
	"litfass/services/admin/internal/platform/budget"
)

// series are the VEVENTs of one UID: the event itself, and the dates of its rule that differ.
type series struct {
	parts []*calendarEvent // in the order of the file
}

// bySeries joins the VEVENTs of each UID. One without a UID is not joined.
func bySeries(events []calendarEvent) []series {
	var all []series
	places := map[string]int{}
	for i := range events {
		uid := ""
		if prop := events[i].props.Get(ical.PropUID); prop != nil {
			uid = prop.Value
		}
		place, known := places[uid]
		if !known || uid == "" {
			place = len(all)
			places[uid] = place
			all = append(all, series{})
		}
		all[place].parts = append(all[place].parts, &events[i])
	}
	return all
}

// readDates gives each part its dates, and returns how many there are: of more than most not all
// are read. A date that a part of its own describes is left out of the rule, and a part may
// describe all later dates of the rule, too.
func (s series) readDates(until string, most int) (count int) {
	named := map[Moment]bool{}
	hasRule := slices.ContainsFunc(s.parts, func(e *calendarEvent) bool { return !e.isPart() })
	var changes []*calendarEvent // of later dates
	for _, part := range s.parts {
		part.ofRule = hasRule && part.isPart()
		if prop := part.props.Get(ical.PropRecurrenceID); prop != nil {
			if d, ok := part.readDate(); ok {
				d.Key = part.moment(prop, "RECURRENCE-ID").instant()
				named[d.Key] = true
				part.dates = []Date{d}
				count++
				if part.changesLater(prop) {
					changes = append(changes, part)
				}
			}
		}
	}
	slices.SortStableFunc(changes, func(a, b *calendarEvent) int {
		return strings.Compare(a.dates[0].Key.String(), b.dates[0].Key.String())
	})
	keys := make([]string, len(changes))
	for i, change := range changes {
		keys[i] = change.dates[0].Key.String()
	}
	ofRule := map[Moment]bool{}
	for _, part := range s.parts {
		if part.isPart() {
			continue
		}
		if count > most {
			return count
		}
		for _, d := range part.expand(until) {
			ofRule[d.Key] = true
			if named[d.Key] {
				continue
			}
			count++
			described := part
			if later, _ := slices.BinarySearch(keys, d.Key.String()); later > 0 {
				described = changes[later-1]
			}
			if described != part {
				d = described.moved(d)
			}
			described.dates = append(described.dates, d)
		}
	}
	for _, change := range changes {
		if !ofRule[change.dates[0].Key] {
			change.refuse(FieldStartDate, reason.PropertyUnreadable("RECURRENCE-ID", change.dates[0].Key.String()))
		}
	}
	return count
}

// changesLater reports whether a part describes the later dates of its rule, too. It refuses ranges
// that it does not know, a change between whole days and times, and one of a rule that is not in
// the file.
func (e *calendarEvent) changesLater(id *ical.Prop) bool {
	switch kind := strings.ToUpper(id.Params.Get(ical.ParamRange)); {
	case kind == "":
		return false
	case kind == "THISANDFUTURE" && e.ofRule && e.props.Get(ical.PropRecurrenceRule) == nil &&
		(e.dates[0].Key.Clock == "") == (e.dates[0].Start.Clock == ""):
		return true
	default:
		e.refuse(FieldStartDate, reason.PropertyUnreadable("RECURRENCE-ID", "RANGE="+shorten(kind)))
		return false
	}
}

// moved returns a later date of the rule as the part changes it: as far from its start as the
// part's is, with its length and status.
func (e *calendarEvent) moved(d Date) Date {
	first := e.dates[0]
	zone := locationOr(d.Start.Zone, time.UTC)
	key, start := first.Key.In(zone).naive(), first.Start.In(zone).naive()
	by := start.Sub(key)
	later := Date{Row: e.number, Key: d.Key, Start: d.Start.after(by), Values: maps.Clone(first.Values)}
	if first.End.Day != "" {
		end := first.End.In(zone)
		later.End = later.Start.after(end.naive().Sub(start))
		if end.Clock == "" {
			later.End.Clock = ""
		}
	}
	return later
}

// isPart reports whether the VEVENT is one date of a rule.
func (e *calendarEvent) isPart() bool { return e.props.Get(ical.PropRecurrenceID) != nil }

// readDate reads the first date of an event, and reports whether it has one.
func (e *calendarEvent) readDate() (d Date, ok bool) {
	prop := e.props.Get(ical.PropDateTimeStart)
	if prop == nil {
		e.refuse(FieldStartDate, reason.Required)
		return d, false
	}
	d = Date{Row: e.number, Start: e.moment(prop, "DTSTART"), Values: map[string]string{}}
	d.Key = d.Start.instant()
	d.End = e.readEnd(d.Start)
	d.Values[FieldStatus] = "" // as planned
	if prop := e.props.Get(ical.PropStatus); prop != nil {
		d.Values[FieldStatus] = strings.TrimSpace(prop.Value)
	}
	return d, d.Start.Day != ""
}

// readEnd reads the end of a date. The last day of an all-day event is the one before DTEND.
func (e *calendarEvent) readEnd(start Moment) Moment {
	at, err := time.Parse("2006-01-02 15:04", start.Day+" "+start.Clock)
	if prop := e.props.Get(ical.PropDuration); prop != nil && err == nil {
		length, wrong := prop.Duration()
		if wrong != nil || length < 0 || length > 366*24*time.Hour {
			e.refuse(FieldEndTime, reason.PropertyUnreadable("DURATION", shorten(prop.Value)))
			return Moment{}
		}
		at = at.Add(length)
		return Moment{at.Format(time.DateOnly), at.Format("15:04"), start.Zone}
	}
	prop := e.props.Get(ical.PropDateTimeEnd)
	if prop == nil {
		return Moment{}
	}
	end := e.moment(prop, "DTEND")
	if start.Clock != "" || end.Clock != "" {
		if start.Zone != nil {
			end = end.In(start.Zone)
			end.Zone = start.Zone
		}
		return end
	}
	if day, err := time.Parse(time.DateOnly, end.Day); err == nil && end.Day > start.Day {
		end.Day = day.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	if end.Day == start.Day {
		return Moment{}
	}
	return end
}

// moment reads a day, or a day and time with the zone that TZID or a Z names.
func (e *calendarEvent) moment(prop *ical.Prop, name string) Moment {
	m, why := e.zones.moment(name, prop.Value, prop.Params.Get(ical.PropTimezoneID))
	if why != nil {
		e.refuse(FieldStartDate, why)
	}
	return m
}

func (z *fileZones) moment(property, text, zone string) (m Moment, why *reason.Reason) {
	text = strings.TrimSpace(text)
	if day, err := time.Parse("20060102", text); err == nil {
		return Moment{Day: day.Format(time.DateOnly)}, nil
	}
	local, utc := strings.CutSuffix(text, "Z")
	at, err := time.Parse("20060102T150405", local)
	if err != nil {
		at, err = time.Parse("20060102T1504", local)
	}
	if err != nil {
		return m, reason.PropertyUnreadable(reason.RulePart(property), shorten(text))
	}
	m = Moment{Day: at.Format(time.DateOnly), Clock: at.Format("15:04")}
	switch {
	case utc:
		m.Zone = time.UTC
	case zone != "":
		location, known := z.find(zone)
		if !known {
			return Moment{}, reason.PropertyUnknownTimezone(reason.RulePart(property), shorten(zone))
		}
		m.Zone = location
	}
	return m, nil
}

// expand returns the dates that an event's rule means.
func (e *calendarEvent) expand(until string) []Date {
	if !e.zones.work.begin(fmt.Sprintf("VEVENT %d", e.number)) {
		return nil
	}
	first, ok := e.readDate()
	if !ok {
		return nil
	}
	s := recurrence.Series{
		StartDate: first.Start.Day, StartTime: first.Start.Clock, AllDay: first.Start.Clock == "",
		EndDate: first.End.Day, EndTime: first.End.Clock,
		RDate: e.listed(ical.PropRecurrenceDates, first.Start), ExDate: e.listed(ical.PropExceptionDates, first.Start),
	}
	rules := e.props.Values(ical.PropRecurrenceRule)
	switch {
	case len(rules) == 0 && len(s.RDate)+len(s.ExDate) == 0:
		return []Date{first}
	case len(e.props.Values("EXRULE")) > 0: // which RFC 5545 no longer has
		e.refuse(FieldStartDate, reason.PropertyUnreadable("EXRULE", shorten(e.props.Get("EXRULE").Value)))
		return nil
	case len(rules) > 1:
		e.refuse(FieldStartDate, reason.SeveralRules)
		return nil
	case len(rules) == 1:
		if s.RRule, ok = e.rule(rules[0].Value, first.Start, until); !ok {
			return nil
		}
	}
	occurrences, err := recurrence.ExpandWithin(s, e.zones.work.Part(stepsOfRule))
	if errors.Is(err, budget.ErrSpent) {
		e.refuse(FieldStartDate, reason.TooMuchWork("RRULE:"+shorten(s.RRule)))
		return nil
	}
	if err != nil {
		for _, v := range fault.Of(err).Violations {
			v.Field = FieldStartDate
			e.refuseBy(v)
		}
		return nil
	}
	dates := make([]Date, len(occurrences))
	for i, o := range occurrences {
		dates[i] = datesOf(first, o)
	}
	return dates
}

// datesOf returns the date of an occurrence.
func datesOf(first Date, o recurrence.Occurrence) Date {
	d := first
	d.Start = Moment{o.StartDate, o.StartTime, first.Start.Zone}
	d.End = Moment{}
	if o.EndDate != "" || o.EndTime != "" {
		d.End = Moment{o.EndDate, o.EndTime, first.Start.Zone}
		if d.End.Day == "" {
			d.End.Day = o.StartDate
		}
	}
	d.Key = d.Start.instant()
	d.Values = map[string]string{}
	for field, text := range first.Values {
		d.Values[field] = text
	}
	return d
}

// listed returns the days and times of RDATE or EXDATE on the wall clock of the first date: of more
// than a series may have not all.
func (e *calendarEvent) listed(name string, first Moment) (list []string) {
	read := 0
	for _, prop := range e.props.Values(name) {
		for text := range strings.SplitSeq(prop.Value, ",") {
			text, _, _ = strings.Cut(text, "/") // a period's end
			single := prop
			single.Value = text
			m := e.moment(&single, name).In(locationOr(first.Zone, time.UTC))
			if m.Day != "" {
				list = append(list, m.String())
			}
			if read++; read > recurrence.MaxDates || !e.zones.work.Spend(stepsOfValue) {
				return list
			}
		}
	}
	return list
}

// rule returns a rule with an end, on the wall clock of its first date.
func (e *calendarEvent) rule(text string, first Moment, until string) (string, bool) {
	parts := strings.Split(strings.ToUpper(strings.TrimSpace(text)), ";")
	ends := false
	for i, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		ends = ends || name == "COUNT" || name == "UNTIL"
		if name == "UNTIL" && strings.HasSuffix(value, "Z") {
			m, why := e.zones.moment(name, value, "")
			if why != nil {
				e.refuse(FieldStartDate, why)
				return "", false
			}
			m = m.In(locationOr(first.Zone, time.UTC))
			parts[i] = "UNTIL=" + strings.ReplaceAll(m.Day, "-", "") + "T" + strings.ReplaceAll(m.Clock, ":", "") + "00"
		}
	}
	if !ends && until == "" {
		e.refuse(FieldStartDate, reason.RuleWithoutEnd)
		return "", false
	}
	if !ends {
		parts = append(parts, "UNTIL="+strings.ReplaceAll(until, "-", ""))
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ";"), true
}
