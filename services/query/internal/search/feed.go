package search

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/fresh"
	"litfass/services/query/internal/params"
)

// Feed is a way to show a page of the event search.
type Feed struct {
	// Key names all that the text depends on besides the dates.
	Key string
	// Write returns the text that shows the dates. full says that there may be more behind them.
	Write func(dates []Found, full bool) ([]byte, error)
}

// Found is a date that a search has found.
type Found struct {
	Entry    publicapi.Entry
	Revision int64 // of the event
}

// Feed returns the page of the event search that a query asks for, in the form of a feed. It is
// kept and dropped as the search's own answer is. The errors are those of Events, and of writing.
func (s *Searcher) Feed(ctx context.Context, q params.Query, f Feed) (*encoded.Text, error) {
	p, c, err := s.page(ctx, q)
	if err != nil {
		return nil, err
	}
	if !c.matches {
		data, err := f.Write(nil, false)
		return encoded.New(data), err
	}
	kept, err := fresh.Answer(ctx, s.kept, "feed", p.key("feed\x00"+f.Key), func(ctx context.Context) (*listing, error) {
		return s.readFeed(ctx, p, f)
	})
	if err != nil {
		return nil, err
	}
	return kept.payload.Text, nil
}

// readFeed returns a page as a feed.
func (s *Searcher) readFeed(ctx context.Context, p page, f Feed) (*listing, error) {
	var dates []Found
	entries, err := s.entriesAfter(ctx, p, func(ctx context.Context, p page) (entries [][]byte, err error) {
		dates, entries, err = s.found(ctx, p)
		return entries, err
	})
	if err != nil {
		return nil, err
	}
	dates = dates[len(dates)-len(entries):] // without those that were read to find where the page begins
	l := &listing{found: p.found(), entries: true, byStart: p.byStart, full: len(entries) == p.limit, after: p.after}
	if len(entries) > 0 {
		if l.first, err = placeIn(entries[0]); err != nil {
			return nil, err
		}
		if l.last, err = placeIn(entries[len(entries)-1]); err != nil {
			return nil, err
		}
	}
	if l.ids, err = idsIn(entries); err != nil {
		return nil, err
	}
	if p.grouped {
		for _, date := range dates {
			l.events = append(l.events, date.Entry.UUID...)
		}
	}
	text, err := f.Write(dates, l.full)
	l.payload = encoded.Payload{Text: encoded.New(text)}
	return l, err
}

// found returns the dates of a page with their entries.
func (s *Searcher) found(ctx context.Context, p page) (dates []Found, entries [][]byte, err error) {
	hits, err := s.hits(ctx, p, entryAttribute, revisionAttribute)
	if err == nil && slices.ContainsFunc(hits, lacksEntry) {
		hits, err = s.hits(ctx, p, slices.Concat([]string{entryAttribute, revisionAttribute}, document.FormerEntryAttributes)...)
	}
	if err != nil {
		return nil, nil, err
	}
	dates, entries = make([]Found, len(hits)), make([][]byte, len(hits))
	for i, hit := range hits {
		if dates[i], entries[i], err = foundIn(hit); err != nil {
			return nil, nil, err
		}
	}
	return dates, entries, nil
}

// revisionAttribute holds the revision of a date's event.
const revisionAttribute = "revision"

// foundIn returns what a hit shows, and its entry.
func foundIn(hit []byte) (found Found, entry []byte, err error) {
	entries, err := entriesOf([][]byte{hit})
	if err != nil {
		return found, nil, err
	}
	revision, err := engine.Member(hit, revisionAttribute)
	if err != nil {
		return found, nil, err
	}
	if err := json.Unmarshal(revision, &found.Revision); err != nil {
		return found, nil, fmt.Errorf("decode the revision of a date: %w", err)
	}
	if err := json.Unmarshal(entries[0], &found.Entry); err != nil {
		return found, nil, fmt.Errorf("decode a date: %w", err)
	}
	return found, entries[0], nil
}
