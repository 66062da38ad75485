package index

import (
	"context"
	"fmt"
	"slices"

	"github.com/meilisearch/meilisearch-go"

	"litfass/pkg/chassis/fault"
)

// Swap exchanges all indexes of c and other in one task: every search sees either the old or the
// new indexes, and no search fails. An index of only one set moves to the other, since
// releases differ in indexes. Without a Meta in both sets nothing is swapped, and the error is a
// NotFound fault.
func (c *Client) Swap(ctx context.Context, other *Client) error {
	names, err := c.namesWith(ctx, other)
	if err != nil {
		return fmt.Errorf("swap indexes: %w", err)
	}
	pairs := []*meilisearch.SwapIndexesParams{{Indexes: []string{c.Name(Meta), other.Name(Meta)}}}
	for _, name := range names {
		pair, err := c.pair(ctx, other, name)
		if err != nil {
			return fmt.Errorf("swap indexes: %w", err)
		}
		if pair != nil {
			pairs = append(pairs, pair)
		}
	}
	task, err := c.engine.SwapIndexesWithContext(ctx, pairs)
	if err != nil {
		return fmt.Errorf("swap indexes: %w", Fault(err))
	}
	if err := c.Wait(ctx, task.TaskUID); err != nil {
		return fmt.Errorf("swap indexes: %w", err)
	}
	return nil
}

// namesWith returns the names of the indexes of two sets, without Meta.
func (c *Client) namesWith(ctx context.Context, other *Client) ([]string, error) {
	names, err := c.names(ctx)
	if err != nil {
		return nil, err
	}
	others, err := other.names(ctx)
	for _, name := range others {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, err
}

// pair returns the exchange of an index: a swap, or a rename if only one set has the index; nil if
// no set has.
func (c *Client) pair(ctx context.Context, other *Client, name string) (*meilisearch.SwapIndexesParams, error) {
	here, err := c.exists(ctx, name)
	if err != nil {
		return nil, err
	}
	there, err := other.exists(ctx, name)
	switch {
	case err != nil:
		return nil, err
	case here && there:
		return &meilisearch.SwapIndexesParams{Indexes: []string{c.Name(name), other.Name(name)}}, nil
	case here:
		return &meilisearch.SwapIndexesParams{Indexes: []string{c.Name(name), other.Name(name)}, Rename: true}, nil
	case there:
		return &meilisearch.SwapIndexesParams{Indexes: []string{other.Name(name), c.Name(name)}, Rename: true}, nil
	default:
		return nil, nil
	}
}

// Drop deletes all indexes of c and returns how many existed.
func (c *Client) Drop(ctx context.Context) (dropped int, err error) {
	names, err := c.names(ctx)
	if err != nil {
		return 0, fmt.Errorf("delete indexes: %w", err)
	}
	var tasks []int64
	for _, name := range append(names, Meta) { // last: an interrupted Drop finds the names again
		task, err := c.engine.DeleteIndexWithContext(ctx, c.Name(name))
		if err != nil {
			return 0, fmt.Errorf("delete %s: %w", c.Name(name), Fault(err))
		}
		tasks = append(tasks, task.TaskUID)
	}
	for _, task := range tasks {
		switch err := c.Wait(ctx, task); {
		case err == nil:
			dropped++
		case !fault.Is(err, fault.NotFound):
			return dropped, fmt.Errorf("delete indexes: %w", err)
		}
	}
	return dropped, nil
}
