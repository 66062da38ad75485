package generate

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"litfass/deploy/e2e/reference"
)

// near returns a day at most so many days away, or the word "today".
func (q *Queries) near(day string, most int) string {
	if q.chance(10) {
		return "today"
	}
	shift := 0
	if q.chance(70) {
		shift = q.between(min(most, 0), max(most, 0))
	}
	return shifted(day, shift)
}

// on returns a day on which the date runs, a range around it, or a word.
func (q *Queries) on(d *reference.Dated) string {
	if d.Date.Hours != nil && q.chance(80) { // a few days, or many, within the period or around its ends
		from := shifted(d.Date.StartDate, q.between(-5, 120))
		return from + "," + shifted(from, pick(q.random, []int{0, 0, 1, 3, 7, 13, 30, 31, 90}))
	}
	switch q.IntN(6) {
	case 0:
		return pick(q.random, []string{"today", "tomorrow", "weekend"})
	case 1:
		return q.near(d.Date.StartDate, 0)
	case 2:
		return lastDay(d)
	default:
		return shifted(d.Date.StartDate, -q.IntN(5)) + "," + shifted(lastDay(d), q.IntN(5))
	}
}

func shifted(day string, days int) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return at.AddDate(0, 0, days).Format(time.DateOnly)
}

// time returns two times around the start, in one of the formats, sometimes past midnight.
func (q *Queries) time(d *reference.Dated) string {
	hour := q.IntN(24)
	if start := string(d.Date.StartTime); start != "" && q.chance(80) {
		if q.chance(30) { // exactly the start
			exact := strings.Replace(start, ":", "", 1)
			return exact + pick(q.random, []string{",", "-"}) + exact
		}
		hour, _ = strconv.Atoi(start[:2])
	}
	if h := d.Date.Hours; h != nil && len(h.Weekly) > 0 && q.chance(70) { // around an opening or an end
		opening := pick(q.random, h.Weekly)
		hour, _ = strconv.Atoi(pick(q.random, []string{opening.From, opening.To})[:2])
	}
	end := q.clock(hour + q.IntN(4))
	if q.chance(10) { // the end of the day
		end = pick(q.random, []string{"24", "2400"})
	}
	return q.clock(hour-q.IntN(4)) + pick(q.random, []string{",", "-"}) + end
}

func (q *Queries) clock(hour int) string {
	hour = (hour + 24) % 24
	switch {
	case q.chance(30):
		return fmt.Sprintf("%02d%02d", hour, pick(q.random, []int{0, 1, 29, 30, 59}))
	case hour < 10 && q.chance(50):
		return strconv.Itoa(hour)
	default:
		return fmt.Sprintf("%02d", hour)
	}
}
