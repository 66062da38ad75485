package search

import (
	"bytes"
	"context"

	"litfass/pkg/document"
	"litfass/pkg/fault"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/params"
)

// steps are how many dates of a search are looked through for a cursor, one step after the other:
// most cursors are found among the first.
var steps = []int{200, 1_000, 3_000, params.MaxOffset}

// behind returns how many dates stand before the first one behind the given one in the order of
// relevance. The steps are kept, so that a walk asks for each once while nothing changes. The error
// is the engine's, or the fault cursorGone.
func (s *Searcher) behind(ctx context.Context, p page, dateUUID string) (int, error) {
	p.offset, p.passed = 0, 0
	for _, end := range steps {
		p.limit = end - p.offset
		ids, err := s.kept.Answer(ctx, p.key("ids"), func(ctx context.Context) ([]byte, error) {
			return s.ids(ctx, p)
		})
		if err != nil {
			return 0, err
		}
		// A uuid begins at no place inside of two others: their hyphens would not fit.
		if at := bytes.Index(ids, []byte(dateUUID)); at >= 0 {
			return p.offset + at/idBytes + 1, nil
		}
		if len(ids)/idBytes < p.limit {
			break
		}
		p.offset = end
	}
	return 0, cursorGone()
}

// cursorGone says that a date is not where a cursor would find it, which happens when the catalogue
// changes during a walk, and beyond the dates that a search lists.
func cursorGone() error {
	f := fault.New(fault.Invalid, "cursor_gone", "the cursor's date is not among the first %d of the search any more",
		params.MaxOffset)
	f.Violations = []fault.Violation{
		{Field: "last_event_date_uuid", Reason: "is not found among them; begin the search again"},
	}
	return f
}

// idBytes is the length of a uuid.
const idBytes = 36

// ids returns the uuids of a page's dates in their order, without anything between them.
func (s *Searcher) ids(ctx context.Context, p page) ([]byte, error) {
	answer, err := s.engine.Search(ctx, document.Dates, p.question("date_uuid"))
	if err != nil {
		return nil, err
	}
	hits, err := engine.Hits(answer)
	if err != nil {
		return nil, err
	}
	ids := make([]byte, 0, len(hits)*idBytes)
	for _, hit := range hits {
		id, err := engine.Text(hit, "date_uuid")
		if err != nil || len(id) != idBytes {
			return nil, engine.ErrAnswer
		}
		ids = append(ids, id...)
	}
	return ids, nil
}
