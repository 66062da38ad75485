package recurrence

import (
	"time"
)

// The years of package rules' dates.
const (
	firstYear = 1900
	lastYear  = 2999
)

const minutesOfDay = 24 * 60

// moment is a time on the wall clock in minutes since the beginning of firstYear; all-day dates
// start at 00:00.
type moment int

var (
	epoch       = time.Date(firstYear, time.January, 1, 0, 0, 0, 0, time.UTC) // a Monday
	finalDay    = dayNumber(lastYear, time.December, 31)
	finalMoment = moment(finalDay+1)*minutesOfDay - 1
)

// dayNumber counts days since the beginning of firstYear. Months and days out of their range roll
// over.
func dayNumber(year int, month time.Month, date int) int {
	return int((time.Date(year, month, date, 0, 0, 0, 0, time.UTC).Unix() - epoch.Unix()) / (24 * 60 * 60))
}

// momentOf returns the wall clock time of t.
func momentOf(t time.Time) moment {
	return moment(dayNumber(t.Date())*minutesOfDay + t.Hour()*60 + t.Minute())
}

// on returns the moment on day number that is minute minutes after its beginning.
func on(number, minute int) moment { return moment(number*minutesOfDay + minute) }

func (m moment) day() int    { return int(m) / minutesOfDay }
func (m moment) minute() int { return int(m) % minutesOfDay }

// format writes m in a layout of package time.
func (m moment) format(layout string) string {
	return epoch.AddDate(0, 0, m.day()).Add(time.Duration(m.minute()) * time.Minute).Format(layout)
}

const clock = "15:04"

// The two forms of a date and of a date with its time, in the catalogue and in iCalendar.
const (
	catalogDate    = time.DateOnly
	catalogMoment  = time.DateOnly + "T" + clock
	calendarDate   = "20060102"
	calendarMoment = "20060102T150405"
)

// parseMoment reads a date with or without a time. Seconds other than 00 are no time of the
// catalogue.
func parseMoment(text string) (m moment, hasTime, ok bool) {
	for _, layout := range []string{catalogDate, catalogMoment, calendarDate, calendarMoment} {
		if t, ok := parseExactly(layout, text); ok {
			return momentOf(t), layout == catalogMoment || layout == calendarMoment, t.Second() == 0
		}
	}
	return 0, false, false
}

// parseExactly parses text of exactly the layout's length, within the years of the catalogue.
func parseExactly(layout, text string) (time.Time, bool) {
	if len(text) != len(layout) {
		return time.Time{}, false
	}
	t, err := time.Parse(layout, text)
	return t, err == nil && (layout == clock || t.Year() >= firstYear && t.Year() <= lastYear)
}
