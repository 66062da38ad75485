package recurrence

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

// oracle is a rule and its meaning by brute force: it asks of day after day whether RFC 5545 names
// it, counting days, weekdays and weeks one by one. It shares nothing with the package but the
// rule's text.
type oracle struct {
	freq       string
	interval   int
	count      int       // 0: until
	until      time.Time // inclusive
	weekStart  time.Weekday
	months     []int
	weekNos    []int
	yearDays   []int
	monthDays  []int
	weekdays   []oracleWeekday
	hours      []int
	minutes    []int
	positions  []int
	start      time.Time
	times      []int               // of a day, in minutes
	sets       map[int][]time.Time // the rule's dates in a period
	weekCounts map[int][]time.Time // the weeks of a year
}

type oracleWeekday struct {
	nth     int
	weekday time.Weekday
}

var oracleNames = map[time.Weekday]string{
	time.Monday: "MO", time.Tuesday: "TU", time.Wednesday: "WE", time.Thursday: "TH",
	time.Friday: "FR", time.Saturday: "SA", time.Sunday: "SU",
}

// expand returns the rule's dates from start to horizon or until, at most count.
func (o *oracle) expand(start, horizon time.Time) []time.Time {
	o.start, o.sets, o.weekCounts = start, map[int][]time.Time{}, map[int][]time.Time{}
	o.readTimes()
	if o.count == 0 && o.until.Before(horizon) {
		horizon = o.until
	}
	var named []time.Time
	for day := midnight(start); !day.After(horizon); day = day.AddDate(0, 0, 1) {
		for _, moment := range o.set(day) {
			if !midnight(moment).Equal(day) || moment.Before(start) || moment.After(horizon) {
				continue
			}
			named = append(named, moment)
			if len(named) == o.count {
				return named
			}
		}
	}
	return named
}

// set returns the rule's dates in the period of day; nothing in one that the interval passes over.
func (o *oracle) set(day time.Time) []time.Time {
	number := o.period(day)
	if set, known := o.sets[number]; known {
		return set
	}
	var set []time.Time
	if (number-o.period(midnight(o.start)))%o.interval == 0 {
		set = o.choose(day, number)
	}
	o.sets[number] = set
	return set
}

// choose walks to the ends of the day's period and filters the days between them.
func (o *oracle) choose(day time.Time, number int) []time.Time {
	first := day
	for before := first.AddDate(0, 0, -1); o.period(before) == number; before = before.AddDate(0, 0, -1) {
		first = before
	}
	var all []time.Time
	for d := first; o.period(d) == number; d = d.AddDate(0, 0, 1) {
		if !o.names(d) {
			continue
		}
		for _, minute := range o.times {
			all = append(all, d.Add(time.Duration(minute)*time.Minute))
		}
	}
	if len(o.positions) == 0 {
		return all
	}
	var chosen []time.Time
	for i, moment := range all {
		if slices.Contains(o.positions, i+1) || slices.Contains(o.positions, i-len(all)) {
			chosen = append(chosen, moment)
		}
	}
	return chosen
}

// period returns the running number of the period that holds the day.
func (o *oracle) period(day time.Time) int {
	switch o.freq {
	case "DAILY":
		return int(day.Unix() / 86400)
	case "WEEKLY":
		return int((o.weekBegin(day).Unix()/86400 + 700_000) / 7)
	case "MONTHLY":
		return day.Year()*12 + int(day.Month())
	}
	if len(o.weekNos) > 0 {
		return o.weekYear(day)
	}
	return day.Year()
}

func (o *oracle) names(day time.Time) bool {
	monthBegin := time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
	yearBegin := time.Date(day.Year(), time.January, 1, 0, 0, 0, 0, time.UTC)
	return listed(o.effectiveMonths(), int(day.Month())) &&
		listedPlace(o.effectiveMonthDays(), daysBetween(monthBegin, day)+1, daysBetween(day, monthBegin.AddDate(0, 1, 0))) &&
		listedPlace(o.yearDays, daysBetween(yearBegin, day)+1, daysBetween(day, yearBegin.AddDate(1, 0, 0))) &&
		o.namesWeek(day) && o.namesWeekday(day)
}

// derived reports whether the start stands for the days that the rule does not name.
func (o *oracle) derived() bool {
	return len(o.monthDays)+len(o.yearDays)+len(o.weekdays) == 0
}

func (o *oracle) effectiveMonths() []int {
	if len(o.months) == 0 && o.freq == "YEARLY" && o.derived() && len(o.weekNos) == 0 {
		return []int{int(o.start.Month())}
	}
	return o.months
}

func (o *oracle) effectiveMonthDays() []int {
	if o.derived() && (o.freq == "MONTHLY" || o.freq == "YEARLY" && len(o.weekNos) == 0) {
		return []int{o.start.Day()}
	}
	return o.monthDays
}

