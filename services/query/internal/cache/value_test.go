package cache

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/document"
)

// world is a clock, a signal and a source that a test moves.
type world struct {
	now    time.Time
	signal *Signal
	reads  int
	err    error
}

func newWorld() *world {
	w := &world{now: time.Unix(0, 0)}
	w.signal = NewSignal(func() time.Time { return w.now })
	return w
}

func (w *world) value() *Value[int] {
	return NewValue(w.signal, func() time.Time { return w.now }, func(context.Context) (int, error) {
		w.reads++
		return w.reads, w.err
	})
}

// pass lets seconds pass, with a heartbeat in each.
func (w *world) pass(seconds int) {
	for range seconds {
		w.now = w.now.Add(time.Second)
		w.signal.Hear(applied.Signal{Sequence: w.signal.last.Sequence})
	}
}

// fallSilent makes a signal as if nothing had been heard for long.
func fallSilent(s *Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = time.Time{}
}

type step struct {
	name string
	move func()
	want int
}

func (w *world) walk(t *testing.T, v *Value[int], steps []step) {
	t.Helper()
	for _, step := range steps {
		step.move()
		if got, err := v.Get(context.Background()); err != nil || got != step.want {
			t.Errorf("%s: got %d, %v, want reading %d", step.name, got, err, step.want)
		}
	}
}

func TestWhenAValueIsReadAgain(t *testing.T) {
	w := newWorld()
	w.signal.Hear(applied.Signal{Sequence: 1})
	w.walk(t, w.value(), []step{
		{"first", func() {}, 1},
		{"nothing changed", func() { w.pass(59) }, 1},
		{"a minute old", func() { w.pass(1) }, 2},
		{"changed", func() { w.now = w.now.Add(time.Millisecond); w.signal.Hear(applied.Signal{Sequence: 2}) }, 3},
		{"signal silent, but young", func() { w.now = w.now.Add(time.Millisecond); fallSilent(w.signal) }, 3},
		{"signal silent", func() { w.now = w.now.Add(time.Second) }, 4},
		{"signal back: what happened meanwhile is unknown", func() { w.pass(1) }, 5},
	})
}

func TestAnErrorIsNotKept(t *testing.T) {
	w := newWorld()
	w.err = errors.New("down")
	v := w.value()
	if _, err := v.Get(context.Background()); !errors.Is(err, w.err) {
		t.Errorf("got %v", err)
	}
	w.err = nil
	if got, err := v.Get(context.Background()); err != nil || got != 2 {
		t.Errorf("got %d, %v", got, err)
	}
}

func TestOneReadingForAllAndNoneWaitsLongerThanItsContext(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	reads := 0
	v := NewValue(NewSignal(time.Now), time.Now, func(context.Context) (int, error) {
		reads++
		close(entered)
		<-release
		return reads, nil
	})
	first, giveUp := context.WithCancel(context.Background())
	failed := make(chan error)
	go func() { _, err := v.Get(first); failed <- err }()
	<-entered
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if got, err := v.Get(context.Background()); err != nil || got != 1 {
				t.Errorf("got %d, %v", got, err)
			}
		})
	}
	giveUp()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	close(release)
	wait.Wait()
}

// TestValuesAreOutdatedBeforeAnswersAreChanged: an answer that is loaded once a batch was applied
// to the others is not made of values from before the batch.
func TestValuesAreOutdatedBeforeAnswersAreChanged(t *testing.T) {
	signal := NewSignal(time.Now)
	signal.Hear(applied.Signal{Session: "s", Batches: 1})
	loads := 0
	value := NewValue(signal, time.Now, func(context.Context) (int, error) {
		loads++
		return loads, nil
	}, document.Venues)
	get := func() int {
		got, err := value.Get(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	before, during := get(), 0
	signal.onBatch(func(*Batch) { during = get() })
	signal.Hear(applied.Signal{Session: "s", Batches: 2, Batch: &applied.Batch{Records: map[string][]string{document.Venues: {"v"}}}})
	if during == before {
		t.Error("while a batch is applied, a value from before it is in use")
	}
}
