package outbox_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/publish/outbox"
)

// positioned is a stream that shows each position before it is signalled.
type positioned struct {
	outbox.Publisher
	seen func(position uint64)
}

func (p positioned) SignalComplete(what stream.Completion) error {
	p.seen(what.Position)
	return p.Publisher.SignalComplete(what)
}

// retitle stores a title and enqueues the event, in the caller's transaction, and returns that
// transaction's number.
func retitle(ctx context.Context, tx pgx.Tx, event, title string) (number uint64, err error) {
	if _, err := tx.Exec(ctx, `UPDATE event SET title = $2 WHERE uuid = $1`, event, title); err != nil {
		return 0, err
	}
	if err := outbox.Enqueue(ctx, tx, change.KindEvent, []string{event}); err != nil {
		return 0, err
	}
	return number, tx.QueryRow(ctx, `SELECT pg_current_xact_id()::text::bigint`).Scan(&number)
}

func published(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, streamtest.Open(t, streamtest.Config(t)))
	if err := w.stream.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

// A transaction that began to write first and commits last must not be passed by the position,
// though a later one is published long before.
func TestPositionWaitsForOpenTransactions(t *testing.T) {
	t.Parallel()
	w := published(t)
	early, late := w.event("early"), w.event("late")
	w.write(early, late)
	var position, rounds atomic.Uint64
	w.start(positioned{w.stream, func(p uint64) { position.Store(p); rounds.Add(1) }}, time.Now)
	open, err := w.db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = open.Rollback(context.WithoutCancel(t.Context())) }()
	first, err := retitle(t.Context(), open, early.UUID, "early, changed")
	if err != nil {
		t.Fatal(err)
	}
	ctx, tracked := postgres.Track(t.Context())
	err = w.db.InTx(ctx, func(tx pgx.Tx) error {
		_, err := retitle(ctx, tx, late.UUID, "late, changed")
		return err
	})
	second := tracked.Number()
	if err != nil || second <= first {
		t.Fatalf("numbers %d and %d, %v", first, second, err)
	}
	w.until("the later one is published", func() bool { return w.title(late.UUID) == "late, changed" })
	before := rounds.Load()
	w.until("two more rounds were relayed", func() bool { return rounds.Load() >= before+2 })
	if got := position.Load(); got >= first {
		t.Errorf("position %d, though transaction %d is open", got, first)
	}
	if err := open.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.until("the position reaches both", func() bool { return position.Load() >= second })
	if got := w.title(early.UUID); got != "early, changed" {
		t.Errorf("position %d, and the stream holds %q", position.Load(), got)
	}
}

// A transaction without a public change is reached, too, and rows that can never be published do
// not hold the position back.
func TestPositionReachesWhatIsNotPublic(t *testing.T) {
	t.Parallel()
	w := published(t)
	var position atomic.Uint64
	w.start(positioned{w.stream, position.Store}, time.Now)
	w.until("the relay leads", func() bool { return position.Load() > 0 })
	w.exec(`INSERT INTO outbox (kind, entity_id, attempts, retry_at, last_error)
		VALUES ('organization', $1, 1, $2, 'too big')`, newID(), time.Now().Add(time.Hour))
	for i := range 3 {
		draft := w.event(fmt.Sprintf("draft %d", i))
		draft.ReleaseStatus = rules.StatusDraft
		ctx, tracked := postgres.Track(t.Context())
		err := w.db.InTx(ctx, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `UPDATE organization SET name = name || '!' WHERE uuid = $1`, w.org)
			return err
		})
		if err != nil || tracked.Number() == 0 {
			t.Fatalf("number %d, %v", tracked.Number(), err)
		}
		w.until("the position reaches it", func() bool { return position.Load() >= tracked.Number() })
	}
	if state := w.outbox(); state.Pending != 0 || state.Failed == 0 {
		t.Errorf("the outbox has %+v", state)
	}
}

