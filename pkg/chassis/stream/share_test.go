package stream_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
)

// sharer shares the durable name until the test ends.
func sharer(t *testing.T, s *stream.Stream, handle func(batch []stream.Delivery) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- s.Share(ctx, durable, atOnce, func(_ context.Context, batch []stream.Delivery) error { return handle(batch) })
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// TestProcessesShareAStream: each message is handled, by one of several processes.
func TestProcessesShareAStream(t *testing.T) {
	t.Parallel()
	const events = 300
	config := streamtest.Config(t)
	publisher := streamtest.Open(t, config)
	if err := publisher.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	handled, all := map[uint64]int{}, make(chan struct{})
	complete := sync.OnceFunc(func() { close(all) })
	for range 3 {
		sharer(t, streamtest.Open(t, config), func(batch []stream.Delivery) error {
			mu.Lock()
			defer mu.Unlock()
			for _, d := range batch {
				handled[d.Sequence]++
			}
			if len(handled) == events {
				complete()
			}
			return nil
		})
	}
	for n := range events {
		publish(t, publisher, event(t, newID(), 1, fmt.Sprint(n)))
	}
	await(t, all)
	progress(t, publisher, func(p stream.Progress) bool { return p.Pending == 0 })
	mu.Lock()
	defer mu.Unlock()
	for sequence, times := range handled {
		if times != 1 {
			t.Errorf("message %d was handled %d times", sequence, times)
		}
	}
}

// TestMessagesOfADeadSharerComeAgain: to another process; those of a failure, too, and none while
// its process lives.
func TestMessagesOfADeadSharerComeAgain(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	dying, other := streamtest.Open(t, config), streamtest.Open(t, config)
	if err := other.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	publish(t, other, event(t, newID(), 1, "one"))
	err := dying.Share(t.Context(), durable, atOnce, func(context.Context, []stream.Delivery) error { return broken })
	if !errors.Is(err, broken) {
		t.Fatalf("a failure: %v", err)
	}
	taken, goOn := make(chan struct{}), make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		ended <- dying.Share(t.Context(), durable, atOnce, func(context.Context, []stream.Delivery) error {
			close(taken)
			<-goOn
			dying.Close()
			<-t.Context().Done()
			return nil
		})
	}()
	await(t, taken)
	again := make(chan struct{})
	var early sync.Once
	sharer(t, other, func([]stream.Delivery) error { early.Do(func() { close(again) }); return nil })
	select {
	case <-again:
		t.Error("another process gets the messages of one that lives")
	case <-time.After(5 * time.Second): // longer than a message stays without a sign of life
	}
	close(goOn)
	await(t, again)
	t.Cleanup(func() { <-ended })
}

// TestSharersOutliveTheirConsumer: after it was deleted they begin again.
func TestSharersOutliveTheirConsumer(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	batches := make(chan []stream.Delivery, 8)
	sharer(t, s, func(batch []stream.Delivery) error { batches <- batch; return nil })
	publish(t, s, event(t, newID(), 1, "one"))
	first := <-batches
	if err := s.Forget(t.Context(), durable); err != nil {
		t.Fatal(err)
	}
	if again := <-batches; again[0].Sequence != first[0].Sequence {
		t.Errorf("message %d comes again, want %d", again[0].Sequence, first[0].Sequence)
	}
}

func await(t *testing.T, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(streamtest.Patience):
		t.Fatal("it does not come")
	}
}
