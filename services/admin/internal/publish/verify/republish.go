package verify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/publish/outbox"
)

// Republisher repairs a stream that differs from the public state of the database.
type Republisher struct {
	DB     *postgres.DB
	Stream *stream.Stream
}

// Scope limits the entities that are republished: to a kind, or to one entity of it. The zero Scope
// is everything.
type Scope struct {
	Kind change.Kind
	ID   string
}

func (s Scope) holds(kind change.Kind, id string) bool {
	return (s.Kind == "" || s.Kind == kind) && (s.ID == "" || s.ID == id)
}

// Done counts the work of a Republisher: entities enqueued for the relay, and messages removed
// because they were not a change.
type Done struct {
	Enqueued, Removed int
}

// Run raises the revision above every one in the stream, so that changes published from now on
// count as newer; removes messages that are not a change; and enqueues everything in scope that is
// public, or that the stream holds although it is not public.
func (r Republisher) Run(ctx context.Context, scope Scope) (Done, error) {
	var done Done
	greatest, removed, err := r.survey(ctx)
	done.Removed = removed
	if err != nil {
		return done, err
	}
	if err := outbox.LiftRevision(ctx, r.DB, greatest); err != nil {
		return done, err
	}
	for _, kind := range change.Kinds {
		err := outbox.EachPublic(ctx, r.DB, kind, batchSize, func(ids []string) error {
			return r.enqueue(ctx, kind, scope, ids, &done)
		})
		if err != nil {
			return done, err
		}
	}
	if err := r.enqueueRest(ctx, scope, &done); err != nil {
		return done, err
	}
	return done, r.renewKeys(ctx, scope, &done)
}

// AfterRestore is Run for everything of a database that was restored from a backup. Before, it
// raises the positions above all that were given out before the restore.
func (r Republisher) AfterRestore(ctx context.Context, now time.Time) (Done, error) {
	if err := r.DB.RaisePositions(ctx, now); err != nil {
		return Done{}, err
	}
	return r.Run(ctx, Scope{})
}

// survey returns the greatest revision in the stream, and removes messages that are not a change.
func (r Republisher) survey(ctx context.Context) (greatest int64, removed int, err error) {
	_, err = r.Stream.WalkMessages(ctx, func(m stream.Message) error {
		c, err := decode(r.Stream, m)
		greatest = max(greatest, c.Revision)
		if err == nil {
			return nil
		}
		removed++
		return r.Stream.Remove(ctx, m.Sequence)
	})
	if err != nil {
		return 0, removed, fmt.Errorf("survey the stream: %w", err)
	}
	_, ofKeys, err := r.Stream.Keys(ctx)
	return max(greatest, ofKeys), removed, err
}

// Withdraw enqueues the entities that the stream holds although they are not public.
func (r Republisher) Withdraw(ctx context.Context) error { return r.enqueueRest(ctx, Scope{}, &Done{}) }

// enqueueRest enqueues the entities that the stream holds although they are not public.
func (r Republisher) enqueueRest(ctx context.Context, scope Scope, done *Done) error {
	rest := map[change.Kind][]string{}
	flush := func(kind change.Kind) error {
		ids := rest[kind]
		rest[kind] = nil
		public, err := outbox.Public(ctx, r.DB, kind, ids)
		if err != nil {
			return err
		}
		var gone []string
		for _, id := range ids {
			if !public[id] {
				gone = append(gone, id)
			}
		}
		return r.enqueue(ctx, kind, scope, gone, done)
	}
	_, err := r.Stream.Walk(ctx, func(_ uint64, c change.Change) error {
		if c.Gone() {
			return nil
		}
		rest[c.Kind] = append(rest[c.Kind], c.ID)
		if len(rest[c.Kind]) < batchSize {
			return nil
		}
		return flush(c.Kind)
	})
	for _, kind := range change.Kinds {
		err = errors.Join(err, flush(kind))
	}
	return err
}

func (r Republisher) enqueue(ctx context.Context, kind change.Kind, scope Scope, ids []string, done *Done) error {
	var wanted []string
	for _, id := range ids {
		if scope.holds(kind, id) {
			wanted = append(wanted, id)
		}
	}
	done.Enqueued += len(wanted)
	return r.DB.InTx(ctx, func(tx pgx.Tx) error { return outbox.Enqueue(ctx, tx, kind, wanted) })
}
