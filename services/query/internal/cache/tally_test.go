package cache

import (
	"encoding/json"
	"testing"

	"litfass/pkg/contracts/applied"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// TestTheFirstDateIsCounted: the engine omits attributes that no date has.
func TestTheFirstDateIsCounted(t *testing.T) {
	t.Parallel()
	every := NewCriteria(filter.Simplify(filter.Dates(params.Query{}, filter.Places{})), "", "")
	empty := &Tally{Criteria: every, Version: "1", Facets: []Facet{
		{Criteria: every, Attributes: []string{"genre_ids"}, Counts: make([]map[string]int, 1)},
		{Criteria: every, Attributes: []string{"type_ids"}, Counts: make([]map[string]int, 1)},
	}}
	batch := NewBatch(applied.Batch{Dates: []applied.Date{{ID: "d", After: applied.Attributes{
		"genre_ids": json.RawMessage(`[7]`), "type_ids": json.RawMessage(`[1,2]`),
	}}}}, "1", "2")
	next, _ := empty.Apply(batch)
	patched, ok := next.(*Tally)
	if !ok || patched.Total != 1 || empty.Total != 0 {
		t.Fatalf("%+v", patched)
	}
	genres, types := patched.Facets[0].Counts[0], patched.Facets[1].Counts[0]
	if genres["7"] != 1 || types["1"] != 1 || types["2"] != 1 {
		t.Errorf("%+v", patched)
	}
}
