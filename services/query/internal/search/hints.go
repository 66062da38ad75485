package search

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/params"
)

// hints returns the payload of a first page without entries: alternatives to a query that finds
// nothing.
func (s *Searcher) hints(ctx context.Context, q params.Query, nothing selection) (encoded.Payload, error) {
	alternatives, err := s.relax(ctx, q)
	if err != nil {
		return encoded.Payload{}, err
	}
	key := hintsKey(q, nothing, alternatives)
	hints, err := cache.Get(ctx, s.cache, "hints", key, func(ctx context.Context) (*cache.Hints, error) {
		return s.loadHints(ctx, q, nothing, alternatives)
	})
	if err != nil {
		return encoded.Payload{}, err
	}
	return hints.Payload, nil
}

// alternative is a query without one of its conditions.
type alternative struct {
	selection
	parameters []string // of the condition
}

// isUnworded reports whether the words are the condition left out.
func (r alternative) isUnworded() bool { return r.parameters[0] == "search" }

// relax returns a query without each of its conditions.
func (s *Searcher) relax(ctx context.Context, q params.Query) (all []alternative, err error) {
	for _, c := range conditions {
		if !c.given(q) {
			continue
		}
		less := q
		c.drop(&less)
		selected, err := s.compile(ctx, less)
		if err != nil {
			return nil, err
		}
		all = append(all, alternative{selected, c.parameters})
	}
	return all, nil
}

func hintsKey(q params.Query, nothing selection, alternatives []alternative) cache.Key {
	var written strings.Builder
	fmt.Fprintf(&written, "hints\x00%s\x00%t\x00%t\x00%t\x00%s", q.Search, q.Grouped, q.Total, nothing.matches, nothing.filter)
	for _, r := range alternatives {
		fmt.Fprintf(&written, "\x00%v\x00%t\x00%s", r.parameters, r.matches, r.filter)
	}
	return sha256.Sum256([]byte(written.String()))
}

func (s *Searcher) loadHints(
	ctx context.Context, q params.Query, nothing selection, alternatives []alternative,
) (*cache.Hints, error) {
	h := &cache.Hints{Search: nothing.criteria()}
	var err error
	if h.Relaxed, err = s.countRelaxed(ctx, alternatives, q.Grouped); err != nil {
		return nil, err
	}
	spelling := ""
	for i, r := range alternatives {
		if !r.isUnworded() {
			continue
		}
		h.Unworded = &h.Relaxed[i].Criteria
		if h.Relaxed[i].Total > 0 && nothing.matches {
			if spelling, err = s.respell(ctx, nothing.filter, strings.Fields(q.Search)); err != nil {
				return nil, err
			}
		}
	}
	h.Encode = func(relaxed []*cache.Tally) ([]byte, error) {
		return encodeHints(alternatives, relaxed, spelling, q.Total)
	}
	data, err := h.Encode(h.Relaxed)
	if err != nil {
		return nil, err
	}
	h.Payload = encoded.NewPayload(data)
	return h, nil
}

// encodeHints writes the payload of a search that finds nothing, with the alternatives that find
// something.
func encodeHints(alternatives []alternative, counts []*cache.Tally, spelling string, total bool) ([]byte, error) {
	hints := publicapi.Hints{Without: []publicapi.Relaxed{}, Search: value.Text(spelling)}
	for i, r := range alternatives {
		if counts[i].Total > 0 {
			hints.Without = append(hints.Without, publicapi.Relaxed{Parameters: r.parameters, Count: counts[i].Total})
		}
	}
	slices.SortStableFunc(hints.Without, func(a, b publicapi.Relaxed) int { return cmp.Compare(b.Count, a.Count) })
	nothingFound := publicapi.Events{Events: []publicapi.Listed{}, Hints: &hints}
	if total {
		nothingFound.Total = new(0)
	}
	data, err := value.JSON(nothingFound)
	if err != nil {
		return nil, fmt.Errorf("encode hints: %w", err)
	}
	return data, nil
}

// countRelaxed counts the dates or events that each relaxed query finds.
func (s *Searcher) countRelaxed(ctx context.Context, alternatives []alternative, events bool) ([]*cache.Tally, error) {
	relaxed := make([]selection, len(alternatives))
	for i, r := range alternatives {
		relaxed[i] = r.selection
	}
	var totals []int
	version, err := s.versions.of(func() (err error) {
		totals, err = s.totals(ctx, relaxed, events)
		return err
	})
	if err != nil {
		return nil, err
	}
	tallies := make([]*cache.Tally, len(alternatives))
	for i, r := range alternatives {
		tallies[i] = &cache.Tally{Criteria: r.criteria(), Grouped: events, Total: totals[i], Version: version}
	}
	return tallies, nil
}
