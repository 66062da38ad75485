package search

import (
	"context"
	"slices"
	"sync"

	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/engine"
)

// entryAttribute holds the entry of a date as JSON text.
var entryAttribute = document.EntryAttributes[0]

// scratches are buffers for entries before they are copied into a payload.
var scratches = sync.Pool{New: func() any { return new([]byte) }}

// entries returns the entries of a page's dates, which may be in scratch.
func (s *Searcher) entries(ctx context.Context, p page, scratch *[]byte) ([][]byte, error) {
	answer, err := s.engine.Search(ctx, document.Dates, p.question(document.EntryAttributes...))
	if err != nil {
		return nil, err
	}
	texts, grown, ok := engine.Texts(answer, entryAttribute, (*scratch)[:0])
	if *scratch = grown; ok {
		return texts, nil
	}
	hits, err := engine.Hits(answer)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(hits, lacksEntry) {
		if hits, err = s.hits(ctx, p, slices.Concat(document.EntryAttributes, document.FormerEntryAttributes)...); err != nil {
			return nil, err
		}
	}
	return entriesOf(hits)
}

func (s *Searcher) hits(ctx context.Context, p page, attributes ...string) ([][]byte, error) {
	answer, err := s.engine.Search(ctx, document.Dates, p.question(attributes...))
	if err != nil {
		return nil, err
	}
	return engine.Hits(answer)
}

// lacksEntry reports whether a date's document has no entry as JSON text, as in document.Version 3.
// Until the projector has rebuilt the index, a search asks twice.
func lacksEntry(hit []byte) bool {
	_, err := engine.Member(hit, entryAttribute)
	return err != nil
}

// entriesOf returns the entries of hits; a hit of Version 3 is the entry.
func entriesOf(hits [][]byte) (entries [][]byte, err error) {
	entries = make([][]byte, len(hits))
	for i, hit := range hits {
		text, err := engine.Member(hit, entryAttribute)
		if err != nil {
			entries[i] = hit
			continue
		}
		if entries[i], err = engine.AppendText(nil, text); err != nil {
			return nil, err
		}
	}
	return entries, nil
}
