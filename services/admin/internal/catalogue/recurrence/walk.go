package recurrence

import (
	"iter"
	"slices"
	"time"

	"litfass/services/admin/internal/platform/budget"
)

// period is one interval of a rule, from its first to its last day: a day, a week, a month or a
// year. With BYWEEKNO the year is that of whole weeks, so that every second year means week 1 of
// every second year.
type period struct{ first, last int }

// walk finds the moments of a rule, period after period. It examines each day from the period of
// the first date to the period of the end of lastYear at most once, which bounds its work, and ends
// early with its budget.
type walk struct {
	rule     *rule
	budget   *budget.Budget
	start    moment
	last     moment
	first    day
	choice   choice
	times    []int // of a day, in minutes, ascending
	next     day   // the day after the last period
	found    []int // the chosen days of a period
	kept     []int // the places that the rule names among so many
	placesOf int   // how many; -1 before the first period
	examined int   // days examined
}

func newWalk(r *rule, start moment, b *budget.Budget) *walk {
	first := dayAt(start.day())
	w := &walk{
		rule: r, budget: b, start: start, last: finalMoment, first: first, choice: newChoice(r, first), next: first, placesOf: -1,
	}
	if r.count == 0 {
		w.last = r.until
	}
	hours, minutes := r.lists[byHour], r.lists[byMinute]
	if len(hours) == 0 {
		hours = []int{start.minute() / 60}
	}
	if len(minutes) == 0 {
		minutes = []int{start.minute() % 60}
	}
	for _, hour := range hours {
		for _, minute := range minutes {
			w.times = append(w.times, hour*60+minute)
		}
	}
	return w
}

// moments yields the moments of the rule from the start on, distinct and in order.
func (w *walk) moments() iter.Seq[moment] {
	return func(yield func(moment) bool) {
		count := 0
		for step := 0; ; step += w.rule.interval {
			p := w.period(step)
			if p.first > w.last.day() {
				return
			}
			examined := w.examined
			w.findDays(p)
			places := w.places()
			if !w.budget.Spend(stepsOfPeriod + w.examined - examined + stepsOfPlace*len(places)) {
				return
			}
			for _, place := range places {
				m := on(w.found[place/len(w.times)], w.times[place%len(w.times)])
				if m < w.start {
					continue
				}
				if m > w.last || !yield(m) {
					return
				}
				count++
				if count == w.rule.count {
					return
				}
			}
		}
	}
}

// The steps of a budget that a period takes, and one moment of it. Each examined day takes one.
const (
	stepsOfPeriod = 10
	stepsOfPlace  = 5
)

// period returns the period that many steps after the one that holds the first date.
func (w *walk) period(steps int) period {
	weekStart := w.rule.weekStart
	switch w.rule.frequency {
	case daily:
		number := w.first.number + steps
		return period{number, number}
	case weekly:
		number := weekOf(w.first.number, weekStart) + 7*steps
		return period{number, number + 6}
	case monthly:
		month := time.Month(w.first.month + steps)
		return period{dayNumber(w.first.year, month, 1), dayNumber(w.first.year, month+1, 1) - 1}
	}
	if len(w.rule.lists[byWeekNo]) > 0 {
		// The week's fourth day lies in the year that the week belongs to.
		year := dayAt(weekOf(w.first.number, weekStart)+3).year + steps
		return period{firstWeekOf(year, weekStart), firstWeekOf(year+1, weekStart) - 1}
	}
	year := w.first.year + steps
	return period{dayNumber(year, time.January, 1), dayNumber(year, time.December, 31)}
}

// findDays finds the days of the period that the rule chooses.
func (w *walk) findDays(p period) {
	w.found = w.found[:0]
	if w.next.number != p.first {
		w.next = dayAt(p.first)
	}
	ofMonths := w.rule.frequency == yearly || w.rule.frequency == monthly // a period ends with a month
	for w.next.number <= p.last {
		w.examined++
		if ofMonths && !w.choice.months.has(w.next.month) {
			w.next = w.next.nextMonth()
			continue
		}
		if w.choice.has(w.next, p) {
			w.found = append(w.found, w.next.number)
		}
		w.next = w.next.next()
	}
}

// places returns the positions, from 0, of the rule's moments among all times of the chosen days:
// every position, or the ones that BYSETPOS lists, where 1 is the first and -1 the last. They
// depend only on the number of times, which is the same in most periods.
func (w *walk) places() []int {
	size := len(w.found) * len(w.times)
	if w.placesOf == size {
		return w.kept
	}
	w.kept, w.placesOf = w.kept[:0], size
	positions := w.rule.lists[bySetPos]
	if len(positions) == 0 {
		for place := range size {
			w.kept = append(w.kept, place)
		}
		return w.kept
	}
	for _, position := range positions {
		place := position - 1
		if position < 0 {
			place = size + position
		}
		if place >= 0 && place < size {
			w.kept = append(w.kept, place)
		}
	}
	slices.Sort(w.kept)
	w.kept = slices.Compact(w.kept)
	return w.kept
}
