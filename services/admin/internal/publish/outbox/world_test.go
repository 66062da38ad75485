package outbox_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/publish/outbox"
	"litfass/services/admin/internal/publish/verify"
)

// world is a database and a stream of one test, with one organization, one venue and its two
// spaces.
type world struct {
	t            *testing.T
	db           *postgres.DB
	stream       *stream.Stream
	org, venue   string
	hall, garden string
}

func newWorld(t *testing.T, s *stream.Stream) *world {
	t.Helper()
	db, _ := storetest.New(t)
	w := &world{t: t, db: db, stream: s, org: newID(), venue: newID(), hall: newID(), garden: newID()}
	lat, lon := 54.3233, 10.1228
	w.write(
		&rules.Organization{UUID: w.org, Name: "Kulturverein", WebLink: "https://verein.example"},
		&rules.Venue{UUID: w.venue, OrgUUID: w.org, Name: "Alte Schmiede", Use: adminapi.VenueOpen, City: "Kiel", Country: "DEU", Lat: &lat, Lon: &lon,
			AccessibilityFlags: pointer(value.Mask(1<<47 | 1))},
		&rules.Space{UUID: w.hall, VenueUUID: w.venue, Name: "Saal", SpaceType: "hall"},
		&rules.Space{UUID: w.garden, VenueUUID: w.venue, Name: "Garten", SpaceType: "garden"},
	)
	return w
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

func pointer[T any](v T) *T { return &v }

// event returns a released event with one date in the hall.
func (w *world) event(title string) *rules.Event {
	return &rules.Event{
		UUID: newID(), OrgUUID: w.org, VenueUUID: value.Text(w.venue), SpaceUUID: value.Text(w.hall), Title: title,
		ReleaseStatus: rules.StatusReleased,
		Dates:         []rules.Date{{UUID: newID(), StartDate: "2026-11-20", StartTime: "19:30"}},
	}
}

// write saves entities, which notes them in the outbox.
func (w *world) write(entities ...rules.Entity) {
	w.t.Helper()
	results, err := editing.NewOperator(w.db).Save(w.t.Context(), entities)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, result := range results {
		if result.Err != nil {
			w.t.Fatal(result.Err)
		}
	}
}

// release releases the events that are due, as the relay does.
func (w *world) release(ctx context.Context, now time.Time) (released int, err error) {
	err = pgx.BeginFunc(ctx, w.db.Pool(), func(tx pgx.Tx) (err error) {
		released, err = editing.ReleaseDue(ctx, tx, now)
		return err
	})
	return released, err
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	if _, err := w.db.Pool().Exec(w.t.Context(), sql, args...); err != nil {
		w.t.Fatal(err)
	}
}

// present returns the time by the clock of the database, which decides whether a release is in the
// future when an event is written.
func (w *world) present() (now time.Time) {
	w.t.Helper()
	if err := w.db.QueryRow(w.t.Context(), "SELECT now()").Scan(&now); err != nil {
		w.t.Fatal(err)
	}
	return now
}

// start runs a relay to the publisher until the returned function is called or the test ends.
func (w *world) start(publisher outbox.Publisher, clock func() time.Time) (r *outbox.Relay, stop func()) {
	return w.startWith(publisher, w.refill, clock)
}

// refill enqueues everything, as the service does when a stream has lost messages.
func (w *world) refill(ctx context.Context) error {
	_, err := verify.Republisher{DB: w.db, Stream: w.stream}.Run(ctx, verify.Scope{})
	return err
}

// startWith is start with another way to refill a stream.
func (w *world) startWith(
	publisher outbox.Publisher, refill func(context.Context) error, clock func() time.Time,
) (r *outbox.Relay, stop func()) {
	return w.startRelay(outbox.RelayOptions{Stream: publisher, Refill: refill, Now: clock})
}

// startRelay prepares and runs a relay of this world with the stream, refill, clock and forms of
// the options.
func (w *world) startRelay(options outbox.RelayOptions, prepare ...func(*outbox.Relay)) (r *outbox.Relay, stop func()) {
	options.DB, options.Release, options.Log = w.db, editing.ReleaseDue, streamtest.Log(w.t)
	options.Withdraw = verify.Republisher{DB: w.db, Stream: w.stream}.Withdraw
	r = outbox.NewRelay(options)
	for _, apply := range prepare {
		apply(r)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = r.Run(ctx) })
	stop = func() { cancel(); running.Wait() }
	w.t.Cleanup(stop)
	return r, stop
}

// until waits for a condition.
func (w *world) until(what string, holds func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(streamtest.Patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("waited in vain until %s", what)
		}
	}
}

// untilEmpty waits until nothing in the outbox waits for its first attempt.
func (w *world) untilEmpty() {
	w.t.Helper()
	w.until("the outbox is empty", func() bool { return w.outbox().Pending == 0 })
}

func (w *world) outbox() outbox.State {
	w.t.Helper()
	state, err := outbox.ReadState(w.t.Context(), w.db)
	if err != nil {
		w.t.Fatal(err)
	}
	return state
}

// held returns the change that the stream holds of an entity.
func (w *world) held(kind change.Kind, id string) (change.Change, bool) {
	w.t.Helper()
	message, ok, err := w.stream.Last(w.t.Context(), kind, id)
	if err != nil {
		w.t.Fatal(err)
	}
	if !ok {
		return change.Change{}, false
	}
	c, err := change.Decode(message.Data)
	if err != nil {
		w.t.Fatal(err)
	}
	return c, true
}

// title returns the title that the stream holds of an event; "" when it holds none.
func (w *world) title(id string) string {
	w.t.Helper()
	c, ok := w.held(change.KindEvent, id)
	if !ok || c.Gone() {
		return ""
	}
	event, err := change.Read[change.Event](c)
	if err != nil {
		w.t.Fatal(err)
	}
	return event.Title
}
