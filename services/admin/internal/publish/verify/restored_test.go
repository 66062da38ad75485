package verify

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/publish/outbox"
)

// retitle edits an event as the service does and returns the position of the write.
func (w *world) retitle(id, title string) uint64 {
	w.t.Helper()
	ctx, position := postgres.Track(w.t.Context())
	err := w.db.InTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE event SET title = $2 WHERE uuid = $1`, id, title); err != nil {
			return err
		}
		return outbox.Enqueue(ctx, tx, change.KindEvent, []string{id})
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return position.Number()
}

func (w *world) until(what string, holds func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(streamtest.Patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("waited in vain until %s", what)
		}
	}
}

// backup closes the database and returns the address of a copy of its present state.
func (w *world) backup() string {
	w.t.Helper()
	w.db.Close()
	copied, address := storetest.Copy(w.t, w.addr)
	copied.Close()
	w.open(w.addr)
	return address
}

func (w *world) open(address string) {
	w.t.Helper()
	db, err := postgres.Open(w.t.Context(), address)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(db.Close)
	w.db, w.addr = db, address
}

// A database that is restored from a backup is older than the stream. Nothing of it is published,
// and so nothing is lost, until the operator confirms the restore. Then the stream matches the
// database again, later edits appear, and their positions are greater than all former ones.
func TestRestoredDatabase(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, stop := w.relay()
	w.republish(Scope{})
	w.differences()
	stop()
	backup := w.backup()

	// A cluster that has run for long has greater numbers than the one that the backup goes into.
	if _, err := w.db.Pool().Exec(t.Context(), `SELECT setval('position_base', 1000000000)`); err != nil {
		t.Fatal(err)
	}
	title := w.held(w.public[0]).Title
	_, stop = w.relay()
	former := w.retitle(w.public[0], "edited after the backup")
	w.until("it is published", func() bool { return w.held(w.public[0]).Title != title })
	stop()
	w.db.Close()

	w.open(backup)
	var position atomic.Uint64
	unsubscribe, err := w.stream.OnComplete(func(c stream.Completion) { position.Store(c.Position) })
	if err != nil {
		t.Fatal(err)
	}
	defer unsubscribe()
	r, _ := w.relay()
	w.retitle(w.public[1], "edited after the restore")
	w.until("the relay says why it does not publish", func() bool {
		err := r.Ready(t.Context())
		return err != nil && strings.Contains(err.Error(), "admin restored")
	})
	if state, err := outbox.ReadState(t.Context(), w.db); state.Pending != 1 || position.Load() != 0 || err != nil {
		t.Errorf("the outbox has %+v, position %d, %v", state, position.Load(), err)
	}

	if _, err := (Republisher{DB: w.db, Stream: w.stream}).AfterRestore(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if got := w.differences(); len(got) > 0 {
		t.Errorf("the stream differs: %v", got)
	}
	if got := w.held(w.public[0]).Title; got != title {
		t.Errorf("the stream still holds %q", got)
	}
	if got := w.held(w.public[1]).Title; got != "edited after the restore" {
		t.Errorf("the stream holds %q", got)
	}
	later := w.retitle(w.public[2], "edited later")
	if later <= former {
		t.Errorf("position %d comes after %d", later, former)
	}
	w.until("the position reaches the edit", func() bool { return position.Load() >= later })
	if got := w.held(w.public[2]).Title; got != "edited later" {
		t.Errorf("position %d, and the stream holds %q", position.Load(), got)
	}
}
