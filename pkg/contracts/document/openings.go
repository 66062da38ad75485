package document

import (
	"slices"

	"litfass/pkg/contracts/hours"
)

// Openings are the attributes by which a date with opening hours is found on days and at times
// (RULES.md, Opening hours); all are absent in other dates. They do not depend on the present day,
// nor does their number on the length of the period.
//
// Weekly openings stand under the key of their day of the week, if they apply on any day of the
// period; special ones under that of their day; and all of them under AnyDay.
type Openings struct {
	// FirstOpen and LastOpen are the first and the last day with an opening, such as 20261120; 0
	// when there is none.
	FirstOpen *int `json:"first_open,omitempty"`
	LastOpen  *int `json:"last_open,omitempty"`
	// OpenFrom are OpenMinute of the starts of openings. What lasts past midnight also starts at
	// 00:00 of the same day.
	OpenFrom []int `json:"open_from,omitempty"`
	// OpenTimes are the nodes of all minutes of openings: OpenPath has one of them for each such
	// minute.
	OpenTimes []int `json:"open_times,omitempty"`
	// OffDays are the nodes of the days on which the weekly openings do not apply: DayPath has one
	// of them for each such day.
	OffDays []int `json:"off_days,omitempty"`
	// ShutDays are the nodes of the days in spans of GapDays or more without an opening, between
	// FirstOpen and LastOpen, and ShutUntil the last days of these spans.
	ShutDays  []int `json:"shut_days,omitempty"`
	ShutUntil []int `json:"shut_until,omitempty"`
}

// OpeningAttributes are the attributes of Openings.
var OpeningAttributes = keysOf(Openings{})

// AnyDay is the key of the openings of all days. WeekdayKey and hours.Day.Number return the others.
const AnyDay = 0

// GapDays is the number of days after which weekly hours repeat.
const GapDays = 7

const (
	dayLeaves    = 1 << 22 // up to the year 9999
	minuteLeaves = 1 << 11
	minuteNodes  = 2 * minuteLeaves
)

// WeekdayKey returns the key of a day of the week.
func WeekdayKey(day hours.Day) int { return day.Weekday() + 1 }

// OpenMinute returns the value of a minute of the day under a key.
func OpenMinute(key, minute int) int { return key*minuteLeaves + minute }

// OpenPath returns the nodes of OpenTimes by which an opening at a minute under a key is found.
func OpenPath(key, minute int) []int {
	nodes := path(minuteLeaves, minute)
	for i := range nodes {
		nodes[i] += key * minuteNodes
	}
	return nodes
}

// DayPath returns the nodes of OffDays and ShutDays by which a day is found.
func DayPath(day hours.Day) []int { return path(dayLeaves, int(day)) }

// NewOpenings returns the attributes of a calendar.
func NewOpenings(c hours.Calendar) (o Openings) {
	first, opens := c.Next(c.First)
	last, _ := c.Previous(c.Last)
	o.FirstOpen, o.LastOpen = new(int), new(int)
	if !opens {
		return o
	}
	*o.FirstOpen, *o.LastOpen = first.Number(), last.Number()
	var every []minutes
	apply := c.Weekdays()
	for weekday, applies := range apply {
		if applies {
			every = append(every, o.add(weekday+1, c.Week(weekday))...)
		}
	}
	for _, day := range c.Special() {
		every = append(every, o.add(day.Number(), c.On(day))...)
	}
	o.addMinutes(AnyDay, every)
	for _, days := range c.Exceptions() {
		o.OffDays = append(o.OffDays, cover(dayLeaves, int(days[0]), int(days[1]))...)
	}
	for _, days := range c.Gaps(GapDays) {
		o.ShutDays = append(o.ShutDays, cover(dayLeaves, int(days[0]), int(days[1]))...)
		o.ShutUntil = append(o.ShutUntil, days[1].Number())
	}
	return o
}

// minutes are a range of minutes of one day, both ends included.
type minutes struct{ first, last int }

// add adds openings under a key and returns their minutes.
func (o *Openings) add(key int, openings []hours.Opening) (all []minutes) {
	for _, opening := range openings {
		all = append(all, minutes{opening.From, min(opening.To, hours.DayMinutes) - 1})
		if opening.To > hours.DayMinutes {
			all = append(all, minutes{0, opening.To - hours.DayMinutes - 1})
		}
	}
	o.addMinutes(key, all)
	return all
}

func (o *Openings) addMinutes(key int, all []minutes) {
	slices.SortFunc(all, func(a, b minutes) int { return a.first - b.first })
	var apart []minutes
	for _, m := range all {
		if n := len(apart) - 1; n >= 0 && m.first <= apart[n].last+1 {
			apart[n].last = max(apart[n].last, m.last)
		} else {
			apart = append(apart, m)
		}
	}
	for _, m := range apart {
		o.OpenFrom = append(o.OpenFrom, OpenMinute(key, m.first))
		for _, node := range cover(minuteLeaves, m.first, m.last) {
			o.OpenTimes = append(o.OpenTimes, key*minuteNodes+node)
		}
	}
}
