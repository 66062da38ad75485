package cache

import (
	"context"
	"testing"
	"time"

	"litfass/pkg/contracts/applied"
)

// An answer that uses an older value has its position, and no other does.
func TestPositionOfAnAnswer(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	signal := NewSignal(clock)
	value := NewValue(signal, clock, func(context.Context) (int, error) { return 1, nil })
	answer := func(least uint64) uint64 {
		t.Helper()
		ctx, position := signal.Track(t.Context(), least)
		if _, err := value.Get(ctx); err != nil {
			t.Fatal(err)
		}
		return position.Number()
	}
	hear := func(sequence, position uint64) { signal.Hear(applied.Signal{Sequence: sequence, Position: position}) }
	if got := answer(0); got != 0 {
		t.Errorf("before any signal: %d", got)
	}
	now = now.Add(2 * time.Second)
	hear(1, 10)
	if got := answer(0); got != 10 {
		t.Errorf("a new value: %d", got)
	}
	hear(1, 11)
	if got := answer(0); got != 11 {
		t.Errorf("an older value, while the index did not change: %d", got)
	}
	hear(2, 12)
	now = now.Add(time.Millisecond)
	if got := answer(0); got != 12 {
		t.Errorf("a value after a change, whose position must not go back: %d", got)
	}
	hear(3, 13)
	now = now.Add(2 * time.Second)
	if got := answer(0); got != 13 {
		t.Errorf("too old a value is read again: %d", got)
	}
	hear(4, 0)
	if got := answer(0); got != 0 {
		t.Errorf("an index of which nothing is known: %d", got)
	}
}
