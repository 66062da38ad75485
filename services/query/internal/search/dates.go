package search

import (
	"context"
	"strconv"

	"github.com/meilisearch/meilisearch-go"

	"litfass/pkg/document"
)

// Page is a page of dates to search for.
type Page struct {
	Filter string // compiled; "" for all
	Words  string
	// ByStart orders by start, then date; else words order by relevance, then the same.
	ByStart bool
	Offset  int
	Limit   int
}

// byStart is the order of the dates: all-day dates come first, as 00:00 (decisions.md, Public search).
var byStart = []string{"start_key:asc", "date_uuid:asc"}

// Dates returns the payload of the event search: the entries with their rank, and what the next page begins after.
func (e *Engine) Dates(ctx context.Context, page Page) ([]byte, error) {
	request := &meilisearch.SearchRequest{
		Query:                page.Words,
		MatchingStrategy:     meilisearch.All,
		AttributesToRetrieve: document.EntryAttributes,
		Offset:               int64(page.Offset),
		Limit:                int64(page.Limit),
	}
	if page.Filter != "" {
		request.Filter = page.Filter
	}
	if page.ByStart {
		request.Sort = byStart
	}
	answer, err := e.ask(ctx, request)
	if err != nil {
		return nil, err
	}
	return payload(answer, page.Offset)
}

// NoDates is the payload of an answer without entries.
func NoDates() []byte {
	return []byte(`{"events":[],"last_event_date_uuid":null,"last_event_start_at":null}`)
}

// payload writes the hits of an answer as entries. Their own bytes are copied as they are, behind their rank.
func payload(answer []byte, offset int) ([]byte, error) {
	hits, err := findHits(answer)
	if err != nil {
		return nil, err
	}
	if len(hits) == 0 {
		return NoDates(), nil
	}
	const rankBytes, lastBytes = len(`{"search_rank":10200,,`), 160
	data := make([]byte, 0, len(answer)+len(hits)*rankBytes+lastBytes)
	data = append(data, `{"events":[`...)
	for i, hit := range hits {
		if i > 0 {
			data = append(data, ',')
		}
		data = append(data, `{"search_rank":`...)
		data = strconv.AppendInt(data, int64(offset+i+1), 10)
		data = append(data, ',')
		data = append(data, hit[1:]...)
	}
	return appendLast(data, hits[len(hits)-1])
}

// appendLast ends the payload with the place of its last entry. A uuid, a date and a time stand in JSON as they are.
func appendLast(data, hit []byte) ([]byte, error) {
	var last [3]string
	for i, name := range [3]string{`"date_uuid"`, `"start_date"`, `"start_time"`} {
		value, err := member(hit, name)
		if err != nil || len(value) < 2 || value[0] != '"' {
			return nil, errAnswer
		}
		last[i] = string(value[1 : len(value)-1])
	}
	data = append(data, `],"last_event_date_uuid":"`...)
	data = append(data, last[0]...)
	data = append(data, `","last_event_start_at":"`...)
	data = append(data, last[1]...)
	data = append(data, 'T')
	data = append(data, last[2]...)
	return append(data, `"}`...), nil
}
