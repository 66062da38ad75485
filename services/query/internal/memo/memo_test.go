package memo

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// world is a clock, a signal and a source that a test moves.
type world struct {
	now   time.Time
	mark  uint64
	alive bool
	reads int
	err   error
}

func (w *world) Mark() (uint64, bool) { return w.mark, w.alive }

func (w *world) value() *Value[int] {
	return New(w, func() time.Time { return w.now }, func(context.Context) (int, error) {
		w.reads++
		return w.reads, w.err
	})
}

func TestWhenAValueIsReadAnew(t *testing.T) {
	w := &world{now: time.Unix(0, 0), alive: true}
	v := w.value()
	for _, step := range []struct {
		name string
		move func()
		want int
	}{
		{"first", func() {}, 1},
		{"again", func() {}, 1},
		{"nothing changed", func() { w.now = w.now.Add(59 * time.Second) }, 1},
		{"a minute old", func() { w.now = w.now.Add(time.Second) }, 2},
		{"changed, but young", func() { w.mark++ }, 2},
		{"changed", func() { w.now = w.now.Add(time.Second) }, 3},
		{"signal silent, but young", func() { w.alive = false }, 3},
		{"signal silent", func() { w.now = w.now.Add(time.Second) }, 4},
		{"signal back: what happened meanwhile is unknown", func() { w.alive = true; w.now = w.now.Add(time.Second) }, 5},
	} {
		step.move()
		if got, err := v.Get(context.Background()); err != nil || got != step.want {
			t.Errorf("%s: got %d, %v, want reading %d", step.name, got, err, step.want)
		}
	}
}

func TestAnErrorIsNotKept(t *testing.T) {
	w := &world{now: time.Unix(0, 0), err: errors.New("down")}
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
	v := New(&world{}, time.Now, func(context.Context) (int, error) {
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
