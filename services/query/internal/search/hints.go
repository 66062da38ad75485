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
	"litfass/services/query/internal/delta"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/fresh"
	"litfass/services/query/internal/params"
)

// isFirst reports whether a query asks for a page from the first entry on.
func isFirst(q params.Query) bool { return q.Offset == 0 && q.After == nil }

// hinted returns the payload of a first page on which nothing is found, with what may help.
func (s *Searcher) hinted(ctx context.Context, q params.Query, c compiled) (encoded.Payload, error) {
	less, err := s.lesser(ctx, q)
	if err != nil {
		return encoded.Payload{}, err
	}
	key := hintsKey(q, c, less)
	kept, err := fresh.Answer(ctx, s.kept, "hints", key, func(ctx context.Context) (*hints, error) {
		return s.readHints(ctx, q, c, less)
	})
	if err != nil {
		return encoded.Payload{}, err
	}
	return kept.Payload, nil
}

// lesser are the queries with one condition less.
type lesser struct {
	parameters []string
	words      string
	compiled
}

// isWithoutWords reports whether the words are what is left out.
func (l lesser) isWithoutWords() bool { return l.parameters[0] == "search" }

func (s *Searcher) lesser(ctx context.Context, q params.Query) (all []lesser, err error) {
	for _, c := range conditions {
		if !c.given(q) {
			continue
		}
		less := q
		c.drop(&less)
		l := lesser{parameters: c.parameters, words: less.Search}
		if l.compiled, err = s.compile(ctx, less); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

func hintsKey(q params.Query, c compiled, less []lesser) fresh.Key {
	var written strings.Builder
	fmt.Fprintf(&written, "hints\x00%s\x00%t\x00%t\x00%s", q.Search, q.Grouped, c.matches, c.filter)
	for _, l := range less {
		fmt.Fprintf(&written, "\x00%v\x00%t\x00%s", l.parameters, l.matches, l.filter)
	}
	return sha256.Sum256([]byte(written.String()))
}

// hints are kept with what they depend on.
type hints struct {
	encoded.Payload
	nothing found // what the search asks for
	less    []found
	// texts is what is found without the words, in whose texts a spelling was looked for.
	texts *found
	bytes int
}

// Size counts the payload and the expressions.
func (h *hints) Size() int { return h.bytes + h.Payload.Size() }

// After returns the hints themselves, or nil when the batch may alter them.
func (h *hints) After(batch *delta.Batch) fresh.Kept {
	if batch.All {
		return nil
	}
	for i := range batch.Dates {
		d := &batch.Dates[i]
		if h.nothing.differs(d) || slices.ContainsFunc(h.less, func(f found) bool { return f.differs(d) }) {
			return nil
		}
		if h.texts != nil && (d.Reworded || d.Shown) && (h.texts.find(d.Before) || h.texts.find(d.After)) {
			return nil
		}
	}
	return h
}

// differs reports whether a date may be found before a batch and not after it, or the other way
// round.
func (f found) differs(d *delta.Date) bool {
	was, is := f.find(d.Before), f.find(d.After)
	return was != is || (was && !f.unmoved(d))
}

func (s *Searcher) readHints(ctx context.Context, q params.Query, c compiled, less []lesser) (*hints, error) {
	h := &hints{nothing: c.found(q.Search)}
	h.bytes = h.nothing.bytes
	for _, l := range less {
		f := l.found(l.words)
		h.bytes += f.bytes
		h.less = append(h.less, f)
		if l.isWithoutWords() {
			h.texts = &f
		}
	}
	relaxed, wordsMatter, err := s.countWithout(ctx, less, q.Grouped)
	if err != nil {
		return nil, err
	}
	found := publicapi.Hints{Without: relaxed}
	if wordsMatter && c.matches {
		spelling, err := s.respell(ctx, c.filter, strings.Fields(q.Search))
		if err != nil {
			return nil, err
		}
		found.Search = value.Text(spelling)
	}
	data, err := value.JSON(publicapi.Events{Events: []publicapi.Listed{}, Hints: &found})
	if err != nil {
		return nil, fmt.Errorf("encode hints: %w", err)
	}
	h.Payload = encoded.NewPayload(data)
	return h, nil
}

// countWithout counts what would be found with each condition left out. wordsMatter says that
// something would be found without the words.
func (s *Searcher) countWithout(
	ctx context.Context, less []lesser, events bool,
) (relaxed []publicapi.Relaxed, wordsMatter bool, err error) {
	less = slices.DeleteFunc(slices.Clone(less), func(l lesser) bool { return !l.matches })
	relaxed = []publicapi.Relaxed{}
	if len(less) == 0 {
		return relaxed, false, nil
	}
	questions := make([]engine.Counting, len(less))
	for i, l := range less {
		questions[i] = engine.Counting{Filter: l.filter, Words: l.words}
		if events {
			questions[i].Distinct = eventAttribute
		}
	}
	counts, err := s.engine.Count(ctx, document.Dates, questions...)
	if err != nil {
		return nil, false, err
	}
	for i, l := range less {
		if counts[i].Total == 0 {
			continue
		}
		wordsMatter = wordsMatter || l.isWithoutWords()
		relaxed = append(relaxed, publicapi.Relaxed{Parameters: l.parameters, Count: counts[i].Total})
	}
	slices.SortStableFunc(relaxed, func(a, b publicapi.Relaxed) int { return cmp.Compare(b.Count, a.Count) })
	return relaxed, wordsMatter, nil
}
