package cache

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"litfass/pkg/contracts/applied"
)

func TestAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSignal(time.Now)
		hear := func(position uint64) { s.Hear(applied.Signal{Sequence: position, Position: position}) }
		hear(10)
		expect := func(what string, position uint64, want bool, after time.Duration) {
			t.Helper()
			began := time.Now()
			if got := s.Await(t.Context(), position, 2*time.Second) >= position; got != want || time.Since(began) != after {
				t.Errorf("%s: %v after %s, want %v after %s", what, got, time.Since(began), want, after)
			}
		}
		expect("none", 0, true, 0)
		expect("what is there", 10, true, 0)
		time.AfterFunc(500*time.Millisecond, func() { hear(11) })
		time.AfterFunc(time.Second, func() { hear(15) })
		expect("what comes, though less comes first", 12, true, time.Second)
		expect("what does not come", 16, false, 2*time.Second)
		expect("what never comes", 1<<63, false, 2*time.Second)
		time.AfterFunc(time.Second, func() { hear(0) })
		time.AfterFunc(1500*time.Millisecond, func() { hear(16) })
		expect("what comes after the indexes were exchanged", 16, true, 1500*time.Millisecond)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if s.Await(ctx, 17, 2*time.Second) != 16 || time.Since(began) != time.Second {
			t.Errorf("waits for %s though the request has ended", time.Since(began))
		}
		if left := len(s.waiting.wanted); left != 0 {
			t.Errorf("%d wait for ever", left)
		}
	})
}

// Each of many requests waits for its own position, not for the others' positions; the number of
// waiting requests is bounded.
func TestManyAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSignal(time.Now)
		var all sync.WaitGroup
		for position := range uint64(maxWaiting) {
			all.Go(func() {
				began, comes := time.Now(), time.Duration(position%3+1)*time.Second
				want := comes < 3*time.Second
				if got := s.Await(t.Context(), position%3+1, 2500*time.Millisecond) > position%3; got != want {
					t.Errorf("position %d: %v", position%3+1, got)
				}
				if waited := time.Since(began); waited != min(comes, 2500*time.Millisecond) {
					t.Errorf("position %d after %s", position%3+1, waited)
				}
			})
		}
		synctest.Wait()
		if began := time.Now(); s.Await(t.Context(), 1, time.Second) != 0 || time.Since(began) != 0 {
			t.Error("one more waits")
		}
		for position := range uint64(3) {
			time.Sleep(time.Second)
			s.Hear(applied.Signal{Position: position + 1})
		}
		all.Wait()
	})
}
