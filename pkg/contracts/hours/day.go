package hours

import (
	"fmt"
	"time"
)

// Day is a calendar day: the number of days since 1 January of the year 1, which was a Monday.
type Day int

// Forever is the last day that has a name YYYY-MM-DD: that of a period without an end.
const Forever Day = 3_652_058

var dayZero = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)

// ParseDay reads YYYY-MM-DD.
func ParseDay(text string) (Day, error) {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, fmt.Errorf("%q is not a day", text)
	}
	return DayOf(at), nil
}

// DayOf returns the calendar day of a moment in the moment's own time zone; the first one for a day
// before it.
func DayOf(at time.Time) Day {
	midnight := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	return max(0, Day((midnight.Unix()-dayZero.Unix())/(24*60*60)))
}

// Time returns the midnight of the day in UTC.
func (d Day) Time() time.Time { return dayZero.AddDate(0, 0, int(d)) }

// String returns the day as YYYY-MM-DD.
func (d Day) String() string { return d.Time().Format(time.DateOnly) }

// Weekday returns the place of the day in its week: 0 on Mondays.
func (d Day) Weekday() int { return int(d) % 7 }

// Number returns the day as a number that orders like it: 20261120.
func (d Day) Number() int {
	at := d.Time()
	return at.Year()*10_000 + int(at.Month())*100 + at.Day()
}
