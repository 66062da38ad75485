package outbox_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/stream/streamtest"
)

const (
	lockOrganization = `
SELECT
FROM organization
WHERE uuid = $1
FOR NO KEY UPDATE`

	// lockEventAtOnce fails when another transaction has locked the event.
	lockEventAtOnce = `
SELECT
FROM event
WHERE uuid = $1
FOR NO KEY UPDATE NOWAIT`

	lockIsAwaited = `
SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`
)

// TestReleasesLockOrganizationsBeforeEvents: so does a batch that changes both, and neither waits
// for the other in a circle.
func TestReleasesLockOrganizationsBeforeEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t, streamtest.New(t))
	e := w.event("soon")
	due := w.present().Add(time.Hour)
	e.ReleaseDate = &due
	w.write(e)
	released := make(chan int, 1)
	err := pgx.BeginFunc(t.Context(), w.db.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), lockOrganization, w.org); err != nil {
			return err
		}
		go func() {
			count, err := w.release(context.WithoutCancel(t.Context()), due.Add(time.Hour))
			if err != nil {
				t.Error(err)
			}
			released <- count
		}()
		w.until("the release waits for the organization", func() (waits bool) {
			if err := w.db.QueryRow(t.Context(), lockIsAwaited).Scan(&waits); err != nil {
				t.Fatal(err)
			}
			return waits
		})
		_, err := tx.Exec(t.Context(), lockEventAtOnce, e.UUID)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if count := <-released; count != 1 {
		t.Errorf("%d events were released", count)
	}
}
