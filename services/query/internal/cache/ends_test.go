package cache

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"testing"
	"time"

	"litfass/pkg/contracts/applied"
)

// TestEndsAreReadAgain: the ends around the present moment are read again when it leaves them, when
// a date ends between them after a batch, and while the signal is silent.
func TestEndsAreReadAgain(t *testing.T) {
	w := newWorld()
	at := time.Unix(1000, 0)
	loads, ends := 0, []int64{900, 1100, 2000}
	var loadErr error
	var meanwhile func()
	e := NewEnds(w.signal, func() time.Time { return at }, func(_ context.Context, now int64) (Lull, error) {
		loads++
		lull := Lull{Next: Endless}
		for _, end := range ends {
			if end <= now {
				lull.Last = max(lull.Last, end)
			} else {
				lull.Next = min(lull.Next, end)
			}
		}
		if meanwhile != nil {
			meanwhile()
		}
		return lull, loadErr
	})
	var batches uint64
	endsAt := func(end int64) applied.Attributes {
		return applied.Attributes{"ends_at": json.RawMessage(strconv.FormatInt(end, 10))}
	}
	send := func(dates ...applied.Date) {
		batches++
		w.signal.Hear(applied.Signal{Session: "s", Batches: batches, Batch: &applied.Batch{Dates: dates}})
	}
	hear := func(changes ...int64) {
		var dates []applied.Date
		for _, end := range changes {
			dates = append(dates, applied.Date{ID: "d", After: endsAt(end)})
		}
		send(dates...)
	}
	edit := func(before, after int64) { send(applied.Date{ID: "d", Before: endsAt(before), After: endsAt(after)}) }
	w.signal.Hear(applied.Signal{Session: "s"})
	for _, step := range []struct {
		name  string
		do    func()
		want  Lull
		loads int
	}{
		{"first", func() {}, Lull{900, 1100}, 1},
		{"again", func() {}, Lull{900, 1100}, 1},
		{"other ends", func() { hear(900, 1100, 5000, 10) }, Lull{900, 1100}, 1},
		{"an end before now", func() { ends = append(ends, 950); hear(950) }, Lull{950, 1100}, 2},
		{"an end after now", func() { ends = append(ends, 1050); hear(1050) }, Lull{950, 1050}, 3},
		{"just before an end", func() { at = time.Unix(1049, 999) }, Lull{950, 1050}, 3},
		{"at an end", func() { at = time.Unix(1050, 0) }, Lull{1050, 1100}, 4},
		{"an edit of an end that stays away", func() { edit(5000, 4000) }, Lull{1050, 1100}, 4},
		{"an edit of an end to one after now", func() { ends = append(ends, 1060); edit(5000, 1060) }, Lull{1050, 1060}, 5},
		{"anything changed", func() { w.signal.Hear(applied.Signal{Session: "other"}); batches = 0 }, Lull{1050, 1060}, 6},
		{"silent", func() { fallSilent(w.signal) }, Lull{1050, 1060}, 7},
		{"still silent", func() {}, Lull{1050, 1060}, 8},
		{"after the last end", func() { at = time.Unix(3000, 0); w.signal.Hear(applied.Signal{Session: "x"}) }, Lull{2000, Endless}, 9},
		{"a batch during the load", func() {
			w.signal.Hear(applied.Signal{Session: "y"})
			batches = 0
			meanwhile = func() { meanwhile = nil; ends = append(ends, 4000); hear(4000) }
		}, Lull{2000, Endless}, 10},
		{"after that load", func() {}, Lull{2000, 4000}, 11},
	} {
		step.do()
		if got, err := e.Now(t.Context()); err != nil || got != step.want || loads != step.loads {
			t.Errorf("%s: %v after %d loads, %v; want %v after %d", step.name, got, loads, err, step.want, step.loads)
		}
	}
	at, loadErr = time.Unix(5000, 0), errors.New("down")
	if _, err := e.Now(t.Context()); !errors.Is(err, loadErr) {
		t.Errorf("error %v", err)
	}
}
