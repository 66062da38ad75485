package rules_test

import (
	"strings"
	"testing"

	"litfass/services/admin/internal/catalogue/rules"
)

func TestPeriods(t *testing.T) {
	evening := rules.Date{StartDate: "2026-11-20", StartTime: "19:30", EndTime: "22:00"}
	for name, test := range map[string]struct {
		date     rules.Date
		want     string
		overlaps bool // the evening
	}{
		"the same":         {evening, "2026-11-20T19:30 2026-11-20T22:00", true},
		"before it":        {rules.Date{StartDate: "2026-11-20", StartTime: "18:00", EndTime: "19:30"}, "2026-11-20T18:00 2026-11-20T19:30", false},
		"into it":          {rules.Date{StartDate: "2026-11-20", StartTime: "18:00", EndTime: "19:31"}, "2026-11-20T18:00 2026-11-20T19:31", true},
		"after it":         {rules.Date{StartDate: "2026-11-20", StartTime: "22:00"}, "2026-11-20T22:00 2026-11-20T22:00", false},
		"without an end":   {rules.Date{StartDate: "2026-11-20", StartTime: "19:30"}, "2026-11-20T19:30 2026-11-20T19:30", true},
		"within it":        {rules.Date{StartDate: "2026-11-20", StartTime: "20:00"}, "2026-11-20T20:00 2026-11-20T20:00", true},
		"all day":          {rules.Date{StartDate: "2026-11-20", AllDay: true}, "2026-11-20T00:00 2026-11-20T24:00", true},
		"the day before":   {rules.Date{StartDate: "2026-11-19", AllDay: true}, "2026-11-19T00:00 2026-11-19T24:00", false},
		"several days":     {rules.Date{StartDate: "2026-11-18", AllDay: true, EndDate: "2026-11-22"}, "2026-11-18T00:00 2026-11-22T24:00", true},
		"from an evening":  {rules.Date{StartDate: "2026-11-19", StartTime: "23:00", EndDate: "2026-11-20"}, "2026-11-19T23:00 2026-11-20T24:00", true},
		"past midnight":    {rules.Date{StartDate: "2026-11-19", StartTime: "23:00", EndDate: "2026-11-20", EndTime: "04:00"}, "2026-11-19T23:00 2026-11-20T04:00", false},
		"another evening":  {rules.Date{StartDate: "2026-11-27", StartTime: "19:30", EndTime: "22:00"}, "2026-11-27T19:30 2026-11-27T22:00", false},
		"the whole season": {rules.Date{StartDate: "2026-01-01", StartTime: "10:00", EndDate: "2026-12-31", EndTime: "18:00"}, "2026-01-01T10:00 2026-12-31T18:00", true},
	} {
		period := test.date.Period()
		if got := period.Start + " " + period.End; got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
		if period.Overlaps(evening.Period()) != test.overlaps || evening.Period().Overlaps(period) != test.overlaps {
			t.Errorf("%s: overlaps %v", name, !test.overlaps)
		}
	}
}

// TestMoves tries every pair of release statuses (RULES.md, Release status).
func TestMoves(t *testing.T) {
	statuses := []string{"draft", "review", "released", "cancelled", "deferred", "rescheduled"}
	allowed := map[string]string{
		"draft":       "draft review released",
		"review":      "review released draft",
		"released":    "released cancelled deferred rescheduled draft",
		"cancelled":   "cancelled released draft",
		"deferred":    "deferred released draft",
		"rescheduled": "rescheduled released draft",
	}
	for _, from := range statuses {
		may := map[string]bool{}
		for _, to := range strings.Fields(allowed[from]) {
			may[to] = true
		}
		for _, to := range statuses {
			if rules.MayBecome(from, to) != may[to] {
				t.Errorf("from %s to %s: %v", from, to, !may[to])
			}
		}
	}
}
