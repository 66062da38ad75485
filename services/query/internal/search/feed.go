package search

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

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

// Feed returns the page of the event search that a query asks for as a feed. Its dates are cached
// like the payload of the search, and the feed for as long as these stay as they are. It returns
// the errors of Events, and of writing.
func (s *Searcher) Feed(ctx context.Context, q params.Query, f Feed) (*encoded.Text, error) {
	p, err := s.page(ctx, q)
	if err != nil {
		return nil, err
	}
	if !p.matches {
		data, err := f.Write(nil, false)
		return encoded.New(data), err
	}
	page, err := cache.Get(ctx, s.cache, "feed", p.key("feed"), func(ctx context.Context) (*cache.Page, error) {
		return s.loadFeed(ctx, p)
	})
	if err != nil {
		return nil, err
	}
	payload := page.PayloadIn(q.TextLang)
	key := sha256.Sum256(fmt.Appendf(nil, "%x\x00%s\x00%s", p.key("feed"), payload.Tag(), f.Key))
	text, err := cache.Get(ctx, s.cache, "feed-text", key, func(context.Context) (*cache.Text, error) {
		data, err := writeFeed(payload, page.Limit, f)
		return &cache.Text{Payload: encoded.Payload{Text: encoded.New(data)}}, err
	})
	if err != nil {
		return nil, err
	}
	return text.Text, nil
}

// loadFeed reads a page with the dates of a feed as its payload.
func (s *Searcher) loadFeed(ctx context.Context, p page) (*cache.Page, error) {
	var versions []cache.Version
	wide, err := s.narrowed(ctx, p.withSpares())
	if err != nil {
		return nil, err
	}
	entries, err := s.entriesAfter(ctx, wide, func(ctx context.Context, p page) (entries [][]byte, err error) {
		versions, entries, err = s.dates(ctx, p)
		return entries, err
	})
	if err != nil {
		return nil, err
	}
	order, err := wide.ordered(entries)
	if err != nil {
		return nil, err
	}
	rows, err := p.rowsOf(arranged(entries, order))
	if err != nil {
		return nil, err
	}
	versions = arranged(versions[len(versions)-len(rows):], order) // without those before the cursor
	for i := range rows {
		rows[i].Version = versions[i]
	}
	loaded := p.cached()
	loaded.ShowsChange, loaded.Encode = true, encodeFeed
	return cache.NewPage(loaded, rows, len(rows) < wide.limit), nil
}

// encodeFeed writes the dates of a feed: a list of entries with their versions.
func encodeFeed(_ *cache.Page, rows []cache.Row) (data []byte, members []cache.Span) {
	data, members = append(data, '['), make([]cache.Span, len(rows))
	for i, row := range rows {
		if i > 0 {
			data = append(data, ',')
		}
		data = append(data, `{"event_revision":`...)
		data = strconv.AppendInt(data, row.Revision, 10)
		data = strconv.AppendQuote(append(data, `,"event_changed_at":`...), row.ChangedAt)
		data = append(data, ',')
		from := len(data)
		data = append(data, row.Members...)
		members[i] = cache.Span{From: uint32(from), To: uint32(len(data))} //nolint:gosec // a page has far less than 4 GB
	}
	return append(data, ']'), members
}

// writeFeed writes a page of at most limit dates as a feed.
func writeFeed(payload encoded.Payload, limit int, f Feed) ([]byte, error) {
	var shown []struct {
		publicapi.Entry
		Revision  int64  `json:"event_revision"`
		ChangedAt string `json:"event_changed_at"`
	}
	if err := payload.Decode(&shown); err != nil {
		return nil, fmt.Errorf("decode the dates of a feed: %w", err)
	}
	dates := make([]Found, len(shown))
	for i, date := range shown {
		dates[i] = Found{Entry: date.Entry, Revision: date.Revision, ChangedAt: date.ChangedAt}
	}
	return f.Write(dates, len(dates) == limit)
}

// These attributes hold the revision of a date's event, and the time of its last change, which
// documents of older versions lack.
const (
	revisionAttribute = "revision"
	changedAttribute  = "changed_at"
)

// dates returns the entries of a page's dates with the versions of their events.
func (s *Searcher) dates(ctx context.Context, p page) (versions []cache.Version, entries [][]byte, err error) {
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
	versions = make([]cache.Version, len(hits))
	for i, hit := range hits {
		revision, err := engine.Member(hit, revisionAttribute)
		if err != nil {
			return nil, nil, err
		}
		if err := json.Unmarshal(revision, &versions[i].Revision); err != nil {
			return nil, nil, fmt.Errorf("decode the revision of a date: %w", err)
		}
		versions[i].ChangedAt, _ = engine.Text(hit, changedAttribute) // "" for none
	}
	return versions, entries, nil
}
