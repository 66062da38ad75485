package event

import (
	"slices"
	"strings"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/text"
)

// dateWords writes when a date is.
func dateWords(t *text.Texts, date adminapi.Date) string {
	words := dayWords(t, date.StartDate)
	if date.StartTime != "" {
		words += ", " + t.Clock(string(date.StartTime))
	}
	if end := string(date.EndDate); end != "" && end != date.StartDate {
		words += " – " + dayWords(t, end)
	}
	if date.EndTime != "" {
		words += " – " + t.Clock(string(date.EndTime))
	}
	return words
}

// nextDate returns the first date that is not over on a day, such as "2026-11-23": the one that
// visitors look for. After the last one that is the last one.
func nextDate(dates []adminapi.Date, today string) adminapi.Date {
	next := slices.IndexFunc(dates, func(d adminapi.Date) bool { return d.LastDay() >= today })
	if next < 0 {
		next = len(dates) - 1
	}
	return dates[next]
}

// dayWords writes a day of the API; one that cannot be read stays as it is.
func dayWords(t *text.Texts, day string) string {
	parsed, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.Day(parsed)
}

// placeWords names the venue and space of an event, and where it is online; "" for none.
func placeWords(e adminapi.Event) string {
	var words []string
	for _, word := range []string{string(e.VenueName), string(e.SpaceName), string(e.OnlineLink)} {
		if word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}
