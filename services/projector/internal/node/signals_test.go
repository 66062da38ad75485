package node

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/document"
	"litfass/services/projector/internal/dead"
	"litfass/services/projector/internal/rebuild"
	"litfass/services/projector/internal/testkit"
)

// TestWhatIsNoBatchIsSignalledBeforeTheNextOne: an exchange or a replay is signalled before the
// next batch, which would otherwise find its effect in the indexes and report nothing altered.
func TestWhatIsNoBatchIsSignalledBeforeTheNextOne(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	n := New(Options{
		Name: "north", PublicURL: testkit.PublicURL, TimeZone: testkit.TimeZone, Stream: streamtest.Open(t, w.StreamConfig), Index: w.Index,
		Registry: prometheus.NewRegistry(), Log: w.Log,
	})
	var batches, signals atomic.Int32
	send := n.signals.send
	n.signals.send = func(what applied.Signal) {
		if what.Batch != nil {
			batches.Add(1)
			if n.writing.TryLock() { // the next batch could be written now
				n.writing.Unlock()
			} else if what.Batch.All {
				signals.Add(1)
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
		return err == nil && lag.Pending == 0 && batches.Load() > 1 && signals.Load() == 1
	})
	signals.Store(0) // that of the beginning
	if _, err := n.rebuild(ctx, func(rebuild.Progress) {}); err != nil {
		t.Fatal(err)
	}
	if signals.Load() != 1 {
		t.Errorf("the exchange: %d signals while nothing else may be written", signals.Load())
	}
	late := testkit.Event(t, testkit.ID(), 1, "late", testkit.ID())
	data, err := late.Encode()
	if err == nil {
		err = n.dead.PublishDead(ctx, data, string(late.Kind), late.ID, "a defect")
	}
	if err != nil {
		t.Fatal(err)
	}
	w.Publish(late)
	testkit.Until(t, "the event", func() bool { return len(w.Dates(late.ID)) == 1 })
	w.Drop(document.Events, late.ID) // so that it does not count as superseded
	if err := n.replay(ctx, dead.Selection{All: true}, func(dead.Replayed) {}); err != nil {
		t.Fatal(err)
	}
	if signals.Load() != 2 {
		t.Errorf("the replay: %d signals while nothing else may be written, want one more", signals.Load())
	}
}
