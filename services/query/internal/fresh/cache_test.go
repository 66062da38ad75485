package fresh

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// loads counts how often an answer was loaded.
type loads struct{ atomic.Int32 }

func (l *loads) of(size int) func(context.Context) ([]byte, error) {
	return func(context.Context) ([]byte, error) {
		return bytes.Repeat([]byte{byte(l.Add(1))}, size), nil
	}
}

// newCache returns a cache with a signal that is heard.
func newCache(size int) (*Cache, *Signal) {
	s := NewSignal(time.Now)
	s.Applied(1)
	return NewCache(s, size, time.Second), s
}

func ask(t *testing.T, c *Cache, key byte, load func(context.Context) ([]byte, error)) byte {
	t.Helper()
	answer, err := c.Answer(t.Context(), Key{key}, load)
	if err != nil || len(answer) == 0 {
		t.Fatalf("answer %v, %v", answer, err)
	}
	return answer[0]
}

func TestAnswersAreKeptWhileNothingChanges(t *testing.T) {
	c, s := newCache(10_000)
	var l loads
	for _, step := range []struct {
		what string
		do   func()
		want byte
	}{
		{"first", func() {}, 1},
		{"again", func() {}, 1},
		{"after a change", func() { s.Applied(2) }, 2},
		{"again", func() {}, 2},
		{"in silence", func() { fallSilent(s) }, 3},
		{"still", func() {}, 4},
		{"after the silence", func() { s.Applied(2) }, 5},
		{"again", func() {}, 5},
	} {
		step.do()
		if got := ask(t, c, 1, l.of(10)); got != step.want {
			t.Errorf("%s: load %d, want %d", step.what, got, step.want)
		}
	}
	if got, want := c.Stats(), (Stats{Hits: 3, Misses: 3, Bytes: 10 + entryBytes}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestAnAnswerOfTheTimeBeforeAChangeIsNotKept(t *testing.T) {
	c, s := newCache(10_000)
	var l loads
	during := func(ctx context.Context) ([]byte, error) {
		s.Applied(2)
		return l.of(1)(ctx)
	}
	ask(t, c, 1, during)
	if got := ask(t, c, 1, l.of(1)); got != 2 {
		t.Errorf("load %d, want a second one", got)
	}
}

func TestBytesAreBounded(t *testing.T) {
	c, s := newCache(10 * (100 + entryBytes))
	var l loads
	for key := range byte(30) {
		ask(t, c, key, l.of(100))
	}
	if c.bytes != c.most || c.kept.Len() != 10 {
		t.Errorf("%d answers in %d bytes, want 10 in %d", c.kept.Len(), c.bytes, c.most)
	}
	if first := ask(t, c, 29, l.of(100)); first != 30 {
		t.Errorf("the last answer was not kept: load %d", first)
	}
	ask(t, c, 99, l.of(c.most)) // too large to be kept at the cost of all others
	if c.kept.Len() != 10 {
		t.Errorf("%d answers after a large one, want 10", c.kept.Len())
	}
	s.Applied(2)
	ask(t, c, 1, l.of(100))
	if c.bytes != 100+entryBytes || c.kept.Len() != 1 {
		t.Errorf("%d answers in %d bytes after a change, want 1", c.kept.Len(), c.bytes)
	}
}

func TestOldAnswersGoWithoutASignal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := newCache(10_000)
		var l loads
		ask(t, c, 1, l.of(1))
		for range (oldest + time.Second) / time.Second {
			time.Sleep(time.Second)
			s.Applied(1)
		}
		if got := ask(t, c, 1, l.of(1)); got != 2 {
			t.Errorf("load %d, want a second one", got)
		}
	})
}

func TestEqualQuestionsAreLoadedOnceAndOutliveTheFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := newCache(10_000)
		var l loads
		release := make(chan struct{})
		slow := func(ctx context.Context) ([]byte, error) {
			select {
			case <-release:
				return l.of(1)(ctx)
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error, 1)
		go func() { _, err := c.Answer(ctx, Key{1}, slow); gone <- err }()
		synctest.Wait()
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("the first: %v", err)
		}
		var wait sync.WaitGroup
		for range 20 {
			wait.Go(func() {
				if got := ask(t, c, 1, slow); got != 1 {
					t.Errorf("load %d, want the first", got)
				}
			})
		}
		synctest.Wait()
		close(release)
		wait.Wait()
	})
}

func TestErrorsAreNotKept(t *testing.T) {
	c, _ := newCache(10_000)
	down := errors.New("down")
	_, err := c.Answer(t.Context(), Key{1}, func(context.Context) ([]byte, error) { return nil, down })
	if !errors.Is(err, down) {
		t.Errorf("error %v", err)
	}
	var l loads
	if got := ask(t, c, 1, l.of(1)); got != 1 {
		t.Errorf("load %d", got)
	}
}

func TestACacheOfNoBytesKeepsNothing(t *testing.T) {
	c, _ := newCache(0)
	var l loads
	ask(t, c, 1, l.of(1))
	if got := ask(t, c, 1, l.of(1)); got != 2 {
		t.Errorf("load %d, want a second one", got)
	}
}
