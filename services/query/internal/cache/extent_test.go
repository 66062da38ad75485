package cache

import (
	"encoding/json"
	"testing"

	"litfass/pkg/contracts/applied"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// TestExtentsFollowTheirDates: the days of a search are asked for again once one of its dates is
// another, comes or goes, and not for others.
func TestExtentsFollowTheirDates(t *testing.T) {
	t.Parallel()
	of := NewCriteria(filter.Simplify(filter.Dates(params.Query{SeriesUUIDs: []string{"fest"}}, filter.Places{})), "", "")
	extent := &Extent{Criteria: of, First: "2026-11-20", Last: "2026-11-22", Dates: 3}
	dated := func(series, day string) applied.Attributes {
		return applied.Attributes{"series_uuids": json.RawMessage(`["` + series + `"]`), "start_day": json.RawMessage(day), "end_day": json.RawMessage(day)}
	}
	for _, test := range []struct {
		what   string
		date   applied.Date
		reason Reason
	}{
		{"another day", applied.Date{ID: "d", Before: dated("fest", "20261120"), After: dated("fest", "20261119")}, Altered},
		{"it comes", applied.Date{ID: "d", Before: dated("run", "20261120"), After: dated("fest", "20261120")}, Altered},
		{"it goes", applied.Date{ID: "d", Before: dated("fest", "20261120")}, Altered},
		{"of another series", applied.Date{ID: "d", Before: dated("run", "20261120"), After: dated("run", "20261119")}, ""},
	} {
		next, reason := extent.Apply(NewBatch(applied.Batch{Dates: []applied.Date{test.date}}, "1", "2"))
		if reason != test.reason || (next == nil) != (test.reason == Altered) {
			t.Errorf("%s: %v, %q; want %q", test.what, next, reason, test.reason)
		}
	}
}
