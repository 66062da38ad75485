package recurrence

// maxListed is the largest number in a list that chooses days.
const maxListed = 366

// numberSet holds numbers from -maxListed to maxListed; nil holds all.
type numberSet []bool

func newNumberSet(list []int) numberSet {
	if len(list) == 0 {
		return nil
	}
	set := make(numberSet, 2*maxListed+1)
	for _, n := range list {
		set[n+maxListed] = true
	}
	return set
}

func (s numberSet) has(n int) bool { return s == nil || s[n+maxListed] }

// hasPlace reports whether the set holds place, which counts from 1, or its negative counterpart
// from the end of length.
func (s numberSet) hasPlace(place, length int) bool {
	return s == nil || s[place+maxListed] || s[place-length-1+maxListed]
}

// choice selects the days of a period by the BY parts of a rule.
type choice struct {
	months, weeks, yearDays, monthDays numberSet
	weekdays                           [7]numberSet // the ordinals of a weekday; 0 stands for all
	anyWeekday                         bool
	ordinalsInYear                     bool // ordinals count within the year, not the month
}

// newChoice returns the choice of a rule whose first date is on the given day, which supplies the
// parts that the rule lacks: an annual rule repeats its month and day, a monthly one its day, a
// weekly one its weekday.
func newChoice(r *rule, first day) choice {
	lists, weekdays := r.lists, r.weekdays
	chooses := len(weekdays) > 0 || len(lists[byMonthDay]) > 0 || len(lists[byYearDay]) > 0
	switch {
	case chooses || r.frequency == daily:
	case r.frequency == weekly || len(lists[byWeekNo]) > 0:
		weekdays = []weekdayPart{{0, first.weekday}}
	default:
		lists[byMonthDay] = []int{first.date}
		if r.frequency == yearly && len(lists[byMonth]) == 0 {
			lists[byMonth] = []int{first.month}
		}
	}
	c := choice{
		months: newNumberSet(lists[byMonth]), weeks: newNumberSet(lists[byWeekNo]),
		yearDays: newNumberSet(lists[byYearDay]), monthDays: newNumberSet(lists[byMonthDay]),
		anyWeekday:     len(weekdays) == 0,
		ordinalsInYear: r.frequency == yearly && len(r.lists[byMonth]) == 0,
	}
	for weekday := range c.weekdays {
		c.weekdays[weekday] = ordinalsOf(weekdays, weekday)
	}
	return c
}

func ordinalsOf(parts []weekdayPart, weekday int) numberSet {
	set := make(numberSet, 2*maxListed+1)
	for _, part := range parts {
		if part.weekday == weekday {
			set[part.ordinal+maxListed] = true
		}
	}
	return set
}

// has reports whether the choice holds a day of the period.
func (c *choice) has(d day, p period) bool {
	return c.hasWeekday(d) && c.months.has(d.month) && c.monthDays.hasPlace(d.date, d.monthLength) &&
		c.yearDays.hasPlace(d.yearDay, d.yearLength) && c.hasWeek(d, p)
}

// hasWeek needs a period that is a year of whole weeks when the choice names weeks.
func (c *choice) hasWeek(d day, p period) bool {
	return c.weeks == nil || c.weeks.hasPlace((d.number-p.first)/7+1, (p.last-p.first+1)/7)
}

func (c *choice) hasWeekday(d day) bool {
	if c.anyWeekday {
		return true
	}
	ordinals := c.weekdays[d.weekday]
	if c.ordinalsInYear {
		return ordinals.hasOrdinal(d.yearDay, d.yearLength)
	}
	return ordinals.hasOrdinal(d.date, d.monthLength)
}

// hasOrdinal reports whether the set holds 0, or which of its weekday the day at place is, from
// either end of length.
func (s numberSet) hasOrdinal(place, length int) bool {
	return s.has(0) || s.has((place-1)/7+1) || s.has(-((length-place)/7 + 1))
}
