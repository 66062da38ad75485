package search

import (
	"encoding/json"
	"testing"

	"litfass/pkg/contracts/applied"
	"litfass/services/query/internal/delta"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// TestTheFirstDateIsCounted: the engine says nothing of attributes that no date has.
func TestTheFirstDateIsCounted(t *testing.T) {
	t.Parallel()
	every := found{expr: filter.Simplify(filter.Dates(params.Query{}, filter.Places{}))}
	nothing := &tally{found: every, version: "1", parts: []part{
		{found: every, attributes: []string{"genre_ids"}, counts: make([]map[string]int, 1)},
		{found: every, attributes: []string{"type_ids"}, counts: make([]map[string]int, 1)},
	}}
	batch := delta.New(applied.Batch{Dates: []applied.Date{{ID: "d", After: applied.Attributes{
		"genre_ids": json.RawMessage(`[7]`), "type_ids": json.RawMessage(`[1,2]`),
	}}}}, "1", "2")
	counted, ok := nothing.After(batch).(*tally)
	if !ok || counted.total != 1 || nothing.total != 0 {
		t.Fatalf("%+v", counted)
	}
	genres, types := counted.parts[0].counts[0], counted.parts[1].counts[0]
	if genres["7"] != 1 || types["1"] != 1 || types["2"] != 1 {
		t.Errorf("%+v", counted)
	}
}
