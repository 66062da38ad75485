package index

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/meilisearch/meilisearch-go"
)

const (
	// TaskBytes is about how much one task adds, so that neither side ever holds more of the documents in one piece. The
	// engine puts the tasks that wait for it together.
	TaskBytes = 2 << 20

	// PageSize is how many documents are read at once.
	PageSize = 1000
)

// Document is a document as the engine holds it: each attribute's JSON by its name.
type Document = map[string]json.RawMessage

// Add starts tasks that write documents, each the JSON of one, in their order; a document whose primary key is known is
// replaced as a whole. Returns the tasks for Wait; after an error, those that were already started run on.
func (c *Client) Add(ctx context.Context, index string, documents [][]byte) ([]int64, error) {
	var tasks []int64
	for len(documents) > 0 {
		n := chunk(documents)
		task, err := c.AddLines(ctx, index, bytes.Join(documents[:n], []byte("\n")))
		if err != nil {
			return tasks, err
		}
		tasks, documents = append(tasks, task), documents[n:]
	}
	return tasks, nil
}

// AddLines starts one task that writes documents, each the JSON of one in a line of its own; a document whose primary key is
// known is replaced as a whole. Returns the task for Wait.
func (c *Client) AddLines(ctx context.Context, index string, lines []byte) (int64, error) {
	task, err := c.Index(index).AddDocumentsNdjsonWithContext(ctx, lines, nil)
	if err != nil {
		return 0, fmt.Errorf("add documents to %s: %w", c.Name(index), Fault(err))
	}
	return task.TaskUID, nil
}

// chunk returns how many of the documents make one task: at least one.
func chunk(documents [][]byte) int {
	size := 0
	for i, document := range documents {
		if size += len(document) + 1; size > TaskBytes && i > 0 {
			return i
		}
	}
	return len(documents)
}

// Delete starts a task that deletes the documents with these ids; ids that do not exist do no harm.
func (c *Client) Delete(ctx context.Context, index string, ids []string) ([]int64, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	task, err := c.Index(index).DeleteDocumentsWithContext(ctx, ids, nil)
	if err != nil {
		return nil, fmt.Errorf("delete %d documents of %s: %w", len(ids), c.Name(index), Fault(err))
	}
	return []int64{task.TaskUID}, nil
}

// ByID calls fn for each of the documents with these ids that exists, in no particular order. attributes limits what is
// read; none means all.
func (c *Client) ByID(ctx context.Context, index string, ids, attributes []string, fn func(Document) error) error {
	for part := range slices.Chunk(ids, PageSize) {
		query := &meilisearch.DocumentsQuery{Ids: part, Limit: int64(len(part)), Fields: attributes}
		if _, err := c.page(ctx, index, query, fn); err != nil {
			return err
		}
	}
	return nil
}

// Each calls fn for every document that matches filter, or for all when filter is empty. Documents that are written or
// deleted meanwhile may be met twice or not at all.
func (c *Client) Each(ctx context.Context, index, filter string, attributes []string, fn func(Document) error) error {
	query := &meilisearch.DocumentsQuery{Limit: PageSize, Fields: attributes}
	if filter != "" {
		query.Filter = filter
	}
	for {
		n, err := c.page(ctx, index, query, fn)
		if err != nil || n < PageSize {
			return err
		}
		query.Offset += PageSize
	}
}

func (c *Client) page(ctx context.Context, index string, query *meilisearch.DocumentsQuery, fn func(Document) error) (int, error) {
	var page meilisearch.DocumentsResult
	if err := c.Index(index).GetDocumentsWithContext(ctx, query, &page); err != nil {
		return 0, fmt.Errorf("read documents of %s: %w", c.Name(index), Fault(err))
	}
	for _, hit := range page.Results {
		if err := fn(Document(hit)); err != nil {
			return 0, err
		}
	}
	return len(page.Results), nil
}
