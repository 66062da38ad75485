package search

import (
	"context"
	"errors"

	"github.com/meilisearch/meilisearch-go"

	"litfass/pkg/index"
)

// Document decodes the given attributes of the document with this id, which must be safe in a path. found is false when
// there is none.
func (e *Engine) Document(ctx context.Context, name, id string, attributes []string, into any) (found bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
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

// Documents calls each for the given attributes of every document that matches the filter, in no order.
func (e *Engine) Documents(ctx context.Context, name, filter string, attributes []string, each func(index.Document) error) error {
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	found, err := documents[index.Document](ctx, e, name, filter, attributes)
	if err != nil {
		return err
	}
	for _, document := range found {
		if err := each(document); err != nil {
			return err
		}
	}
	return nil
}
