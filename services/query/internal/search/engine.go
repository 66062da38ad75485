// Package search asks the engine: for pages of dates, for counts by type and genre, and for what the places are made of.
package search

import (
	"context"
	"fmt"
	"time"

	"github.com/meilisearch/meilisearch-go"

	"litfass/pkg/document"
	"litfass/pkg/fault"
	"litfass/pkg/index"
)

// notReady is how long a client is told to wait for indexes that are not there yet.
const notReady = 5 * time.Second

// Engine is a read node's engine as the query service sees it. It is safe for concurrent use. Its errors are Unavailable
// faults when the engine is down, too slow, not filled yet or does not let us; any other is our mistake.
type Engine struct {
	client  *index.Client
	timeout time.Duration
}

// NewEngine returns an engine whose every question ends after the timeout.
func NewEngine(client *index.Client, timeout time.Duration) *Engine {
	return &Engine{client: client, timeout: timeout}
}

// ask sends a search to the dates; see Search.
func (e *Engine) ask(ctx context.Context, request *meilisearch.SearchRequest) ([]byte, error) {
	return e.Search(ctx, document.Dates, request)
}

// Search sends a search to an index of package document and returns the engine's answer as it is.
func (e *Engine) Search(ctx context.Context, name string, request *meilisearch.SearchRequest) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	answer, err := e.client.Index(name).SearchRawWithContext(ctx, request.Query, request)
	if err != nil {
		return nil, describe("search "+name, err)
	}
	return *answer, nil
}

// describe turns an error of the engine's client into one that a client of ours may see.
func describe(doing string, err error) error {
	err = index.Fault(err)
	switch {
	case fault.Is(err, fault.Unavailable):
	case fault.Is(err, fault.NotFound), fault.Is(err, fault.Internal): // no such index yet; or our key is not known yet
		f := fault.Wrap(err, fault.Unavailable, "index_unavailable", "the search index is not ready yet")
		f.RetryAfter = notReady
		err = f
	case fault.Is(err, fault.Invalid): // never the fault of our client: what we ask is made by us
		err = fault.Wrap(err, fault.Internal, "", "something went wrong on our side")
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// Check returns nil when the engine answers searches.
func (e *Engine) Check(ctx context.Context) error {
	_, err := e.ask(ctx, &meilisearch.SearchRequest{Limit: 1, AttributesToRetrieve: []string{"date_uuid"}})
	return err
}

// documents reads all documents of an index that match a filter, in one piece: what is written meanwhile is either in it
// as a whole or not at all.
func documents[D any](ctx context.Context, e *Engine, index, filter string, attributes []string) ([]D, error) {
	const all = 10_000_000
	var page meilisearch.DocumentsResult
	query := &meilisearch.DocumentsQuery{Filter: filter, Fields: attributes, Limit: all}
	if err := e.client.Index(index).GetDocumentsWithContext(ctx, query, &page); err != nil {
		return nil, describe("read documents of "+index, err)
	}
	list := make([]D, len(page.Results))
	for i, hit := range page.Results {
		if err := hit.DecodeInto(&list[i]); err != nil {
			return nil, fmt.Errorf("decode a document of %s: %w", index, err)
		}
	}
	return list, nil
}
