// Package rule is the repetition of a date in three forms: as people enter it, as the admin service
// has it (an RRULE of RFC 5545), and as a sentence.
package rule

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Unit is the unit of a repetition.
type Unit string

// The units.
const (
	Days   Unit = "days"
	Weeks  Unit = "weeks"
	Months Unit = "months"
	Years  Unit = "years"
)

// Units are all units, the shortest first.
var Units = []Unit{Days, Weeks, Months, Years}

// Last is the Nth of the last weekday of a month.
const Last = -1

// Form is a repetition as people enter it. It ends with Until or, where that is "", with Count.
type Form struct {
	Every    int // 2: every second day, week, month or year
	Unit     Unit
	Weekdays []time.Weekday // of Weeks, from Monday; none: that of the first date
	Nth      int            // of Months and Years: which Weekday of the month, 1 to 5 or Last; 0: the day of the first date
	Weekday  time.Weekday
	Until    string // the last possible day, YYYY-MM-DD
	Count    int    // of dates, including excepted ones
}

// frequencies are the units in an RRULE.
var frequencies = map[Unit]string{Days: "DAILY", Weeks: "WEEKLY", Months: "MONTHLY", Years: "YEARLY"}

// weekdayNames are the weekdays in an RRULE, by time.Weekday.
var weekdayNames = []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// RRule returns the rule for the admin service. first is the day of the first date.
func (f Form) RRule(first time.Time) string {
	parts := []string{"FREQ=" + frequencies[f.Unit]}
	if f.Every > 1 {
		parts = append(parts, "INTERVAL="+strconv.Itoa(f.Every))
	}
	if f.Until != "" {
		parts = append(parts, "UNTIL="+strings.ReplaceAll(f.Until, "-", ""))
	} else {
		parts = append(parts, "COUNT="+strconv.Itoa(f.Count))
	}
	if f.Unit == Weeks && len(f.Weekdays) > 0 {
		parts = append(parts, "BYDAY="+weekdaysText(f.Weekdays))
	}
	if f.byWeekday() {
		parts = append(parts, "BYDAY="+strconv.Itoa(f.Nth)+weekdayNames[f.Weekday])
		if f.Unit == Years {
			parts = append(parts, "BYMONTH="+strconv.Itoa(int(first.Month())))
		}
	}
	return strings.Join(parts, ";")
}

// byWeekday reports whether the form names a weekday of a month.
func (f Form) byWeekday() bool { return (f.Unit == Months || f.Unit == Years) && f.Nth != 0 }

func weekdaysText(days []time.Weekday) string {
	names := make([]string, len(days))
	for i, day := range Sorted(days) {
		names[i] = weekdayNames[day]
	}
	return strings.Join(names, ",")
}

// Sorted returns weekdays as a week has them, from Monday, each once.
func Sorted(days []time.Weekday) []time.Weekday {
	sorted := slices.SortedFunc(slices.Values(days), func(a, b time.Weekday) int {
		return cmp.Compare((a+6)%7, (b+6)%7)
	})
	return slices.Compact(sorted)
}

// furthest is how many days may lie before a day that a form names: the fifth of a weekday in a
// February comes once in 28 years, and once in 40 around a century.
const furthest = 41 * 366

// First returns the first day from a day on that the form can begin with, and whether there is one.
// The admin service takes a rule only with a first date that the rule names.
func (f Form) First(from time.Time) (time.Time, bool) {
	for day := from; day.Before(from.AddDate(0, 0, furthest)); day = day.AddDate(0, 0, 1) {
		if f.names(day, from) {
			return day, true
		}
	}
	return from, false
}

// names reports whether the form can begin with a day. Of years, the month is that of from.
func (f Form) names(day, from time.Time) bool {
	switch {
	case f.Unit == Weeks && len(f.Weekdays) > 0:
		return slices.Contains(f.Weekdays, day.Weekday())
	case f.byWeekday():
		return day.Weekday() == f.Weekday && hasNth(day, f.Nth) && (f.Unit == Months || day.Month() == from.Month())
	default:
		return true
	}
}

// hasNth reports whether a day is the nth of its weekday in its month.
func hasNth(day time.Time, nth int) bool {
	if nth == Last {
		return day.AddDate(0, 0, 7).Month() != day.Month()
	}
	return (day.Day()-1)/7+1 == nth
}