func (o *oracle) namesWeekday(day time.Time) bool {
	if len(o.weekdays) == 0 {
		ofStart := o.derived() && (o.freq == "WEEKLY" || len(o.weekNos) > 0)
		return !ofStart || day.Weekday() == o.start.Weekday()
	}
	inYear := o.freq == "YEARLY" && len(o.months) == 0
	same := func(other time.Time) bool {
		return other.Year() == day.Year() && (inYear || other.Month() == day.Month())
	}
	fromBegin, fromEnd := 0, 0
	for d := day; same(d); d = d.AddDate(0, 0, -7) {
		fromBegin++
	}
	for d := day; same(d); d = d.AddDate(0, 0, 7) {
		fromEnd--
	}
	return slices.ContainsFunc(o.weekdays, func(w oracleWeekday) bool {
		return w.weekday == day.Weekday() && (w.nth == 0 || w.nth == fromBegin || w.nth == fromEnd)
	})
}

func (o *oracle) namesWeek(day time.Time) bool {
	if len(o.weekNos) == 0 {
		return true
	}
	weeks := o.weeks(o.weekYear(day))
	place := slices.IndexFunc(weeks, o.weekBegin(day).Equal)
	return slices.Contains(o.weekNos, place+1) || slices.Contains(o.weekNos, place-len(weeks))
}

// weeks returns the first days of the weeks of which most days lie in the year.
func (o *oracle) weeks(year int) []time.Time {
	if weeks, known := o.weekCounts[year]; known {
		return weeks
	}
	var weeks []time.Time
	begin := o.weekBegin(time.Date(year-1, time.December, 20, 0, 0, 0, 0, time.UTC))
	for ; begin.Year() <= year; begin = begin.AddDate(0, 0, 7) {
		if o.weekYear(begin) == year {
			weeks = append(weeks, begin)
		}
	}
	o.weekCounts[year] = weeks
	return weeks
}

// weekYear returns the year in which at least four days of the day's week lie.
func (o *oracle) weekYear(day time.Time) int {
	begin, ofBegin := o.weekBegin(day), 0
	for i := range 7 {
		if begin.AddDate(0, 0, i).Year() == begin.Year() {
			ofBegin++
		}
	}
	if ofBegin >= 4 {
		return begin.Year()
	}
	return begin.Year() + 1
}

func (o *oracle) weekBegin(day time.Time) time.Time {
	for day.Weekday() != o.weekStart {
		day = day.AddDate(0, 0, -1)
	}
	return day
}

// readTimes asks of every minute of the day whether the rule names it.
func (o *oracle) readTimes() {
	o.times = nil
	for minute := range 24 * 60 {
		hourFits := slices.Contains(o.hours, minute/60) || len(o.hours) == 0 && minute/60 == o.start.Hour()
		minuteFits := slices.Contains(o.minutes, minute%60) || len(o.minutes) == 0 && minute%60 == o.start.Minute()
		if hourFits && minuteFits {
			o.times = append(o.times, minute)
		}
	}
}

func listed(list []int, n int) bool { return len(list) == 0 || slices.Contains(list, n) }

// listedPlace asks for a place from the beginning, or from the end: the last is 1 there and -1 in
// the list.
func listedPlace(list []int, fromBegin, fromEnd int) bool {
	return len(list) == 0 || slices.Contains(list, fromBegin) || slices.Contains(list, -fromEnd)
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

func daysBetween(a, b time.Time) int { return int(b.Sub(a).Hours()) / 24 }

// text writes the rule, its parts and their values in random order, as people may.
func (o *oracle) text(r *rand.Rand, allDay bool) string {
	parts := []string{"FREQ=" + o.freq}
	if o.interval > 1 || r.IntN(2) == 0 {
		parts = append(parts, fmt.Sprintf("INTERVAL=%d", o.interval))
	}
	switch {
	case o.count > 0:
		parts = append(parts, fmt.Sprintf("COUNT=%d", o.count))
	case allDay:
		parts = append(parts, "UNTIL="+o.until.Format("20060102"))
	default:
		parts = append(parts, "UNTIL="+o.until.Format("20060102T150405"))
	}
	if o.weekStart != time.Monday || r.IntN(2) == 0 {
		parts = append(parts, "WKST="+oracleNames[o.weekStart])
	}
	var days []string
	for _, w := range o.weekdays {
		name := oracleNames[w.weekday]
		if w.nth != 0 {
			name = strconv.Itoa(w.nth) + name
		}
		days = append(days, name)
	}
	lists := map[string][]string{
		"BYDAY": days, "BYMONTH": texts(o.months), "BYWEEKNO": texts(o.weekNos), "BYYEARDAY": texts(o.yearDays),
		"BYMONTHDAY": texts(o.monthDays), "BYHOUR": texts(o.hours), "BYMINUTE": texts(o.minutes), "BYSETPOS": texts(o.positions),
	}
	for name, list := range lists {
		if len(list) > 0 {
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			parts = append(parts, name+"="+strings.Join(list, ","))
		}
	}
	slices.Sort(parts)
	r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return strings.Join(parts, ";")
}

func texts(list []int) []string {
	var texts []string
	for _, n := range list {
		texts = append(texts, strconv.Itoa(n))
	}
	return texts
}
