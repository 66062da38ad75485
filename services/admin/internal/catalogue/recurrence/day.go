package recurrence

import "time"

// day is a day of the calendar and its position in its week, month and year.
type day struct {
	number      int // days since the beginning of firstYear
	year        int
	month       int
	date        int // of the month, from 1
	monthLength int
	yearDay     int // from 1
	yearLength  int
	weekday     int // 0 is Monday
}

func dayAt(number int) day {
	t := epoch.AddDate(0, 0, number)
	return day{
		number: number, year: t.Year(), month: int(t.Month()), date: t.Day(),
		monthLength: monthLength(t.Year(), int(t.Month())),
		yearDay:     t.YearDay(), yearLength: yearLength(t.Year()), weekday: weekdayOf(number),
	}
}

// next returns the day after d.
func (d day) next() day {
	d.number++
	d.date++
	d.yearDay++
	d.weekday = (d.weekday + 1) % 7
	if d.date <= d.monthLength {
		return d
	}
	d.date = 1
	d.month++
	if d.month > 12 {
		d.month, d.yearDay = 1, 1
		d.year++
		d.yearLength = yearLength(d.year)
	}
	d.monthLength = monthLength(d.year, d.month)
	return d
}

// nextMonth returns the first day of the month after d's.
func (d day) nextMonth() day {
	left := d.monthLength - d.date
	d.number += left
	d.yearDay += left
	d.weekday = (d.weekday + left) % 7
	d.date = d.monthLength
	return d.next()
}

// weekdayOf counts from Monday, which day 0 is; numbers before it are negative.
func weekdayOf(number int) int { return (number%7 + 7) % 7 }

// weekOf returns the first day of the week that holds the day, where weeks begin on weekStart.
func weekOf(number, weekStart int) int { return number - (weekdayOf(number)-weekStart+7)%7 }

// firstWeekOf returns the first day of week 1 of a year: the first week with four days or more in
// the year.
func firstWeekOf(year, weekStart int) int { return weekOf(dayNumber(year, time.January, 4), weekStart) }

var monthLengths = [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

func monthLength(year, month int) int {
	if month == 2 && isLeap(year) {
		return 29
	}
	return monthLengths[month-1]
}

func yearLength(year int) int {
	if isLeap(year) {
		return 366
	}
	return 365
}

func isLeap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }
