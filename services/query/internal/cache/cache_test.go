package cache

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"litfass/pkg/contracts/applied"
)

// answer is an answer of some size, with the number of its load. apply decides about batches;
// without it, each invalidates the answer.
type answer struct {
	load  byte
	size  int
	apply func(*Batch) Answer
}

func (a *answer) Size() int { return a.size }

func (a *answer) compared(b *Batch) int { return len(b.changes) }

func (a *answer) Apply(b *Batch) (Answer, Reason) {
	if a.apply == nil || b.all {
		return nil, Altered
	}
	if next := a.apply(b); next != nil {
		return next, Patched
	}
	return nil, Altered
}

// loads counts how often an answer was loaded.
type loads struct{ atomic.Int32 }

func (l *loads) of(size int) func(context.Context) (*answer, error) {
	return func(context.Context) (*answer, error) {
		return &answer{load: byte(l.Add(1)), size: size}, nil
	}
}

// newCache returns a cache with a signal that is heard.
func newCache(size int) (*Cache, *Signal) {
	s := NewSignal(time.Now)
	c := New(s, size, time.Second)
	s.Hear(applied.Signal{Sequence: 1})
	return c, s
}

func ask(t *testing.T, c *Cache, key byte, load func(context.Context) (*answer, error)) byte {
	t.Helper()
	a, err := Get(t.Context(), c, "test", Key{key}, load)
	if err != nil {
		t.Fatal(err)
	}
	return a.load
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
		{"after a change", func() { s.Hear(applied.Signal{Sequence: 2}) }, 2},
		{"again", func() {}, 2},
		{"in silence", func() { fallSilent(s) }, 3},
		{"still", func() {}, 4},
		{"after the silence", func() { s.Hear(applied.Signal{Sequence: 2}) }, 5},
		{"again", func() {}, 5},
	} {
		step.do()
		if got := ask(t, c, 1, l.of(10)); got != step.want {
			t.Errorf("%s: load %d, want %d", step.what, got, step.want)
		}
	}
	stats := c.Stats()
	if got, want := stats.Kinds["test"], (Lookups{Hits: 3, Misses: 3}); got != want || stats.Bytes != 10+entryBytes {
		t.Errorf("%+v in %d bytes, want %+v", got, stats.Bytes, want)
	}
}

