package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/publish/outbox"
)

// filled is a world whose stream holds all of its events.
type filled struct {
	*world
	config stream.Config
	events []*rules.Event
}

// newFilled returns a world that a relay has relayed; none runs any more.
func newFilled(t *testing.T, events int) *filled {
	t.Helper()
	config := streamtest.Config(t)
	f := &filled{world: newWorld(t, streamtest.Open(t, config)), config: config}
	if err := f.stream.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	entities := make([]rules.Entity, events)
	for i := range events {
		e := f.event(fmt.Sprintf("event %d", i))
		entities[i], f.events = e, append(f.events, e)
	}
	f.write(entities...)
	_, stop := f.start(f.stream, time.Now)
	f.untilEmpty()
	f.until("the stream is known", f.known)
	stop()
	return f
}

// known reports whether the database knows how far the stream has got.
func (f *filled) known() bool {
	f.t.Helper()
	var known bool
	const query = `SELECT EXISTS (SELECT FROM relay_stream WHERE refill_until IS NULL)`
	if err := f.db.QueryRow(f.t.Context(), query).Scan(&known); err != nil {
		f.t.Fatal(err)
	}
	return known
}

// lose deletes the stream and creates it again, empty, as a projector does.
func (f *filled) lose() {
	f.t.Helper()
	err := streamtest.JetStream(f.t, f.config.URL).DeleteStream(f.t.Context(), f.config.Name)
	if err = errors.Join(err, streamtest.Open(f.t, f.config).Ensure(f.t.Context())); err != nil {
		f.t.Fatal(err)
	}
}

// holdsAll reports whether the stream holds every event.
func (f *filled) holdsAll() bool {
	f.t.Helper()
	state, err := f.stream.State(f.t.Context())
	return err == nil && state.Messages >= uint64(len(f.events)) && f.title(f.events[0].UUID) != "" &&
		f.title(f.events[len(f.events)-1].UUID) != ""
}

// signalled is a stream that counts signals of each kind.
type signalled struct {
	outbox.Publisher
	holdsAll func() bool
	whole    atomic.Int64
	short    atomic.Int64 // while the stream does not hold everything
}

func (s *signalled) SignalComplete(what stream.Completion) error {
	if s.holdsAll() {
		s.whole.Add(1)
	} else {
		s.short.Add(1)
	}
	return s.Publisher.SignalComplete(what)
}

// A stream that was lost while the relay runs is refilled without any command, edits included, and
// until it holds everything none is announced as complete.
func TestLostStreamIsFilledAnew(t *testing.T) {
	t.Parallel()
	f := newFilled(t, outbox.BatchRows+100) // more than one round
	seen := &signalled{Publisher: f.stream, holdsAll: f.holdsAll}
	f.start(seen, time.Now)
	f.until("a signal", func() bool { return seen.whole.Load() > 0 })
	f.lose()
	before := seen.whole.Load()
	f.events[0].Title = "edited meanwhile"
	f.write(f.events[0])
	f.until("the new stream is announced", func() bool { return f.holdsAll() && seen.whole.Load() > before+1 })
	if got := f.title(f.events[0].UUID); got != "edited meanwhile" {
		t.Errorf("the stream holds %q", got)
	}
	if short := seen.short.Load(); short > 0 {
		t.Errorf("%d signals while the stream did not hold everything", short)
	}
}

// A loss while no relay ran is noticed by the next one: the stream is a new one, is empty, or ends
// before messages that were deleted from the outbox.
func TestLossIsNoticedAtTheNextStart(t *testing.T) {
	t.Parallel()
	for name, loseSomething := range map[string]func(f *filled){
		"another stream": func(f *filled) { f.lose() },
		"all messages": func(f *filled) {
			held, err := streamtest.JetStream(f.t, f.config.URL).Stream(f.t.Context(), f.config.Name)
			if err == nil {
				err = held.Purge(f.t.Context())
			}
			if err != nil {
				f.t.Fatal(err)
			}
		},
		"the newest messages": func(f *filled) { f.exec(`UPDATE relay_stream SET sequence = sequence + 7`) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFilled(t, 3)
			loseSomething(f)
			var refills atomic.Int64
			refill := func(ctx context.Context) error {
				if refills.Add(1) == 1 {
					return errors.New("the first attempt fails")
				}
				return f.refill(ctx)
			}
			seen := &signalled{Publisher: f.stream, holdsAll: f.holdsAll}
			_, stop := f.startWith(seen, refill, time.Now)
			f.until("the stream is complete", func() bool { return f.holdsAll() && seen.whole.Load() > 1 })
			stop()
			_, stop = f.startWith(seen, refill, time.Now)
			before := seen.whole.Load()
			f.until("another relay leads", func() bool { return seen.whole.Load() > before+1 })
			stop()
			if refills.Load() != 2 || seen.short.Load() > 0 || !f.known() {
				t.Errorf("filled %d times, %d signals too early, known %v", refills.Load(), seen.short.Load(), f.known())
			}
		})
	}
}

// A relay that ends while the stream is being filled leaves it to the next one to announce it.
func TestRefillOutlivesTheRelay(t *testing.T) {
	t.Parallel()
	f := newFilled(t, 3)
	f.lose()
	slow := stall(f.stream)
	_, stop := f.start(slow, time.Now)
	<-slow.entered // everything is enqueued now
	f.exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND application_name = 'litfass-relay' AND xact_start IS NOT NULL`)
	if f.known() {
		t.Error("the stream counts as filled before anything is published")
	}
	seen := &signalled{Publisher: f.stream, holdsAll: f.holdsAll}
	f.startWith(seen, func(context.Context) error { t.Error("everything is enqueued again"); return nil }, time.Now)
	f.until("the stream is complete", func() bool { return f.holdsAll() && seen.whole.Load() > 0 })
	close(slow.letGo)
	stop()
	if seen.short.Load() > 0 || !f.known() {
		t.Errorf("%d signals too early, known %v", seen.short.Load(), f.known())
	}
}

// A stream that a former version has filled is accepted, and so is an empty one if the database has
// never published; otherwise an empty one was lost.
func TestStreamThatTheDatabaseDoesNotKnow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		prepare func(f *filled)
		refills int64
	}{
		{"filled by a former version", func(*filled) {}, 0},
		{"of a new installation", func(f *filled) {
			f.lose()
			f.exec(`DELETE FROM outbox`)
			f.exec(`ALTER SEQUENCE catalog_revision RESTART`)
			f.events = nil
		}, 0},
		{"lost during the upgrade", func(f *filled) { f.lose() }, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFilled(t, 3)
			test.prepare(f)
			f.exec(`DELETE FROM relay_stream`)
			var refills, signals atomic.Int64
			refill := func(ctx context.Context) error { refills.Add(1); return f.refill(ctx) }
			f.startWith(positioned{f.stream, func(uint64) { signals.Add(1) }}, refill, time.Now)
			f.until("it is announced as complete", func() bool { return signals.Load() > 1 })
			if refills.Load() != test.refills || !f.known() {
				t.Errorf("filled %d times, want %d; known %v", refills.Load(), test.refills, f.known())
			}
		})
	}
}
