package node

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/applied"
	"litfass/pkg/stream/streamtest"
	"litfass/services/projector/internal/rebuild"
	"litfass/services/projector/internal/testkit"
)

// TestAnExchangeIsSignalledBeforeTheNextBatch: that one finds in the new indexes what they have got
// before the exchange, and would say that nothing is altered.
func TestAnExchangeIsSignalledBeforeTheNextBatch(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	n := New(Options{
		Name: "north", PublicURL: testkit.PublicURL, Stream: streamtest.Open(t, w.StreamConfig), Index: w.Index,
		Registry: prometheus.NewRegistry(), Log: w.Log,
	})
	var batches, exchanges atomic.Int32
	send := n.signals.send
	n.signals.send = func(what applied.Signal) {
		if what.Batch != nil {
			batches.Add(1)
			if n.writing.TryLock() { // the next batch could be written now
				n.writing.Unlock()
			} else if what.Batch.All {
				exchanges.Add(1)
			}
		}
		send(what)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- n.Run(ctx) }()
	defer func() { stop(); <-ended }()
	w.Publish(testkit.Catalogue(t, 1, 3)...)
	testkit.Until(t, "the changes", func() bool {
		lag, err := n.Lag(ctx)
		return err == nil && lag.Pending == 0 && batches.Load() > 0
	})
	if _, err := n.rebuild(ctx, func(rebuild.Progress) {}); err != nil {
		t.Fatal(err)
	}
	if exchanges.Load() != 1 {
		t.Errorf("%d exchanges are signalled while nothing else may be written", exchanges.Load())
	}
}
