package demo

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// rhythm is the pattern of the dates of an event.
type rhythm int

const (
	single     rhythm = iota // one evening
	weekly                   // some weeks on the same weekday
	course                   // ten weeks
	monthly                  // some months
	run                      // several evenings within two weeks
	nights                   // some Fridays and Saturdays, past midnight
	weekend                  // all-day Saturdays
	exhibition               // one date over several weeks, all-day
	festival                 // three days in a row
)

const (
	firstDay = -21 // the earliest start, in days from today
	lastDay  = 120 // the latest first date
)

// dates returns the dates of an event, in order.
func (g *generator) dates(r *rand.Rand, id string, it item) []rules.Date {
	start := g.today.AddDate(0, 0, firstDay+r.IntN(lastDay-firstDay))
	var days []time.Time
	switch it.rhythm {
	case weekly:
		days = every(start, 7, 3+r.IntN(5))
	case course:
		days = every(start, 7, 10)
	case monthly:
		days = every(start, 28, 3+r.IntN(3))
	case run:
		days = every(start, 2, 4+r.IntN(4))
	case nights:
		days = every(on(start, time.Friday+time.Weekday(r.IntN(2))), 14, 2+r.IntN(4))
	case weekend:
		days = every(on(start, time.Saturday), 14, 1+r.IntN(3))
	case festival:
		days = every(on(start, time.Friday), 1, 3)
	default:
		days = every(start, 1, 1)
	}
	clock := "" // stays empty for all-day dates
	if len(it.starts) > 0 {
		clock = pick(r, it.starts)
	}
	dates := make([]rules.Date, len(days))
	for i, day := range days {
		dates[i] = date(identity("date", id, strconv.Itoa(i)), day, clock, it.minutes)
	}
	if it.rhythm == exhibition {
		dates[0].EndDate = value.Text(start.AddDate(0, 0, 14+r.IntN(60)).Format(time.DateOnly))
		dates[0].Hours = closedAtChristmas(openings(), start.Year())
	}
	return dates
}

// openings are the usual hours of houses: each day but Monday.
func openings() (h hours.Hours) {
	for _, day := range hours.Weekdays[1:] {
		h.Weekly = append(h.Weekly, hours.Weekly{Day: day, From: "11:00", To: "18:00"})
	}
	h.Normalize()
	return h
}

// closedAtChristmas returns hours without those of Christmas of a year.
func closedAtChristmas(h hours.Hours, year int) hours.Hours {
	h.Closed = []hours.Closed{{From: fmt.Sprintf("%d-12-24", year), To: fmt.Sprintf("%d-12-26", year)}}
	return h
}

func date(id string, day time.Time, clock string, minutes int) rules.Date {
	d := rules.Date{UUID: id, StartDate: day.Format(time.DateOnly), ReleaseStatus: rules.StatusInherited}
	if clock == "" {
		d.AllDay = true
		return d
	}
	at, err := time.Parse("15:04", clock)
	if err != nil {
		panic(err) // the times are constants of this package
	}
	end := day.Add(time.Duration(at.Hour()*60+at.Minute()+minutes) * time.Minute)
	d.StartTime = value.Text(clock)
	d.EndDate, d.EndTime = value.Text(end.Format(time.DateOnly)), value.Text(end.Format("15:04"))
	if minutes < 180 && at.Hour() >= 17 {
		d.EntryTime = value.Text(at.Add(-30 * time.Minute).Format("15:04"))
	}
	return d
}

func every(start time.Time, days, count int) []time.Time {
	all := make([]time.Time, count)
	for i := range all {
		all[i] = start.AddDate(0, 0, i*days)
	}
	return all
}

// on returns the first such weekday from day on.
func on(day time.Time, weekday time.Weekday) time.Time {
	return day.AddDate(0, 0, (int(weekday)-int(day.Weekday())+7)%7)
}
