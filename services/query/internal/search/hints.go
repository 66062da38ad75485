package search

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
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
	for _, r := range alternatives {
		criteria := r.criteria()
		h.Relaxed = append(h.Relaxed, criteria)
		if r.isUnworded() {
			h.Unworded = &criteria
		}
	}
	counts, wordsMatter, err := s.countRelaxed(ctx, alternatives, q.Grouped)
	if err != nil {
		return nil, err
	}
	hints := publicapi.Hints{Without: counts}
	if wordsMatter && nothing.matches {
		spelling, err := s.respell(ctx, nothing.filter, strings.Fields(q.Search))
		if err != nil {
			return nil, err
		}
		hints.Search = value.Text(spelling)
	}
	nothingFound := publicapi.Events{Events: []publicapi.Listed{}, Hints: &hints}
	if q.Total {
		nothingFound.Total = new(0)
	}
	data, err := value.JSON(nothingFound)
	if err != nil {
		return nil, fmt.Errorf("encode hints: %w", err)
	}
	h.Payload = encoded.NewPayload(data)
	return h, nil
}

// countRelaxed counts the dates or events that relaxed queries find. wordsMatter is true if the one
// without words finds some.
func (s *Searcher) countRelaxed(
	ctx context.Context, alternatives []alternative, events bool,
) (list []publicapi.Relaxed, wordsMatter bool, err error) {
	alternatives = slices.DeleteFunc(slices.Clone(alternatives), func(r alternative) bool { return !r.matches })
	list = []publicapi.Relaxed{}
	if len(alternatives) == 0 {
		return list, false, nil
	}
	questions := make([]engine.Counting, len(alternatives))
	for i, r := range alternatives {
		questions[i] = engine.Counting{Filter: r.filter, Words: r.words}
		if events {
			questions[i].Distinct = cache.EventAttribute
		}
	}
	counts, err := s.engine.Count(ctx, document.Dates, questions...)
	if err != nil {
		return nil, false, err
	}
	for i, r := range alternatives {
		if counts[i].Total == 0 {
			continue
		}
		wordsMatter = wordsMatter || r.isUnworded()
		list = append(list, publicapi.Relaxed{Parameters: r.parameters, Count: counts[i].Total})
	}
	slices.SortStableFunc(list, func(a, b publicapi.Relaxed) int { return cmp.Compare(b.Count, a.Count) })
	return list, wordsMatter, nil
}
