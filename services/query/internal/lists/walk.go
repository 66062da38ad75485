package lists

import (
	"context"
	"encoding/json"
	"fmt"

	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
)

// EventsAfter returns at most limit public events, in the order of their ids, after the given one;
// "" for the first ones. A walk sees every event once that is public from its start to its end.
func (r *Reader) EventsAfter(ctx context.Context, after string, limit int) ([]EventRecord, error) {
	if after != "" {
		after = document.EntityID(after)
	}
	q := engine.Question{Sort: []string{"id:asc"}, Attributes: []string{"view", "revision", "changed_at"}, Limit: limit}
	q.Filter, _ = filter.Compile(filter.After(filter.Existing(), after))
	answer, err := r.engine.Search(ctx, document.Events, q)
	if err != nil {
		return nil, err
	}
	var found struct {
		Hits []struct {
			View      document.Encoded[publicapi.Event] `json:"view"`
			Revision  int64                             `json:"revision"`
			ChangedAt string                            `json:"changed_at"`
		} `json:"hits"`
	}
	if err := json.Unmarshal(answer, &found); err != nil {
		return nil, fmt.Errorf("decode events: %w", err)
	}
	events := make([]EventRecord, len(found.Hits))
	for n, hit := range found.Hits {
		events[n] = EventRecord{hit.View.Value, hit.Revision, hit.ChangedAt}
	}
	return events, nil
}
