package search

import (
	"encoding/json"
	"testing"

	"litfass/pkg/applied"
	"litfass/services/query/internal/delta"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// TestTheFirstDateIsCounted: the engine says nothing of attributes that no date has.
func TestTheFirstDateIsCounted(t *testing.T) {
	t.Parallel()
	nothing := &tally{found: found{expr: filter.Simplify(filter.Dates(params.Query{}, filter.Places{}))}, version: "1"}
	batch := delta.New(applied.Batch{Dates: []applied.Date{{ID: "d", After: applied.Attributes{
		"genre_ids": json.RawMessage(`[7]`), "type_ids": json.RawMessage(`[1,2]`),
	}}}}, "1", "2")
	counted, ok := nothing.After(batch).(*tally)
	if !ok || counted.total != 1 || counted.genres[7] != 1 || counted.types[1] != 1 || counted.types[2] != 1 || nothing.total != 0 {
		t.Errorf("%+v", counted)
	}
}
