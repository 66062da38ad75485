package stream_test

import (
	"context"
	"sync"
	"testing"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
)

// worker works on the queue "q" until stop is called.
func worker(
	t *testing.T, s *stream.Stream, handle func(ctx context.Context, item stream.Item, done func()),
) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Work(ctx, "q", 4, handle) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(stop)
	return stop
}

func offer(t *testing.T, s *stream.Stream, items ...string) {
	t.Helper()
	if err := s.Offer(t.Context(), "q", items); err != nil {
		t.Fatal(err)
	}
}

// TestItemsAreTakenOnce: an item that waits, or is being worked on, is not added again; once it has
// been returned, it is.
func TestItemsAreTakenOnce(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	offer(t, s, "a", "b")
	offer(t, s, "a")
	taken, goOn := make(chan string), make(chan struct{})
	returned := make(chan string, 8)
	worker(t, s, func(_ context.Context, item stream.Item, done func()) {
		if item.Again {
			t.Errorf("%s is taken from a worker that lives", item.Word)
		}
		taken <- item.Word
		<-goOn
		done()
		returned <- item.Word
	})
	got := map[string]int{}
	for range 2 {
		got[<-taken]++
	}
	offer(t, s, "a") // in the hands of the worker
	close(goOn)
	<-returned
	<-returned
	offer(t, s, "a", "c")
	for range 2 {
		got[<-taken]++
	}
	if got["a"] != 2 || got["b"] != 1 || got["c"] != 1 {
		t.Errorf("taken %v", got)
	}
}

// TestItemsOfADeadWorkerComeAgain: a process that dies returns nothing.
func TestItemsOfADeadWorkerComeAgain(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	dying, other := streamtest.Open(t, config), streamtest.Open(t, config)
	if err := other.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	offer(t, other, "a")
	taken, died := make(chan string, 1), make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		ended <- dying.Work(t.Context(), "q", 4, func(_ context.Context, item stream.Item, _ func()) {
			dying.Close()
			taken <- item.Word
			<-died
		})
	}()
	<-taken
	again := make(chan stream.Item, 1)
	worker(t, other, func(_ context.Context, item stream.Item, _ func()) { again <- item })
	if item := <-again; item != (stream.Item{Word: "a", Again: true}) {
		t.Errorf("got %+v", item)
	}
	close(died)
	if err := <-ended; err == nil {
		t.Error("working without a connection is no error")
	}
}

// TestWorkersOutliveTheirConsumer: after it was deleted they take the items that wait.
func TestWorkersOutliveTheirConsumer(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	s := streamtest.Open(t, config)
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	taken := make(chan string, 8)
	worker(t, s, func(_ context.Context, item stream.Item, done func()) {
		taken <- item.Word
		done()
	})
	offer(t, s, "a")
	<-taken
	if err := streamtest.JetStream(t, config.URL).DeleteConsumer(t.Context(), config.Name+"_WORK", "q"); err != nil {
		t.Fatal(err)
	}
	offer(t, s, "b")
	if got := <-taken; got != "b" {
		t.Errorf("got %s", got)
	}
}