func TestAnAnswerOfTheTimeBeforeAChangeIsNotKept(t *testing.T) {
	c, s := newCache(10_000)
	var l loads
	during := func(ctx context.Context) (*answer, error) {
		s.Hear(applied.Signal{Sequence: 2})
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
	if c.entries.bytes != c.entries.maxBytes || c.entries.len() != 10 {
		t.Errorf("%d answers in %d bytes, want 10 in %d", c.entries.len(), c.entries.bytes, c.entries.maxBytes)
	}
	if first := ask(t, c, 29, l.of(100)); first != 30 {
		t.Errorf("the last answer was not cached: load %d", first)
	}
	ask(t, c, 99, l.of(c.entries.maxBytes)) // too large to be cached at the cost of all others
	if c.entries.len() != 10 {
		t.Errorf("%d answers after a large one, want 10", c.entries.len())
	}
	s.Hear(applied.Signal{Sequence: 2})
	ask(t, c, 1, l.of(100))
	if c.entries.bytes != 100+entryBytes || c.entries.len() != 1 {
		t.Errorf("%d answers in %d bytes after a change, want 1", c.entries.len(), c.entries.bytes)
	}
}

func TestOldAnswersGoWithoutASignal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := newCache(10_000)
		var l loads
		ask(t, c, 1, l.of(1))
		for range (maxAnswerAge + time.Second) / time.Second {
			time.Sleep(time.Second)
			s.Hear(applied.Signal{Sequence: 1})
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
		slow := func(ctx context.Context) (*answer, error) {
			select {
			case <-release:
				return l.of(1)(ctx)
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error, 1)
		go func() { _, err := Get(ctx, c, "test", Key{1}, slow); gone <- err }()
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
	_, err := Get(t.Context(), c, "test", Key{1}, func(context.Context) (*answer, error) { return nil, down })
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

// batchOf returns the signal of the n-th batch of a session, which has written one event.
func batchOf(n uint64, event string) applied.Signal {
	return applied.Signal{
		Session: "s", Batches: n, Sequence: n, Position: 100 + n,
		Batch: &applied.Batch{Records: map[string][]string{"events": {event}}},
	}
}

// about returns an answer about one event.
func (l *loads) about(event string) func(context.Context) (*answer, error) {
	return func(context.Context) (*answer, error) {
		a := &answer{load: byte(l.Add(1)), size: 1}
		a.apply = func(b *Batch) Answer {
			if Record("events", event).changedBy(b) {
				return nil
			}
			return a
		}
		return a, nil
	}
}

func TestABatchDropsWhatItAlters(t *testing.T) {
	c, s := newCache(10_000)
	s.Hear(applied.Signal{Session: "s", Batches: 1})
	var l loads
	for _, step := range []struct {
		what string
		hear applied.Signal
		want byte
	}{
		{"first", applied.Signal{Session: "s", Batches: 1}, 1},
		{"a batch of another event", batchOf(2, "other"), 1},
		{"a repetition", applied.Signal{Session: "s", Batches: 2}, 1},
		{"a repetition further on in the stream", applied.Signal{Session: "s", Batches: 2, Sequence: 9}, 1},
		{"a batch of its event", batchOf(3, "mine"), 2},
		{"a batch after one that was missed", batchOf(5, "other"), 3},
		{"a repetition after one that was missed", applied.Signal{Session: "s", Batches: 6}, 4},
		{"a batch of which nothing is said", applied.Signal{Session: "s", Batches: 7, Batch: &applied.Batch{All: true}}, 5},
		{"another projector", applied.Signal{Session: "t", Batches: 7}, 6},
		{"the number after it, of the first", batchOf(8, "other"), 7},
		{"a projector of the release before", applied.Signal{Sequence: 10}, 8},
		{"the same sequence", applied.Signal{Sequence: 10}, 8},
		{"the next sequence", applied.Signal{Sequence: 11}, 9},
	} {
		s.Hear(step.hear)
		if got := ask(t, c, 1, l.about("mine")); got != step.want {
			t.Errorf("%s: load %d, want %d", step.what, got, step.want)
		}
	}
}

// An answer that is loaded while batches come is compared with them before it is cached.
func TestAnAnswerIsHeldAgainstTheBatchesSinceItWasAskedFor(t *testing.T) {
	for _, test := range []struct {
		what    string
		batches []string
		cached  bool
	}{
		{"of others", []string{"a", "b"}, true},
		{"of its event among others", []string{"a", "mine", "b"}, false},
		{"more than are remembered", make([]string, maxRecent+1), false},
		{"as many as are remembered", make([]string, maxRecent), true},
	} {
		c, s := newCache(10_000)
		s.Hear(applied.Signal{Session: "s", Batches: 1})
		var l loads
		ask(t, c, 1, func(ctx context.Context) (*answer, error) {
			for i, event := range test.batches {
				s.Hear(batchOf(uint64(i)+2, event))
			}
			return l.about("mine")(ctx)
		})
		if cached := ask(t, c, 1, l.about("mine")) == 1; cached != test.cached {
			t.Errorf("batches %s: cached %v, want %v", test.what, cached, test.cached)
		}
	}
}

// A batch is remembered as long as an answer is being loaded whose load began before it.
func TestBatchesAreForgottenWithTheLastLoadThatNeedsThem(t *testing.T) {
	c, s := newCache(10_000)
	s.Hear(applied.Signal{Session: "s", Batches: 1})
	next := uint64(1)
	hear := func(batches int) {
		for range batches {
			next++
			s.Hear(batchOf(next, "other"))
		}
	}
	remembered := func(what string, want int) {
		t.Helper()
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(c.recent) != want {
			t.Errorf("%s: %d batches are remembered, want %d", what, len(c.recent), want)
		}
	}
	hear(3)
	remembered("nothing is loaded", 0)
	var l loads
	ask(t, c, 1, func(ctx context.Context) (*answer, error) {
		hear(2)
		ask(t, c, 2, func(ctx context.Context) (*answer, error) {
			hear(maxRecent)
			remembered("two are loaded", maxRecent)
			return l.about("mine")(ctx)
		})
		remembered("one is loaded", maxRecent)
		return l.about("mine")(ctx)
	})
	remembered("both are there", 0)
	_, err := Get(t.Context(), c, "test", Key{3}, func(context.Context) (*answer, error) {
		hear(2)
		remembered("one is loaded that fails", 2)
		return nil, errors.New("down")
	})
	if remembered("it has failed", 0); err == nil || len(c.loading) != 0 {
		t.Errorf("%v, %d loads are left", err, len(c.loading))
	}
}

// TestRecentBatchesAreBoundedByTheirDates: an answer is not cached whose load took longer.
func TestRecentBatchesAreBoundedByTheirDates(t *testing.T) {
	const dates = 1_000
	for batches, cached := range map[int]bool{maxRecentDates / dates: true, maxRecentDates/dates + 1: false} {
		c, s := newCache(10_000)
		s.Hear(applied.Signal{Session: "s", Batches: 1})
		var l loads
		ask(t, c, 1, func(ctx context.Context) (*answer, error) {
			for n := range batches {
				large := batchOf(uint64(n)+2, "other")
				large.Batch.Dates = make([]applied.Date, dates)
				s.Hear(large)
			}
			return l.about("mine")(ctx)
		})
		if got := ask(t, c, 1, l.about("mine")) == 1; got != cached {
			t.Errorf("%d batches of %d dates: cached %v, want %v", batches, dates, got, cached)
		}
	}
}

// The position of a batch is not known before the cache has taken it in.
func TestAPositionComesAfterWhatItsBatchAlters(t *testing.T) {
	c, s := newCache(10_000)
	s.Hear(applied.Signal{Session: "s", Batches: 1, Position: 101})
	var l loads
	seen := uint64(0)
	watching := func(ctx context.Context) (*answer, error) {
		a, err := l.about("mine")(ctx)
		a.apply = func(*Batch) Answer { seen = s.Position(); return nil }
		return a, err
	}
	ask(t, c, 1, watching)
	s.Hear(batchOf(2, "other"))
	if seen != 101 || s.Position() != 102 {
		t.Errorf("position %d while the batch is taken in, %d then", seen, s.Position())
	}
}

func TestAnAdjustedAnswerTakesThePlaceOfTheKeptOne(t *testing.T) {
	c, s := newCache(10_000)
	s.Hear(applied.Signal{Session: "s", Batches: 1})
	patched := &answer{load: 77, size: 50}
	patched.apply = func(*Batch) Answer { return patched }
	var l loads
	ask(t, c, 1, func(ctx context.Context) (*answer, error) {
		a, err := l.of(10)(ctx)
		a.apply = func(*Batch) Answer { return patched }
		return a, err
	})
	s.Hear(batchOf(2, "other"))
	if got := ask(t, c, 1, l.of(10)); got != 77 {
		t.Errorf("load %d, want the patched answer", got)
	}
	if stats := c.Stats(); stats.Bytes != 50+entryBytes || stats.Patched != 1 || stats.Dropped[Altered] != 0 {
		t.Errorf("%+v", stats)
	}
}

func TestTooMuchToCompareDropsEverything(t *testing.T) {
	c, s := newCache(10_000_000)
	s.Hear(applied.Signal{Session: "s", Batches: 1})
	var l loads
	for key := range byte(200) {
		ask(t, c, key, l.about("mine"))
	}
	large := batchOf(2, "other")
	large.Batch.Dates = make([]applied.Date, maxComparisons/200+1)
	s.Hear(large)
	if stats := c.Stats(); stats.Entries != 0 || stats.Dropped[Work] != 200 {
		t.Errorf("%+v", stats)
	}
}
