package node_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/services/projector/internal/node"
	"litfass/services/projector/internal/rebuild"
	"litfass/services/projector/internal/testkit"
)

// signalComplete says again and again, until stop is called, that a stream is complete.
func signalComplete(t *testing.T, w *testkit.World, identity string) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			_ = w.Stream.SignalComplete(stream.Completion{Stream: identity, Sequence: 1, Position: 1})
			select {
			case <-ctx.Done():
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	return func() { cancel(); <-done }
}

func identity(t *testing.T, w *testkit.World) string {
	t.Helper()
	identity, err := w.Stream.Identity(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return identity
}

// A stream that was lost and recreated starts out empty. The index keeps answering and follows it
// until the relay reports that the new stream is complete. Then the index is rebuilt, since the new
// stream may restart its revisions and does not announce removed entities.
func TestNewStreamReplacesTheIndexOnceItIsComplete(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	n := newNode(t, w, testkit.PublicURL)
	start(t, n)
	event, date, forgotten, added := testkit.ID(), testkit.ID(), testkit.ID(), testkit.ID()
	w.Publish(testkit.Event(t, event, 100, "old", date), testkit.Event(t, testkit.ID(), 100, "forgotten", forgotten))
	caughtUp(t, w, n)
	former := identity(t, w)
	stopReads := reads(t, w, 2)
	if err := w.JetStream.DeleteStream(t.Context(), w.StreamConfig.Name); err != nil {
		t.Fatal(err)
	}
	fresh := streamtest.Open(t, w.StreamConfig)
	if err := fresh.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	stopFormer := signalComplete(t, w, former)
	first := []change.Change{testkit.Event(t, event, 1, "new", date), testkit.Event(t, testkit.ID(), 2, "added", added)}
	if err := fresh.Publish(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	testkit.Until(t, "a change of the new stream", func() bool { return w.Get(document.Dates, added) != nil })
	if _, err := n.Rebuild(t.Context(), func(rebuild.Progress) {}); err == nil || err.Error() != node.ErrIncomplete.Error() {
		t.Errorf("a rebuild from a stream that may not be complete: %v", err)
	}
	if w.Get(document.Dates, forgotten) == nil || testkit.Entry(t, w.Get(document.Dates, date)).Title != "old" {
		t.Error("the index was replaced before the new stream was complete")
	}
	if all, failed := stopReads(); all == 0 || failed > 0 {
		t.Errorf("%d of %d reads failed or lacked dates", failed, all)
	}
	stopFormer()
	defer signalComplete(t, w, identity(t, w))()
	testkit.Until(t, "the new stream's state", func() bool {
		d := w.Get(document.Dates, date)
		return d != nil && testkit.Entry(t, d).Title == "new" && w.Get(document.Dates, forgotten) == nil
	})
	w.MustAgree()
}

// The command that rebuilds in a process of its own hears the relay as well.
func TestRebuildAloneWaitsForACompleteStream(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	w.Publish(testkit.Catalogue(t, 1, 5)...)
	n := newNode(t, w, testkit.PublicURL)
	if _, err := n.Rebuild(t.Context(), func(rebuild.Progress) {}); err != nil {
		t.Fatal(err)
	}
	before := testkit.Digest(t, w.Index)
	if err := w.JetStream.DeleteStream(t.Context(), w.StreamConfig.Name); err != nil {
		t.Fatal(err)
	}
	if _, err := n.Rebuild(t.Context(), func(rebuild.Progress) {}); !errors.Is(err, node.ErrIncomplete) {
		t.Errorf("a rebuild from a stream that may not be complete: %v", err)
	}
	if testkit.Digest(t, w.Index) != before {
		t.Error("the index is another one")
	}
	defer signalComplete(t, w, identity(t, w))()
	if _, err := n.Rebuild(t.Context(), func(rebuild.Progress) {}); err != nil {
		t.Error(err)
	}
	w.MustAgree()
}
