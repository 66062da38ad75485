package budget

import (
	"context"
	"errors"
	"testing"
)

func TestBudgetEnds(t *testing.T) {
	t.Parallel()
	b := New(t.Context(), 10)
	if !b.Spend(4) || !b.Spend(6) || b.Err() != nil {
		t.Fatalf("ended early: %v", b.Err())
	}
	if b.Spend(1) || b.Spend(0) || !errors.Is(b.Err(), ErrSpent) {
		t.Errorf("goes on: %v", b.Err())
	}
}

// TestPartsEnd: a part ends without its whole, but not the other way round.
func TestPartsEnd(t *testing.T) {
	t.Parallel()
	whole := New(t.Context(), 10)
	part := whole.Part(4)
	if part.Spend(5) || !errors.Is(part.Err(), ErrSpent) || whole.Err() != nil {
		t.Errorf("a part: %v, its whole: %v", part.Err(), whole.Err())
	}
	other := whole.Part(100)
	if other.Spend(11) || !errors.Is(other.Err(), ErrSpent) || !errors.Is(whole.Err(), ErrSpent) {
		t.Errorf("a part: %v, its whole: %v", other.Err(), whole.Err())
	}
}

func TestBudgetEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	b := New(ctx, 1_000_000)
	part := b.Part(1_000_000)
	if !part.Spend(1) {
		t.Fatal(part.Err())
	}
	cancel()
	steps := 0
	for ; part.Spend(1); steps++ {
	}
	if steps > askEvery || !errors.Is(part.Err(), context.Canceled) {
		t.Errorf("%d steps after the end: %v", steps, part.Err())
	}
}

func TestWithoutBudget(t *testing.T) {
	t.Parallel()
	var b *Budget
	if !b.Spend(1<<40) || b.Err() != nil || b.Part(1) != nil {
		t.Error("ended")
	}
}
