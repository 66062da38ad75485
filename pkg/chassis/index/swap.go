package index

import (
	"context"
	"fmt"

	"github.com/meilisearch/meilisearch-go"

	"litfass/pkg/chassis/fault"
)

// Swap exchanges all indexes of c and other in one task: every search sees either the old or the
// new ones, and none fails. It returns a NotFound fault and swaps nothing unless both sets exist.
func (c *Client) Swap(ctx context.Context, other *Client) error {
	var pairs []*meilisearch.SwapIndexesParams
	for _, index := range everyIndex() {
		pairs = append(pairs, &meilisearch.SwapIndexesParams{Indexes: []string{c.Name(index.Name), other.Name(index.Name)}})
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

// Drop deletes all indexes of c and returns how many existed.
func (c *Client) Drop(ctx context.Context) (dropped int, err error) {
	var tasks []int64
	for _, index := range everyIndex() {
		task, err := c.engine.DeleteIndexWithContext(ctx, c.Name(index.Name))
		if err != nil {
			return 0, fmt.Errorf("delete %s: %w", c.Name(index.Name), Fault(err))
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
