package node

import (
	"context"
	"time"

	"litfass/services/projector/internal/rebuild"
)

// Compaction decides when grown indexes are rebuilt. The engine's files never shrink, and edits
// leave unused pages in them; a new index has none.
type Compaction struct {
	Above float64 // how many times the bytes in use the files take; 0: never rebuild
	Least int64   // bytes: smaller files may have any share of unused pages
	Quiet Hours   // when it may be done
	Every time.Duration
	Now   func() time.Time // in the zone of Quiet
}

// Hours are full hours of a day, from one before another, also over midnight. Two equal ones are
// the whole day.
type Hours struct{ From, Before int }

// Contain reports whether a time is within the hours.
func (h Hours) Contain(t time.Time) bool {
	hour := t.Hour()
	if h.From < h.Before {
		return h.From <= hour && hour < h.Before
	}
	return h.From == h.Before || hour >= h.From || hour < h.Before
}

// betweenCompactions is the least time between two rebuilds, so that one that does not help is not
// repeated in the same night.
const betweenCompactions = 20 * time.Hour

// compact rebuilds grown indexes until ctx ends, unless that is switched off.
func (n *Node) compact(ctx context.Context) error {
	if n.Compaction.Above == 0 {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	var last time.Time
	ticker := time.NewTicker(n.Compaction.Every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
		now := n.Compaction.Now()
		if !n.Compaction.Quiet.Contain(now) || now.Sub(last) < betweenCompactions || n.CaughtUp(ctx) != nil || !n.grown(ctx) {
			continue
		}
		last = now
		if err := n.exchangeGrown(ctx); err != nil {
			n.Log.Warn("the grown index stays", "error", err)
		}
	}
}

// grown reports whether the engine's files have too many unused pages.
func (n *Node) grown(ctx context.Context) bool {
	size, err := n.Index.Size(ctx)
	if err != nil {
		n.Log.Debug("the size of the index is not known", "error", err)
		return false
	}
	return size.Whole >= n.Compaction.Least && float64(size.Whole) > n.Compaction.Above*float64(size.Used)
}

// exchangeGrown rebuilds the indexes and deletes the former ones, which would take more space than
// the growth.
func (n *Node) exchangeGrown(ctx context.Context) error {
	n.Log.Info("the files of the index have grown", "read_node", n.Name)
	if _, err := n.rebuild(ctx, func(rebuild.Progress) {}); err != nil {
		return err
	}
	_, err := n.prune(ctx)
	return err
}
