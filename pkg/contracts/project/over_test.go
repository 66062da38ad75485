package project

import (
	"testing"
	"time"

	"litfass/pkg/contracts/change"
)

func TestWhenADateIsOver(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, zone string
		date       change.Date
		want       string
	}{
		{"an end", "Europe/Berlin", change.Date{StartDate: "2026-11-20", StartTime: "19:30", EndTime: "22:00"}, "2026-11-20T21:00:00Z"},
		{"an end at midnight", "Europe/Berlin", change.Date{StartDate: "2026-11-20", StartTime: "19:30", EndDate: "2026-11-21", EndTime: "00:00"}, "2026-11-20T23:00:00Z"},
		{"no end", "Europe/Berlin", change.Date{StartDate: "2026-11-20", StartTime: "19:30"}, "2026-11-20T23:00:00Z"},
		{"an end before the start", "Europe/Berlin", change.Date{StartDate: "2026-11-20", StartTime: "19:30", EndTime: "02:00"}, "2026-11-20T23:00:00Z"},
		{"a last day", "Europe/Berlin", change.Date{StartDate: "2026-06-01", StartTime: "10:00", EndDate: "2026-06-30"}, "2026-06-30T22:00:00Z"},
		{"days", "America/Havana", change.Date{StartDate: "2026-03-06", EndDate: "2026-03-07", AllDay: true}, "2026-03-08T05:00:00Z"}, // 00:00 is skipped
		{"a day with its times left", "Europe/Berlin", change.Date{StartDate: "2026-11-20", EndTime: "10:00", AllDay: true}, "2026-11-20T23:00:00Z"},
		{"the first of two", "Europe/Berlin", change.Date{StartDate: "2026-10-25", StartTime: "01:00", EndTime: "02:30"}, "2026-10-25T00:30:00Z"},
		{"far away", "Pacific/Kiritimati", change.Date{StartDate: "2026-11-20", StartTime: "08:00", EndTime: "09:00"}, "2026-11-19T19:00:00Z"},
		{"an unknown zone", "Mars/Olympus", change.Date{StartDate: "2026-11-20", StartTime: "08:00", EndTime: "09:00"}, "2026-11-20T08:00:00Z"},
	} {
		got, err := endsAt(test.date, location(test.zone, "Europe/Berlin"))
		if at := time.Unix(got, 0).UTC().Format(time.RFC3339); err != nil || at != test.want {
			t.Errorf("%s: %s, %v; want %s", test.name, at, err, test.want)
		}
	}
}
