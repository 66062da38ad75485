package editing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
)

// together runs the functions at the same time and fails with the first error.
func together(t *testing.T, count int, fn func(n int) error) {
	t.Helper()
	errs := make([]error, count)
	var group sync.WaitGroup
	start := make(chan struct{})
	for n := range count {
		group.Go(func() {
			<-start
			errs[n] = fn(n)
		})
	}
	close(start)
	group.Wait()
	for n, err := range errs {
		if err != nil {
			t.Fatalf("writer %d: %v", n, err)
		}
	}
}

func TestWritersOfOneEventTakeTurns(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const writers = 8
	first := s.event() // not yet stored: one of the writers creates it
	outcomes := make([]Outcome, writers)
	together(t, writers, func(n int) error {
		mine := *first
		mine.Title, mine.Dates = fmt.Sprintf("Fassung %d", n), slices.Clone(first.Dates)
		results, err := s.operator.Save(t.Context(), []rules.Entity{&mine})
		if err != nil {
			return err
		}
		outcomes[n] = results[0].Outcome
		return results[0].Err
	})
	slices.Sort(outcomes)
	if outcomes[0] != Changed || outcomes[writers-2] != Changed || outcomes[writers-1] != Created {
		t.Errorf("outcomes are %v", outcomes)
	}
	if stored := s.storedEvent(first.UUID); stored.Version != writers || len(stored.Entity.Dates) != 1 {
		t.Errorf("version is %d with %d dates", stored.Version, len(stored.Entity.Dates))
	}
}

func TestBatchesInAnyOrderDoNotBlockEachOther(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	var batch []rules.Entity
	for range 20 {
		venue := &rules.Venue{UUID: newID(), OrgUUID: s.org.UUID, Name: "Haus"}
		event := s.event()
		event.VenueUUID = value.Text(venue.UUID)
		batch = append(batch, venue, event)
	}
	s.mustSave(batch...)
	together(t, 4, func(n int) error {
		for round := range 5 {
			mine := renamed(batch, fmt.Sprintf("%d-%d", n, round))
			if n%2 == 1 {
				slices.Reverse(mine)
			}
			results, err := s.operator.Save(t.Context(), mine)
			if err != nil {
				return err
			}
			for _, result := range results {
				if result.Err != nil {
					return result.Err
				}
			}
		}
		return nil
	})
}

// renamed copies venues and events and gives them other names.
func renamed(batch []rules.Entity, name string) []rules.Entity {
	copies := make([]rules.Entity, len(batch))
	for i, entity := range batch {
		switch entity := entity.(type) {
		case *rules.Venue:
			mine := *entity
			mine.Name = name
			copies[i] = &mine
		case *rules.Event:
			mine := *entity
			mine.Title, mine.Dates = name, slices.Clone(entity.Dates)
			copies[i] = &mine
		}
	}
	return copies
}

// Two writers that share no row would close a circle together: each of them sees half of it.
func TestHoldingOrganizationsFormNoCircleAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	orgs := make([]*rules.Organization, 4)
	for n := range orgs {
		orgs[n] = &rules.Organization{UUID: newID(), Name: "Verein"}
	}
	orgs[1].HoldingOrgUUID, orgs[3].HoldingOrgUUID = value.Text(orgs[2].UUID), value.Text(orgs[0].UUID)
	s.mustSave(orgs[0], orgs[2], orgs[1], orgs[3])
	orgs[0].HoldingOrgUUID, orgs[2].HoldingOrgUUID = value.Text(orgs[1].UUID), value.Text(orgs[3].UUID)
	done := make(chan error, 1)
	err := s.db.InTx(t.Context(), func(tx pgx.Tx) error {
		it, err := newItem(orgs[0])
		if err != nil {
			return err
		}
		if err := saveBatch(t.Context(), tx, []*item{it}); err != nil || it.result.Err != nil {
			return errors.Join(err, it.result.Err)
		}
		go func() { done <- s.trySave(orgs[2]) }()
		return s.waitForLock()
	})
	if err != nil {
		t.Fatal(err)
	}
	s.mustRefuse(<-done, fault.Invalid, "holding_org_uuid")
}

