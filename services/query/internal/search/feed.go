package search

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/params"
)

// Feed is a format in which a page of the event search is shown.
type Feed struct {
	// Key identifies everything that the text depends on besides the dates.
	Key string
	// Write returns the text that shows the dates. full means that more may follow.
	Write func(dates []Found, full bool) ([]byte, error)
}

// Found is a date that a search found.
type Found struct {
	Entry    publicapi.Entry
	Revision int64 // of the event
	// ChangedAt is the time of the event's last public change, RFC 3339; "" when it is not known.
	ChangedAt string
}

// Feed returns the page of the event search that a query asks for as a feed. It is cached like the
// payload of the search. It returns the errors of Events, and of writing.
func (s *Searcher) Feed(ctx context.Context, q params.Query, f Feed) (*encoded.Text, error) {
	p, err := s.page(ctx, q)
	if err != nil {
		return nil, err
	}
	if !p.matches {
		data, err := f.Write(nil, false)
		return encoded.New(data), err
	}
	page, err := cache.Get(ctx, s.cache, "feed", p.key("feed\x00"+f.Key), func(ctx context.Context) (*cache.Page, error) {
		return s.loadFeed(ctx, p, f)
	})
	if err != nil {
		return nil, err
	}
	return page.Payload.Text, nil
}

// loadFeed reads a page as a feed.
func (s *Searcher) loadFeed(ctx context.Context, p page, f Feed) (*cache.Page, error) {
	var dates []Found
	entries, err := s.entriesAfter(ctx, p, func(ctx context.Context, p page) (entries [][]byte, err error) {
		dates, entries, err = s.dates(ctx, p)
		return entries, err
	})
	if err != nil {
		return nil, err
	}
	rows, err := p.rowsOf(entries)
	if err != nil {
		return nil, err
	}
	dates = dates[len(dates)-len(entries):] // without those before the cursor
	full := len(rows) == p.limit
	text, err := f.Write(dates, full)
	if err != nil {
		return nil, err
	}
	loaded := p.cached()
	loaded.ShowsChange = true
	loaded.Payload = encoded.Payload{Text: encoded.New(text)}
	return cache.NewPage(loaded, rows, !full), nil
}

// These attributes hold the revision of a date's event, and the time of its last change, which
// documents of older versions lack.
const (
	revisionAttribute = "revision"
	changedAttribute  = "changed_at"
)

// dates returns the dates of a page with their entries.
func (s *Searcher) dates(ctx context.Context, p page) (dates []Found, entries [][]byte, err error) {
	attributes := []string{entryAttribute, revisionAttribute, changedAttribute}
	hits, err := s.hits(ctx, p, attributes...)
	if err == nil && slices.ContainsFunc(hits, lacksEntry) {
		hits, err = s.hits(ctx, p, slices.Concat(attributes, document.FormerEntryAttributes)...)
	}
	if err != nil {
		return nil, nil, err
	}
	if entries, err = entriesOf(hits); err != nil {
		return nil, nil, err
	}
	dates = make([]Found, len(hits))
	for i, hit := range hits {
		revision, err := engine.Member(hit, revisionAttribute)
		if err != nil {
			return nil, nil, err
		}
		if err := json.Unmarshal(revision, &dates[i].Revision); err != nil {
			return nil, nil, fmt.Errorf("decode the revision of a date: %w", err)
		}
		dates[i].ChangedAt, _ = engine.Text(hit, changedAttribute) // "" for none
		if err := json.Unmarshal(entries[i], &dates[i].Entry); err != nil {
			return nil, nil, fmt.Errorf("decode a date: %w", err)
		}
	}
	return dates, entries, nil
}
