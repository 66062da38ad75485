package node

import (
	"context"
	"time"
)

// countEvery is how often the dead letters are counted.
const countEvery = 10 * time.Second

// lookBehind brings the age of the oldest change up to date that the index does not hold.
func (n *Node) lookBehind(ctx context.Context) {
	oldest, _, err := n.Stream.Oldest(ctx, n.status.applied().Sequence+1)
	if err != nil {
		n.Log.Debug("the oldest change is not known", "error", err)
		return
	}
	n.status.waiting(oldest)
}

// countDead keeps the number of dead letters up to date until ctx ends.
func (n *Node) countDead(ctx context.Context) error {
	ticker := time.NewTicker(countEvery)
	defer ticker.Stop()
	for {
		dead, err := n.Stream.CountDead(ctx)
		if err != nil {
			n.Log.Debug("the number of dead letters is not known", "error", err)
		} else {
			n.metrics.dead.Set(float64(dead))
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
	}
}
