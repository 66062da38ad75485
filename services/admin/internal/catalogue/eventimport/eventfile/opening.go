package eventfile

import (
	"cmp"
	"slices"
	"strings"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/hours"
)

// maxSeason is the number of days up to which hours of a part of a period are read, as those of its
// single days.
const maxSeason = 62

const (
	maxHours     = adminapi.MaxWeekly + adminapi.MaxClosedDays + adminapi.MaxSpecial
	stepsOfHours = 50
)

// period is an event that is open at its hours between two days; last is "" without an end.
type period struct {
	first, last string
	hours.Hours
}

func (p *period) size() int { return len(p.Weekly) + len(p.Closed) + len(p.Special) }

// openingHours makes an event with openingHoursSpecification, or an exhibition with weekly
// schedules, one date with opening hours. Others stay as they are.
func (l *linkedEvents) openingHours(o object, event *linkedEvent) {
	first, _ := dayAndClock(event.start)
	last, _ := dayAndClock(event.end)
	p := period{first: first, last: last}
	var why *reason.Reason
	for _, item := range append(firstOf(o["openingHoursSpecification"]), firstOf(o["specialOpeningHoursSpecification"])...) {
		if spec := l.resolve(item); spec != nil {
			why = cmp.Or(why, l.addHours(&p, spec))
		}
	}
	if p.Empty() && why == nil && isExhibition(o) {
		for _, item := range firstOf(o["eventSchedule"]) {
			if schedule := l.resolve(item); schedule == nil || !p.repeat(schedule) {
				return
			}
		}
	}
	if p.Empty() && why == nil {
		return
	}
	p.Normalize()
	event.start, event.end, event.doors, event.hours, event.problem = p.first, p.last, "", &p.Hours, why
}

// hoursOf returns the opening hours of a place; nil without any that can be read.
func (l *linkedEvents) hoursOf(place object) *hours.Hours {
	var p period
	for _, item := range firstOf(place["openingHoursSpecification"]) {
		if spec := l.resolve(item); spec != nil && l.addHours(&p, spec) != nil {
			return nil
		}
	}
	if p.Normalize(); p.Empty() {
		return nil
	}
	return &p.Hours
}

// addHours is period.open of no more hours than a place may have: many references to them are much
// work.
func (l *linkedEvents) addHours(p *period, spec object) *reason.Reason {
	before := p.size()
	if why := p.open(spec); why != nil {
		return why
	}
	if p.size() > maxHours || !l.work.Spend(stepsOfHours*(p.size()-before)) {
		return reason.TooMany(maxHours)
	}
	return nil
}

// isExhibition reports whether an event is of a kind that is open, and does not begin, at times.
func isExhibition(o object) bool {
	return slices.ContainsFunc(typesOf(o), func(name string) bool { return name == "ExhibitionEvent" || name == "VisualArtsEvent" })
}

// open adds an OpeningHoursSpecification: weekly hours, or if it is valid only on some days of the
// period, those of these days.
func (p *period) open(spec object) *reason.Reason {
	weekdays, why := weekdaysOf(spec["dayOfWeek"])
	if why != nil {
		return why
	}
	from, to := timeOfDay(spec["opens"]), timeOfDay(spec["closes"])
	closed := from == to // as search engines read it: a whole day ends at 23:59
	if to = lastMinute(to); !closed && !areClocks(from, to) {
		return reason.PropertyUnreadable("openingHoursSpecification", shorten(from+"–"+to))
	}
	valid, _ := dayAndClock(textOf(spec["validFrom"]))
	through, _ := dayAndClock(textOf(spec["validThrough"]))
	if (valid == "" || valid <= p.first) && (through == "" || p.last != "" && through >= p.last) {
		if !closed {
			p.weekly(weekdays, from, to)
		}
		return nil
	}
	day, err := hours.ParseDay(cmp.Or(valid, p.first))
	end, wrong := hours.ParseDay(cmp.Or(through, p.last))
	if err != nil || wrong != nil || end-day >= maxSeason {
		return reason.PropertyUnreadable("openingHoursSpecification", shorten(valid+"–"+through))
	}
	for ; day <= end; day++ {
		switch text := day.String(); {
		case !slices.Contains(weekdays, hours.Weekdays[day.Weekday()]):
		case closed:
			p.Closed = append(p.Closed, hours.Closed{From: text, To: text})
		default:
			p.Special = append(p.Special, hours.Special{Date: text, From: from, To: to})
		}
	}
	return nil
}

// repeat adds a weekly or daily schedule, or a single opening, and reports whether it could.
func (p *period) repeat(schedule object) bool {
	weekdays, why := weekdaysOf(schedule["byDay"])
	first, _ := dayAndClock(textOf(schedule["startDate"]))
	last, _ := dayAndClock(textOf(schedule["endDate"]))
	from, to := timeOfDay(schedule["startTime"]), lastMinute(timeOfDay(schedule["endTime"]))
	if why != nil || !areClocks(from, to) || textOf(schedule["repeatCount"]) != "" || textOf(schedule["byMonth"])+textOf(schedule["byMonthDay"]) != "" {
		return false
	}
	p.first, p.last = cmp.Or(p.first, first), cmp.Or(p.last, last)
	repeated := strings.ToUpper(textOf(schedule["repeatFrequency"]))
	if repeated == "" && schedule["byDay"] == nil && first != "" {
		p.Special = append(p.Special, hours.Special{Date: first, From: from, To: to})
		return true
	}
	if !slices.Contains([]string{"", "P1W", "WEEKLY", "P7D", "P1D", "DAILY"}, repeated) {
		return false
	}
	p.weekly(weekdays, from, to)
	for _, item := range firstOf(schedule["exceptDate"]) {
		day, _ := dayAndClock(textOf(item))
		if !slices.ContainsFunc(p.Closed, func(c hours.Closed) bool { return c.From == day }) {
			p.Closed = append(p.Closed, hours.Closed{From: day, To: day})
		}
	}
	return true
}

func (p *period) weekly(weekdays []string, from, to string) {
	for _, day := range weekdays {
		p.Weekly = append(p.Weekly, hours.Weekly{Day: day, From: from, To: to})
	}
}

// weekdaysOf reads days of the week as schema.org or iCalendar name them; none are all of them.
// Public holidays are left out: a page does not say which they are.
func weekdaysOf(item any) (days []string, why *reason.Reason) {
	if item == nil {
		return hours.Weekdays, nil
	}
	for _, one := range firstOf(item) {
		text := textOf(one)
		name := strings.ToLower(text[strings.LastIndexAny(text, "/:#")+1:])
		at := slices.IndexFunc(hours.Weekdays, func(day string) bool { return len(name) >= 2 && strings.HasPrefix(day, name[:2]) })
		switch {
		case name == "publicholidays":
		case at < 0:
			return nil, reason.PropertyUnreadable("dayOfWeek", shorten(text))
		default:
			days = append(days, hours.Weekdays[at])
		}
	}
	return days, nil
}

// lastMinute writes the end of a day, which pages write as its last minute.
func lastMinute(clock string) string {
	if clock == "23:59" || clock == "24:00" {
		return "00:00"
	}
	return clock
}

func areClocks(clocks ...string) bool {
	return !slices.ContainsFunc(clocks, func(clock string) bool { _, ok := ReadClock(clock); return !ok })
}
