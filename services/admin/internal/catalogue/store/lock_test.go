package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
)

const countWaiting = `
SELECT count(*)
FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'`

// TestReferencesDoNotPassAChangeThatWaits: of three transactions the first refers to an
// organization, the second waits to change it, and the third, which refers to it, too, waits after
// the second.
func TestReferencesDoNotPassAChangeThatWaits(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	changed, referred := make(chan error, 1), make(chan error, 1)
	lock := func(how store.Lock, locked func()) error {
		return pgx.BeginFunc(t.Context(), s.db.Pool(), func(tx pgx.Tx) error {
			err := store.LockRow(t.Context(), tx, rules.KindOrganization, how, s.org.UUID)
			if err == nil {
				locked()
			}
			return err
		})
	}
	order := make(chan string, 2)
	err := lock(store.ForReference, func() {
		go func() { changed <- lock(store.ForChange, func() { order <- "change" }) }()
		s.waiting(1, referred)
		go func() { referred <- lock(store.ForReference, func() { order <- "reference" }) }()
		s.waiting(2, referred)
	})
	if err := errors.Join(err, <-changed, <-referred); err != nil {
		t.Fatal(err)
	}
	if first := <-order; first != "change" {
		t.Error("the reference passed the change")
	}
}

// waiting waits until so many transactions wait for a lock, and fails when the last one does not.
func (s *stage) waiting(want int, last chan error) {
	s.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		var count int
		if err := s.db.QueryRow(s.Context(), countWaiting).Scan(&count); err != nil {
			s.Fatal(err)
		}
		if count == want {
			return
		}
		select {
		case err := <-last:
			last <- err
			s.Error("the last transaction does not wait")
			return
		default:
		}
		if time.Now().After(deadline) {
			s.Fatalf("%d transactions wait, want %d", count, want)
		}
	}
}