// A venue's change enqueues the events that show it. An event that another transaction is just
// writing must not be missed.
func TestRenamedVenueEnqueuesAnEventThatIsBeingWritten(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event := s.event()
	if err := rules.Check(event); err != nil {
		t.Fatal(err)
	}
	event.CountAvailabilities(nil)
	renamed := *s.venue
	renamed.Name = "Neue Post"
	done := make(chan error, 1)
	err := s.db.InTx(t.Context(), func(tx pgx.Tx) error {
		if err := store.LockRow(t.Context(), tx, rules.KindVenue, store.ForReference, s.venue.UUID); err != nil {
			return err
		}
		if _, err := store.Events.Write(t.Context(), tx, []*rules.Event{event}, nil); err != nil {
			return err
		}
		go func() { done <- s.trySave(&renamed) }()
		return s.waitForLock()
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	s.wantOutbox(venue(&renamed), line("event", event.UUID))
}

// lockEventAtOnce fails when another transaction has locked the event.
const lockEventAtOnce = `
SELECT
FROM event
WHERE uuid = $1
FOR NO KEY UPDATE NOWAIT`

// Who writes an event that becomes public waits for the organization of its venue before it locks
// the event: a batch that changes both locks the organization first.
func TestOrganizationsOfVenuesAreLockedBeforeTheirEvents(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	members := h.member(permission.All, permission.All)
	save := func(batch ...rules.Entity) error {
		results, err := h.operator.Save(t.Context(), batch)
		for _, result := range results {
			err = errors.Join(err, result.Err)
		}
		return err
	}
	for name, write := range map[string]func(draft, released *rules.Event) error{
		"an edit": func(draft, _ *rules.Event) error {
			_, err := h.editor.Release(members, at(draft.UUID), func(e *rules.Event) error {
				e.ReleaseStatus = rules.StatusReleased
				return nil
			})
			return err
		},
		"an import": func(_, released *rules.Event) error { return save(released) },
		"an import of a date's place": func(_, released *rules.Event) error {
			released.VenueUUID, released.Dates[0].VenueUUID = "", released.VenueUUID
			return save(released)
		},
		"an import that names the event twice": func(draft, released *rules.Event) error {
			draft.VenueUUID = ""
			return save(draft, released)
		},
	} {
		draft := h.draft()
		draft.VenueUUID = value.Text(h.barn.UUID)
		h.mustSave(draft)
		released := *draft
		released.ReleaseStatus, released.Dates = rules.StatusReleased, slices.Clone(draft.Dates)
		done := make(chan error, 1)
		err := pgx.BeginFunc(t.Context(), h.db.Pool(), func(tx pgx.Tx) error {
			err := store.LockRow(t.Context(), tx, rules.KindOrganization, store.ForChange, h.neighbour.UUID)
			if err != nil {
				return err
			}
			go func() { done <- write(draft, &released) }()
			if err := h.waitForLock(); err != nil {
				return err
			}
			_, err = tx.Exec(t.Context(), lockEventAtOnce, draft.UUID)
			return err
		})
		if err := errors.Join(err, <-done); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// trySave saves one entity from another goroutine of the test and returns its error.
func (s *stage) trySave(entity rules.Entity) error {
	results, err := s.operator.Save(s.Context(), []rules.Entity{entity})
	if err != nil {
		return err
	}
	return results[0].Err
}

// waitForLock waits until a transaction of the test's database waits for another one's lock.
func (s *stage) waitForLock() error {
	const waiting = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')"
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute) // in a minute every lock is asked for
	defer cancel()
	for {
		var found bool
		if err := s.db.Pool().QueryRow(ctx, waiting).Scan(&found); err != nil || found {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}
