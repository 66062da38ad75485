package apply_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/services/projector/internal/apply"
	"litfass/services/projector/internal/testkit"
)

// following is a running Follow. Each batch and slice waits for the test to look at it.
type following struct {
	t       *testing.T
	world   *testkit.World
	batches chan *apply.Batch
	looked  chan struct{}
	stop    func()
}

func follow(t *testing.T, w *testkit.World, durable string) *following {
	t.Helper()
	a, _ := setup(t, w)
	consumer, err := w.Stream.Consumer(t.Context(), durable)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	f := &following{t: t, world: w, batches: make(chan *apply.Batch), looked: make(chan struct{})}
	done := make(chan error, 1)
	go func() {
		done <- a.Follow(ctx, w.Stream, consumer, &sync.Mutex{}, func(b *apply.Batch) {
			select {
			case f.batches <- b:
				select {
				case <-f.looked:
				case <-ctx.Done():
				}
			case <-ctx.Done():
			}
		})
	}()
	f.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("follow ended with %v", err)
		}
		consumer.Stop()
	})
	t.Cleanup(f.stop)
	return f
}

// until looks at batches until look returns true, and returns their number.
func (f *following) until(look func(*apply.Batch) bool) (count int) {
	f.t.Helper()
	for {
		select {
		case batch := <-f.batches:
			count++
			found := look(batch)
			f.looked <- struct{}{}
			if found {
				return count
			}
		case <-time.After(testkit.Patience):
			f.t.Fatalf("waited too long, after %d batches", count)
		}
	}
}

// upTo is a look for everything up to a sequence.
func upTo(sequence uint64) func(*apply.Batch) bool {
	return func(b *apply.Batch) bool { return b.Sequence >= sequence }
}

