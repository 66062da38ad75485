package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// near is the number of dates among which a cursor is first looked for: most cursors are there.
const near = 200

// offsetAfter returns the offset of the date that follows the given one in the order of relevance
// or of change. The error is the engine's, or the fault cursorGone.
func (s *Searcher) offsetAfter(ctx context.Context, p page, dateUUID string) (int, error) {
	p.offset, p.limit, p.passed = 0, near, 0
	first, err := cache.Get(ctx, s.cache, "ids", p.key("ids"), func(ctx context.Context) (*cache.Page, error) {
		hits, err := s.hits(ctx, p, "date_uuid")
		if err != nil {
			return nil, err
		}
		ids, err := uuidsIn(hits, "date_uuid")
		return &cache.Page{Criteria: p.criteria(), IDs: ids, ByChange: p.byChange}, err
	})
	if err != nil {
		return 0, err
	}
	// A uuid cannot match across two others: the hyphens would be in the wrong places.
	if at := strings.Index(first.IDs, dateUUID); at >= 0 {
		return at/uuidBytes + 1, nil
	}
	if len(first.IDs)/uuidBytes < near {
		return 0, cursorGone()
	}
	return s.farOffsetAfter(ctx, p, dateUUID)
}

// farOffsetAfter is offsetAfter for dates beyond the near ones. It is a binary search that compares
// the date with single others: the engine is slow at reading documents, not at ranking them.
func (s *Searcher) farOffsetAfter(ctx context.Context, p page, dateUUID string) (int, error) {
	single := p
	single.filter = filter.One(p.filter, dateUUID)
	wanted, found, err := s.rankAt(ctx, single, 0)
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
		case found && there.compare(wanted, p.byChange) < 0:
			low = middle + 1
		default:
			high = middle
		}
	}
	if low == params.MaxOffset {
		return 0, cursorFault("cursor_at_end", reason.CursorAtEnd(params.MaxOffset),
			"a search in this order lists its first %d dates only, and the cursor's date is not before the last of them", params.MaxOffset)
	}
	return 0, cursorGone()
}

// rank is the key of the orders of relevance and of change.
type rank struct {
	Score     float64 `json:"_rankingScore"`
	ChangedAt string  `json:"changed_at"`
	StartKey  int64   `json:"start_key"`
	DateUUID  string  `json:"date_uuid"`
}

// compare returns -1 if r comes before other, 1 if it comes after it, and 0 if they are equal.
func (r rank) compare(other rank, byChange bool) int {
	first := cmp.Compare(other.Score, r.Score)
	if byChange {
		first = cmp.Compare(other.ChangedAt, r.ChangedAt)
	}
	return cmp.Or(first, cmp.Compare(r.StartKey, other.StartKey), cmp.Compare(r.DateUUID, other.DateUUID))
}

// rankAt returns the rank of the date at an offset; found is false after the last one.
func (s *Searcher) rankAt(ctx context.Context, p page, offset int) (r rank, found bool, err error) {
	p.offset, p.limit = offset, 1
	q := p.question("start_key", "date_uuid", changedAttribute)
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

// cursorGone returns the fault for a cursor whose date is not found: the catalogue changed during a
// walk, or the date is beyond the results that a search lists.
func cursorGone() error {
	return cursorFault("cursor_gone", reason.CursorGone, "the cursor's date is not among the first %d of the search any more",
		params.MaxOffset)
}

func cursorFault(code string, why *reason.Reason, format string, arguments ...any) error {
	f := fault.New(fault.Invalid, code, format, arguments...)
	f.Violations = []fault.Violation{fault.Violate("last_event_date_uuid", why)}
	return f
}
