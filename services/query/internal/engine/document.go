package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/meilisearch/meilisearch-go"
)

// Document decodes the given attributes of the document with this id, which must be safe in a path.
// found is false when there is none.
func (e *Engine) Document(ctx context.Context, name, id string, attributes []string, into any) (found bool, err error) {
	ctx, done, err := e.turn(ctx, e.lanes.lookups)
	if err != nil {
		return false, err
	}
	defer done()
	err = e.client.Index(name).GetDocumentWithContext(ctx, id, &meilisearch.DocumentQuery{Fields: attributes}, into)
	if missing(err) {
		return false, nil
	}
	if err != nil {
		return false, describe("read a document of "+name, err)
	}
	return true, nil
}

func missing(err error) bool {
	var failure *meilisearch.Error
	return errors.As(err, &failure) && failure.MeilisearchApiError.Code == "document_not_found"
}

// Documents returns the given attributes of all documents of an index that match a filter, in no
// order. It is one consistent read: a concurrent write is visible in full or not at all.
func Documents[D any](ctx context.Context, e *Engine, name, filter string, attributes []string) ([]D, error) {
	const all = 10_000_000
	ctx, done, err := e.turn(ctx, e.lanes.lookups)
	if err != nil {
		return nil, err
	}
	defer done()
	var page meilisearch.DocumentsResult
	query := &meilisearch.DocumentsQuery{Filter: filter, Fields: attributes, Limit: all}
	if err := e.client.Index(name).GetDocumentsWithContext(ctx, query, &page); err != nil {
		return nil, describe("read documents of "+name, err)
	}
	documents := make([]D, len(page.Results))
	for i, hit := range page.Results {
		if err := hit.DecodeInto(&documents[i]); err != nil {
			return nil, fmt.Errorf("decode a document of %s: %w", name, err)
		}
	}
	return documents, nil
}

// Version returns a text that differs after every change of an index; see index.Version.
func (e *Engine) Version(ctx context.Context, name string) (string, error) {
	ctx, done, err := e.turn(ctx, e.lanes.lookups)
	if err != nil {
		return "", err
	}
	defer done()
	version, err := e.client.Version(ctx, name)
	if err != nil {
		return "", describe("ask when "+name+" changed", err)
	}
	return version, nil
}