func (f *following) last() uint64 {
	f.t.Helper()
	last, err := f.world.Stream.LastSequence(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	return last
}

// wrote is a look for a batch that has a date, or the record of an event.
func wrote(id string) func(*apply.Batch) bool {
	return func(b *apply.Batch) bool {
		if slices.Contains(b.Altered.Records[document.Events], id) {
			return true
		}
		for _, date := range b.Altered.Dates {
			if date.ID == id {
				return true
			}
		}
		return false
	}
}

// TestASmallEditOvertakesLargeEvents: each of two large events is written in slices, an edit of
// another organization comes between them, and nothing counts as applied before a slice is missing.
func TestASmallEditOvertakesLargeEvents(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	f := follow(t, w, "x")
	w.Publish(testkit.Event(t, testkit.ID(), 1, "first"))
	f.until(upTo(1))
	first, second, small := testkit.ID(), testkit.ID(), testkit.ID()
	w.Publish(testkit.Large(t, first, 1, "first", testkit.IDs(120), nil), testkit.Large(t, second, 1, "second", testkit.IDs(120), nil))
	f.until(func(b *apply.Batch) bool { return len(b.Altered.Dates) > 0 })
	w.Publish(testkit.Event(t, small, 1, "small", testkit.ID()))
	slices := f.until(func(b *apply.Batch) bool {
		if b.Sequence != 1 {
			t.Errorf("sequence %d is applied, with events of which slices are missing", b.Sequence)
		}
		return wrote(small)(b)
	})
	if slices > 3 || w.Get(document.Events, first) != nil {
		t.Errorf("the small edit is the %dth batch", slices)
	}
	if n := f.until(upTo(f.last())); n < 6 {
		t.Errorf("two large events are %d slices", n)
	}
	w.MustAgree()
}

// TestSlicesSayWhatTheyAlter: every date of an event is named by one of its slices, before and
// after, and the last slice says that anything may have changed: counts compare dates of different
// slices.
func TestSlicesSayWhatTheyAlter(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	f := follow(t, w, "x")
	id, dates := testkit.ID(), testkit.IDs(120)
	w.Publish(testkit.Event(t, testkit.ID(), 1, "before"))
	f.until(upTo(1))
	w.Publish(testkit.Large(t, id, 1, "one", dates, nil))
	f.until(upTo(f.last()))
	stays := append(slices.Clone(dates[:110]), testkit.ID())
	w.Publish(testkit.Large(t, id, 2, "two", stays, nil))
	named := map[string]string{}
	f.until(func(b *apply.Batch) bool {
		for _, date := range b.Altered.Dates {
			named[date.ID] += string(date.Before["title_words"]) + string(date.After["title_words"])
		}
		last := b.Sequence >= f.last()
		if b.Altered.All != last || b.Version == "" {
			t.Errorf("all: %v in a slice that is the last: %v; version %q", b.Altered.All, last, b.Version)
		}
		return last
	})
	for _, date := range dates[:110] {
		if named[date] != `"one""two"` {
			t.Fatalf("%s is named as %s", date, named[date])
		}
	}
	if named[stays[110]] != `"two"` || len(named) != 121 || named[dates[119]] != `"one"` {
		t.Errorf("%d dates are named, the new one as %s", len(named), named[stays[110]])
	}
	w.MustAgree()
}

// TestNewerChangesAmidSlices: what takes the event back ends the writing of it at once, and every
// other newer change waits for its end, so that an event that is edited without end is complete now
// and then.
func TestNewerChangesAmidSlices(t *testing.T) {
	t.Parallel()
	dates := testkit.IDs(120)
	for _, c := range []struct {
		name  string
		newer func(id string, revision int64) change.Change
		ends  bool // the slices of the change before
	}{
		{"a tombstone", func(id string, revision int64) change.Change {
			return testkit.Change(t, change.KindEvent, id, revision, nil)
		}, true},
		{"a small one", func(id string, revision int64) change.Change {
			return testkit.Event(t, id, revision, "small", dates[:3]...)
		}, true},
		{"a cancellation", func(id string, revision int64) change.Change {
			return testkit.Large(t, id, revision, "off", dates, func(e *change.Event) { e.ReleaseStatus = "cancelled" })
		}, true},
		{"a large one", func(id string, revision int64) change.Change {
			return testkit.Large(t, id, revision, "next", dates, nil)
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := testkit.New(t)
			f := follow(t, w, "x")
			id, revision := testkit.ID(), int64(1)
			w.Publish(testkit.Large(t, id, revision, "one", dates, nil))
			f.until(func(*apply.Batch) bool { return true })
			if !c.ends { // an edit with every slice
				revisions := map[int64]bool{}
				f.until(func(b *apply.Batch) bool {
					revision++
					w.Publish(c.newer(id, revision))
					if d := w.Get(document.Events, id); d != nil {
						var indexed int64
						if err := json.Unmarshal(d["revision"], &indexed); err != nil {
							t.Error(err)
						}
						revisions[indexed] = true
					}
					return len(revisions) == 2
				})
			} else {
				w.Publish(c.newer(id, revision+1))
				f.until(func(b *apply.Batch) bool {
					if d := w.Get(document.Events, id); d != nil && string(d["revision"]) == "1" {
						t.Error("the older change was completed")
					}
					return b.Sequence >= 2
				})
			}
			if !c.ends {
				f.until(func(b *apply.Batch) bool { return b.Sequence >= f.last() })
			}
			w.MustAgree()
		})
	}
}

// TestSlicesThatBrokeOffAreWrittenAgain: a projector dies between two slices; its successor gets
// the event again.
func TestSlicesThatBrokeOffAreWrittenAgain(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	f := follow(t, w, "x")
	id := testkit.ID()
	w.Publish(testkit.Large(t, id, 1, "one", testkit.IDs(120), nil))
	f.until(func(b *apply.Batch) bool { return len(w.Dates(id)) > 0 })
	f.stop()
	if w.Get(document.Events, id) != nil {
		t.Fatal("the event was completed")
	}
	f = follow(t, w, "x")
	f.until(upTo(f.last()))
	w.MustAgree()
}

// TestWithdrawalOfALargeEvent: its dates are deleted in slices, its record first, and the
// cancellation of some dates comes before the other dates.
func TestWithdrawalOfALargeEvent(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	f := follow(t, w, "x")
	id, dates := testkit.ID(), testkit.IDs(120)
	w.Publish(testkit.Large(t, id, 1, "one", dates, nil))
	f.until(upTo(f.last()))
	w.Publish(testkit.Large(t, id, 2, "one", dates, func(e *change.Event) { e.Dates[90].ReleaseStatus = "cancelled" }))
	f.until(func(*apply.Batch) bool { return true })
	if d := w.Get(document.Dates, dates[90]); string(d["release_status"]) != `"cancelled"` {
		t.Errorf("the cancelled date is %s after the first slice", d["release_status"])
	}
	f.until(upTo(f.last()))
	w.MustAgree()
	w.Publish(testkit.Change(t, change.KindEvent, id, 3, nil))
	deleting := 0
	f.until(func(b *apply.Batch) bool {
		if n := len(w.Dates(id)); n > 0 && n < 120 {
			deleting++
			if d := w.Get(document.Events, id); string(d["gone"]) != "true" {
				t.Error("the event is there while its dates go")
			}
		}
		return b.Sequence >= f.last()
	})
	if deleting == 0 {
		t.Error("all dates were deleted at once")
	}
	w.MustAgree()
}

// TestWithdrawalAmongMany: the withdrawal of a large event comes with so many other changes that
// their batches are written in a row.
func TestWithdrawalAmongMany(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	f := follow(t, w, "x")
	id := testkit.ID()
	w.Publish(testkit.Large(t, id, 1, "one", testkit.IDs(120), nil))
	f.until(upTo(f.last()))
	f.stop()
	changes := []change.Change{testkit.Change(t, change.KindEvent, id, 2, nil)}
	for range 1_100 {
		changes = append(changes, testkit.Event(t, testkit.ID(), 1, "other"))
	}
	w.Publish(changes...)
	f = follow(t, w, "x")
	f.until(upTo(f.last()))
	if n := len(w.Dates(id)); n > 0 {
		t.Errorf("%d dates are left", n)
	}
	w.MustAgree()
}

// TestARefusedSliceIsADeadLetter: the engine refuses a date of a large event, which others survive.
func TestARefusedSliceIsADeadLetter(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	f := follow(t, w, "x")
	id := testkit.ID()
	w.Publish(testkit.Large(t, id, 1, "one", append(testkit.IDs(119), "not an id!"), nil), testkit.Event(t, testkit.ID(), 1, "other"))
	f.until(upTo(f.last()))
	if _, found, err := w.Stream.DeadLetters("north").Of(t.Context(), "event", id); !found || err != nil {
		t.Errorf("dead letter: %v, %v", found, err)
	}
}

// TestAMessageThatIsReplacedBeforeItsTurn: a large event is read when its turn comes. When the
// stream has a newer one by then, nothing counts as applied before that is.
func TestAMessageThatIsReplacedBeforeItsTurn(t *testing.T) {
	t.Parallel()
	w := testkit.New(t)
	id := testkit.ID()
	w.Publish(testkit.Large(t, testkit.ID(), 1, "before", testkit.IDs(120), nil), testkit.Large(t, id, 1, "one", testkit.IDs(120), nil))
	f := follow(t, w, "x")
	f.until(func(*apply.Batch) bool { return true }) // both are received
	subject := testkit.Event(t, id, 1, "").Subject(w.Stream.Prefix())
	if _, ok, _, err := w.Stream.At(t.Context(), 2, subject); !ok || err != nil {
		t.Fatalf("%v, %v", ok, err)
	}
	w.Publish(testkit.Large(t, id, 2, "two", testkit.IDs(100), nil))
	if _, ok, replaced, err := w.Stream.At(t.Context(), 2, subject); ok || !replaced || err != nil {
		t.Errorf("found %v, replaced %v, %v", ok, replaced, err)
	}
	f.until(upTo(3))
	w.MustAgree()
	if err := w.Stream.Remove(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if _, ok, replaced, err := w.Stream.At(t.Context(), 1, "other"); ok || replaced || err != nil {
		t.Errorf("found %v, replaced %v, %v", ok, replaced, err)
	}
	if _, _, _, err := w.Stream.At(t.Context(), 9, subject); err == nil {
		t.Error("a message beyond the end is known to be gone")
	}
}
