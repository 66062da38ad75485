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
	// TaskBytes is the approximate size of the documents of one task, so that neither side holds
	// more of them in one piece. The engine merges waiting tasks.
	TaskBytes = 4 << 20

	// PageSize is the number of documents read with one request.
	PageSize = 1000
)

// Document is a document as the engine returns it: the JSON of each attribute by name.
type Document = map[string]json.RawMessage

// Add starts tasks that write documents, each the JSON of one, in order. A document with a known
// primary key is replaced as a whole. It returns the tasks for Wait; after an error, tasks that
// were already started continue.
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

// AddLines starts one task that writes documents, one JSON document on each line. A document with a
// known primary key is replaced as a whole. It returns the task for Wait.
func (c *Client) AddLines(ctx context.Context, index string, lines []byte) (int64, error) {
	task, err := c.Index(index).AddDocumentsNdjsonWithContext(ctx, lines, nil)
	if err != nil {
		return 0, fmt.Errorf("add documents to %s: %w", c.Name(index), Fault(err))
	}
	return task.TaskUID, nil
}

// chunk returns how many of the documents go into the next task: at least one.
func chunk(documents [][]byte) int {
	size := 0
	for i, document := range documents {
		if size += len(document) + 1; size > TaskBytes && i > 0 {
			return i
		}
	}
	return len(documents)
}

// Delete starts a task that deletes the documents with these ids. Unknown ids are ignored.
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

// ByID calls fn for each existing document among these ids, in no particular order. It reads only
// the given attributes, or all if there are none.
func (c *Client) ByID(ctx context.Context, index string, ids, attributes []string, fn func(Document) error) error {
	for part := range slices.Chunk(ids, PageSize) {
		query := &meilisearch.DocumentsQuery{Ids: part, Limit: int64(len(part)), Fields: attributes}
		if err := c.read(ctx, index, query).each(fn); err != nil {
			return err
		}
	}
	return nil
}

// Each calls fn for every document that matches filter, or for all when filter is empty. Documents
// that are written or deleted meanwhile may be passed twice or not at all. While fn is called for
// the documents of a full page, the next ones are read.
func (c *Client) Each(ctx context.Context, index, filter string, attributes []string, fn func(Document) error) error {
	return c.EachOf(ctx, index, filter, attributes, PageSize, fn)
}

// EachOf is Each with pages of another size, for documents of which few fit into memory.
func (c *Client) EachOf(
	ctx context.Context, index, filter string, attributes []string, pageSize int64, fn func(Document) error,
) error {
	query := meilisearch.DocumentsQuery{Limit: pageSize, Fields: attributes}
	if filter != "" {
		query.Filter = filter
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	reading := []<-chan page{c.readAhead(ctx, index, query)}
	for {
		next := <-reading[0]
		reading = reading[1:]
		full := int64(len(next.documents)) == pageSize
		for full && len(reading) < pagesAhead {
			query.Offset += pageSize
			reading = append(reading, c.readAhead(ctx, index, query))
		}
		if err := next.each(fn); err != nil || !full {
			return err
		}
	}
}

// pagesAhead is the number of pages that Each reads ahead: the engine writes one while the other is
// decoded.
const pagesAhead = 2

// page is the result of one request for documents.
type page struct {
	documents meilisearch.Hits
	err       error
}

func (p page) each(fn func(Document) error) error {
	if p.err != nil {
		return p.err
	}
	for _, hit := range p.documents {
		if err := fn(Document(hit)); err != nil {
			return err
		}
	}
	return nil
}

func (c *Client) readAhead(ctx context.Context, index string, query meilisearch.DocumentsQuery) <-chan page {
	read := make(chan page, 1)
	go func() { read <- c.read(ctx, index, &query) }()
	return read
}

func (c *Client) read(ctx context.Context, index string, query *meilisearch.DocumentsQuery) page {
	var found meilisearch.DocumentsResult
	if err := c.Index(index).GetDocumentsWithContext(ctx, query, &found); err != nil {
		return page{err: fmt.Errorf("read documents of %s: %w", c.Name(index), Fault(err))}
	}
	return page{documents: found.Results}
}

// Version returns a text that is another one after every change of an index: when it was made and
// last changed, in nanoseconds. It returns a NotFound fault when there is no such index.
func (c *Client) Version(ctx context.Context, index string) (string, error) {
	info, err := c.Index(index).FetchInfoWithContext(ctx)
	if err != nil {
		return "", fmt.Errorf("read when %s changed: %w", c.Name(index), Fault(err))
	}
	return fmt.Sprintf("%d %d", info.CreatedAt.UnixNano(), info.UpdatedAt.UnixNano()), nil
}
