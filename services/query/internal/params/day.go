package params

import (
	"strings"
	"time"

	"litfass/pkg/chassis/fault/reason"
)

// Day is a calendar day as one number, 20261120; 0 is no day.
type Day int

// Days are a range of days, both ends included; From <= To.
type Days struct{ From, To Day }

// DayOf returns the calendar day of a moment, in the moment's own time zone.
func DayOf(moment time.Time) Day {
	return Day(moment.Year()*10000 + int(moment.Month())*100 + moment.Day())
}

// String returns the day as YYYY-MM-DD.
func (d Day) String() string { return d.Start().Format(time.DateOnly) }

// plus returns the day this many days later.
func (d Day) plus(days int) Day { return DayOf(d.Start().AddDate(0, 0, days)) }

// Start returns the day's midnight in UTC.
func (d Day) Start() time.Time {
	return time.Date(int(d)/10000, time.Month(d/100%100), int(d)%100, 0, 0, 0, 0, time.UTC)
}

// weekend returns the Saturday and Sunday of the day's week, which begins on Monday.
func (d Day) weekend() Days {
	sinceMonday := (int(d.Start().Weekday()) + 6) % 7
	saturday := d.plus(5 - sinceMonday)
	return Days{From: saturday, To: saturday.plus(1)}
}

// day reads YYYY-MM-DD, or the word today.
func (r *reader) day(text string) Day {
	day, ok := r.parseDay(text)
	if !ok {
		r.bad(reason.NotDateOrToday)
	}
	return day
}

func (r *reader) parseDay(text string) (day Day, ok bool) {
	if text == "today" {
		return r.today, true
	}
	moment, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, false
	}
	return DayOf(moment), true
}

// weekStart reads the first of seven days.
func (r *reader) weekStart(text string) {
	first := r.day(text)
	r.query.Week = Days{From: first, To: first.plus(6)}
}

// on reads one day, a first and a last day separated by a comma, or the word weekend. A day may be
// the word today or tomorrow.
func (r *reader) on(text string) {
	if text == "weekend" {
		weekend := r.today.weekend()
		r.query.On = &weekend
		return
	}
	from, to, two := strings.Cut(text, ",")
	if !two {
		to = from
	}
	first, firstOK := r.dayOrTomorrow(from)
	last, lastOK := r.dayOrTomorrow(to)
	if !firstOK || !lastOK || first > last {
		r.bad(reason.NotDays)
		return
	}
	r.query.On = &Days{From: first, To: last}
}

func (r *reader) dayOrTomorrow(text string) (day Day, ok bool) {
	if text == "tomorrow" {
		return r.today.plus(1), true
	}
	return r.parseDay(text)
}
