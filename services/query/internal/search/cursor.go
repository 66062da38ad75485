package search

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/fresh"
	"litfass/services/query/internal/params"
)

// near is how many dates of a search are looked through for a cursor at once: most stand among
// them.
const near = 200

// behind returns how many dates stand before the first one behind the given one in the order of
// relevance. The error is the engine's, or the fault cursorGone.
func (s *Searcher) behind(ctx context.Context, p page, dateUUID string) (int, error) {
	p.offset, p.limit, p.passed = 0, near, 0
	kept, err := fresh.Answer(ctx, s.kept, "ids", p.key("ids"), func(ctx context.Context) (*listing, error) {
		ids, err := s.ids(ctx, p)
		return &listing{found: p.found(), ids: ids}, err
	})
	if err != nil {
		return 0, err
	}
	ids := kept.ids
	// A uuid begins at no place inside of two others: their hyphens would not fit.
	if at := bytes.Index(ids, []byte(dateUUID)); at >= 0 {
		return at/idBytes + 1, nil
	}
	if len(ids)/idBytes < near {
		return 0, cursorGone()
	}
	return s.farBehind(ctx, p, dateUUID)
}

// farBehind is behind for dates that are not near. It halves the places where the date can stand by
// comparing it with single dates: to the engine, what is expensive is not the order but each
// document that it reads.
func (s *Searcher) farBehind(ctx context.Context, p page, dateUUID string) (int, error) {
	alone := p
	alone.filter = filter.One(p.filter, dateUUID)
	wanted, found, err := s.rankAt(ctx, alone, 0)
	if err != nil {
		return 0, err
	}
	if !found {
		return 0, cursorGone()
	}
	low, high := near, params.MaxOffset
	for low < high {
		middle := (low + high) / 2
		there, found, err := s.rankAt(ctx, p, middle)
		switch {
		case err != nil:
			return 0, err
		case found && there.DateUUID == dateUUID:
			return middle + 1, nil
		case found && there.before(wanted):
			low = middle + 1
		default:
			high = middle
		}
	}
	return 0, cursorGone()
}

// rank is what the order of relevance compares.
type rank struct {
	Score    float64 `json:"_rankingScore"`
	StartKey int64   `json:"start_key"`
	DateUUID string  `json:"date_uuid"`
}

func (r rank) before(other rank) bool {
	return cmp.Or(
		cmp.Compare(other.Score, r.Score), cmp.Compare(r.StartKey, other.StartKey),
		cmp.Compare(r.DateUUID, other.DateUUID),
	) < 0
}

// rankAt returns the rank of the date at a place of a search; found is false behind the last one.
func (s *Searcher) rankAt(ctx context.Context, p page, place int) (r rank, found bool, err error) {
	p.offset, p.limit = place, 1
	q := p.question("start_key", "date_uuid")
	q.Scores = true
	answer, err := s.engine.Search(ctx, document.Dates, q)
	if err != nil {
		return rank{}, false, err
	}
	hits, err := engine.Hits(answer)
	if err != nil || len(hits) == 0 {
		return rank{}, false, err
	}
	if err := json.Unmarshal(hits[0], &r); err != nil {
		return rank{}, false, fmt.Errorf("decode the rank of a date: %w", err)
	}
	return r, true, nil
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
	return idsIn(hits)
}

// idsIn returns the uuids of hits, or of entries.
func idsIn(hits [][]byte) ([]byte, error) {
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
