package view

import (
	"time"

	"litfass/services/console/internal/text"
)

// Moment writes a day and a time of the day; at is in the zone in which it is written.
func Moment(t *text.Texts, at time.Time) string {
	return t.Day(at) + ", " + t.Clock(at.Format("15:04"))
}
