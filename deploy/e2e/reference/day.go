package reference

import (
	"strings"
	"time"
)

// day reads a date or one of the words "today" and "tomorrow".
func day(value, today string) string {
	switch value {
	case "today":
		return today
	case "tomorrow":
		return move(today, 1)
	default:
		return value
	}
}

// days reads "DAY", "FROM,TO" or the word "weekend": the Saturday and Sunday of this week, which on
// a Sunday began yesterday.
func days(value, today string) (from, to string) {
	if value == "weekend" {
		saturday := move(today, (int(time.Saturday)-int(weekday(today))+7)%7)
		if weekday(today) == time.Sunday {
			saturday = move(today, -1)
		}
		return saturday, move(saturday, 1)
	}
	first, last, two := strings.Cut(value, ",")
	if !two {
		last = first
	}
	return day(first, today), day(last, today)
}

func weekday(day string) time.Weekday { return parse(day).Weekday() }

func move(day string, days int) string { return parse(day).AddDate(0, 0, days).Format(time.DateOnly) }

func parse(day string) time.Time {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return at
}
