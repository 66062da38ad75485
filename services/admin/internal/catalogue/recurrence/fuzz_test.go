package recurrence

import (
	"slices"
	"testing"

	"litfass/pkg/chassis/fault"
)

// FuzzExpand feeds any texts as a series. An accepted series has distinct dates in order, one
// stored form with the same dates, and can be split anywhere; a refusal names its fields.
func FuzzExpand(f *testing.F) {
	for _, rule := range hostileRules {
		f.Add("2026-11-20", "20:00", "2026-11-21", "01:00", false, rule, "2026-12-01", "2026-12-01T20:00")
	}
	f.Add("2028-02-29", "", "2028-03-01", "", true, "FREQ=YEARLY;COUNT=5", "20290228", "20320229")
	f.Add("2026-11-20", "20:00", "", "", false, "FREQ=MONTHLY;BYDAY=FR;BYSETPOS=3,-1;UNTIL=20280101", "20261201T150000", "2026-11-20")
	f.Add("1900-01-01", "00:00", "2999-12-31", "23:59", false, "", "2999-12-31", "")
	f.Fuzz(func(t *testing.T, startDate, startTime, endDate, endTime string, allDay bool, rrule, rdate, exdate string) {
		s := Series{StartDate: startDate, StartTime: startTime, EndDate: endDate, EndTime: endTime, AllDay: allDay,
			RRule: rrule, RDate: list(rdate), ExDate: list(exdate)}
		got, err := Expand(s)
		if err != nil {
			if !fault.Is(err, fault.Invalid) || len(fault.Of(err).Violations) == 0 {
				t.Fatalf("%+v: %v", s, err)
			}
			return
		}
		if !slices.IsSorted(ids(got)) || len(slices.Compact(ids(got))) != len(got) || len(got) == 0 || len(got) > MaxDates {
			t.Fatalf("%+v: %v", s, ids(got))
		}
		checkNormalized(t, s, got)
		checkSplit(t, s, got[len(got)/2].ID(), got)
	})
}

// list returns a list of one entry, or none for an empty text.
func list(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}