// A round that leaves rows stays below their transactions.
func TestPositionStaysBelowUnsentRows(t *testing.T) {
	t.Parallel()
	w := published(t)
	events := []*rules.Event{w.event("0"), w.event("1"), w.event("2")}
	w.write(events[0], events[1], events[2])
	w.exec(`DELETE FROM outbox`)
	var numbers []uint64
	for _, e := range events {
		err := w.db.InTx(t.Context(), func(tx pgx.Tx) error {
			number, err := retitle(t.Context(), tx, e.UUID, "changed")
			numbers = append(numbers, number)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	taken := 0
	position, err := outbox.PublishDue(t.Context(), w.db, 2, func(_ context.Context, changes []change.Change) error {
		taken = len(changes)
		return nil
	})
	if err != nil || taken != 2 || position >= numbers[2] {
		t.Errorf("%d changes, position %d below %v, %v", taken, position, numbers, err)
	}
}

// written is a title that a transaction with a number has given to an event.
type written struct {
	number uint64
	event  string
	title  int
}

// book records the committed titles, and compares the stream with them at every position.
type book struct {
	w        *world
	mu       sync.Mutex
	all      []written
	checking sync.Mutex // held while the stream is compared
	greatest uint64     // position that was compared
	closed   bool
}

func (b *book) note(one written) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = append(b.all, one)
}

// check compares the stream with the titles that were committed up to a position.
func (b *book) check(position uint64) {
	b.checking.Lock()
	defer b.checking.Unlock()
	if b.closed {
		return
	}
	b.mu.Lock()
	known := slices.Clone(b.all)
	b.mu.Unlock()
	for _, one := range known {
		if one.number > position {
			continue
		}
		if title, err := strconv.Atoi(b.w.title(one.event)); err != nil || title < one.title {
			b.w.t.Errorf("position %d, and of event %s the stream holds title %d: transaction %d wrote %d (%v)",
				position, one.event, title, one.number, one.title, err)
		}
	}
	b.greatest = position
}

// checked returns the greatest position that was compared.
func (b *book) checked() uint64 {
	b.checking.Lock()
	defer b.checking.Unlock()
	return b.greatest
}

// close waits for a comparison that is under way: the test must not end before.
func (b *book) close() {
	b.checking.Lock()
	defer b.checking.Unlock()
	b.closed = true
}

// edit gives an event one title after the other, each in a transaction that stays open for a while.
func (b *book) edit(ctx context.Context, event string, edits int, pause func(title int) (milliseconds int)) error {
	for title := 1; title <= edits; title++ {
		one := written{event: event, title: title}
		err := b.w.db.InTx(ctx, func(tx pgx.Tx) (err error) {
			if one.number, err = retitle(ctx, tx, event, strconv.Itoa(title)); err != nil {
				return err
			}
			_, err = tx.Exec(ctx, `SELECT pg_sleep($1::float8 / 1000)`, pause(title))
			return err
		})
		if err != nil {
			return err
		}
		b.note(one)
	}
	return nil
}

// Whenever a position is signalled, the stream holds the writes of every transaction up to it: many
// writers at once, each of which holds its transaction open for a while of its own.
func TestPositionIsNeverAheadOfTheStream(t *testing.T) {
	t.Parallel()
	const writers, edits = 8, 15
	w := published(t)
	b := &book{w: w}
	w.start(positioned{w.stream, b.check}, time.Now)
	var group errgroup.Group
	for i := range writers {
		e := w.event("0")
		w.write(e)
		group.Go(func() error {
			return b.edit(t.Context(), e.UUID, edits, func(title int) int { return (i*7 + title*5) % 23 })
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	last := slices.MaxFunc(b.all, func(one, other written) int { return cmp.Compare(one.number, other.number) })
	w.until("the position reaches the last one", func() bool { return b.checked() >= last.number })
	b.close()
}

// A projector hears the position with a sequence at which the stream already was.
func TestPositionIsSignalledWithItsSequence(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	w := newWorld(t, streamtest.Open(t, config))
	listener := streamtest.Open(t, config)
	var mu sync.Mutex
	var sequence, position uint64
	unsubscribe, err := listener.OnComplete(func(c stream.Completion) {
		mu.Lock()
		defer mu.Unlock()
		sequence, position = c.Sequence, c.Position
	})
	if err != nil {
		t.Fatal(err)
	}
	defer unsubscribe()
	var publisher outbox.Publisher = w.stream
	w.start(publisher, time.Now)
	ctx, tracked := postgres.Track(t.Context())
	e := w.event("new")
	w.write(e)
	if err := w.db.InTx(ctx, func(pgx.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	w.until("the position is heard", func() bool { mu.Lock(); defer mu.Unlock(); return position >= tracked.Number() })
	mu.Lock()
	defer mu.Unlock()
	var at stream.Message
	if at, _, err = w.stream.Last(t.Context(), change.KindEvent, e.UUID); err != nil || at.Sequence == 0 || sequence < at.Sequence {
		t.Errorf("sequence %d, the event lies at %d, %v", sequence, at.Sequence, err)
	}
}
