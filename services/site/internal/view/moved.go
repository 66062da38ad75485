package view

import (
	"strings"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/text"
)

// MovedFrom writes when a date that was moved would have started; "" of any other, and of one that
// does not take place.
func MovedFrom(t *text.Texts, moved publicapi.Moved, status string) string {
	from := Moment(t, string(moved.PreviousStart))
	if from == "" || !takesPlace(status) {
		return ""
	}
	return t.With("moved_from", "Start", from)
}

// Moment writes a moment on the clock of its place, such as 2026-11-20T19:30, or a day; "" of what
// is neither.
func Moment(t *text.Texts, local string) string {
	text, clock, timed := strings.Cut(local, "T")
	day := dayOf(text)
	if day.IsZero() {
		return ""
	}
	if timed {
		return t.Day(day) + ", " + t.Clock(clock)
	}
	return t.Day(day)
}

// takesPlace reports whether a date with this status takes place.
func takesPlace(status string) bool { return status != "cancelled" && status != "deferred" }
