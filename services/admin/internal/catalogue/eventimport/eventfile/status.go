package eventfile

import (
	"slices"
	"strings"
)

// The statuses of a date.
const (
	StatusAsPlanned   = "inherited"
	StatusCancelled   = "cancelled"
	StatusDeferred    = "deferred"
	StatusRescheduled = "rescheduled"
)

// statuses are the words for a status in calendars, English, German and Danish.
var statuses = map[string][]string{
	StatusAsPlanned: {
		"", "confirmed", "tentative", "scheduled", "planned", "bestätigt", "geplant", "findet statt", "planlagt", "bekræftet",
		"inherited", "released",
	},
	StatusCancelled:   {"cancelled", "canceled", "abgesagt", "fällt aus", "storniert", "aflyst"},
	StatusDeferred:    {"deferred", "postponed", "verschoben", "aufgeschoben", "udskudt", "udsat"},
	StatusRescheduled: {"rescheduled", "verlegt", "flyttet"},
}

// ReadStatus returns the status of a date that a text names.
func ReadStatus(text string) (status string, ok bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	for status, words := range statuses {
		if slices.Contains(words, text) {
			return status, true
		}
	}
	return "", false
}

// ReadClock returns a time of day as HH:MM: 20:00, 20.30, 20 Uhr, kl. 20, 8 pm.
func ReadClock(text string) (clock string, ok bool) { return readClock(text) }
