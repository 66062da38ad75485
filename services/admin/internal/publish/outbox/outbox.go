// Package outbox publishes the public part of the catalogue, by the pattern of a transactional
// outbox. A change of the catalogue enqueues, in its own transaction, the entities whose public
// view it may have changed (enqueue.go). The relay dequeues them, reads the current public snapshot
// of each (snapshot.go) and publishes it to the catalogue stream, or a tombstone if it has none
// (relay.go, round.go). It is the only publisher of the stream, and this package is the only writer
// of the outbox except for the triggers that enqueue API keys.
//
// Any number of processes may run the relay. The leader is the one whose database session holds the
// relay's lock (session.go). When it dies, the lock is released and another takes over within a
// second; messages that the former leader had in flight cannot overwrite newer state, because the
// stream compares revisions (stream.Publish) and revisions are taken under the lock (revision.go).
package outbox

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/platform/postgres"
)

// Ref names an entity that has a public view, or may have one.
type Ref struct {
	Kind change.Kind
	ID   string
}

// State is the number and age of the rows in the outbox.
type State struct {
	Pending int       // rows that were not attempted yet
	Oldest  time.Time // when the oldest of them was written; zero without any
	Failed  int       // rows whose entity could not be published, see last_error
}

const selectState = `
SELECT
    count(*) FILTER (WHERE attempts = 0),
    coalesce(min(created_at) FILTER (WHERE attempts = 0), '0001-01-01 00:00:00+00'),
    count(*) FILTER (WHERE attempts > 0)
FROM outbox`

// ReadState returns the current state of the outbox.
func ReadState(ctx context.Context, db *postgres.DB) (State, error) {
	return scanState(db.QueryRow(ctx, selectState))
}

func scanState(row pgx.Row) (State, error) {
	var s State
	if err := row.Scan(&s.Pending, &s.Oldest, &s.Failed); err != nil {
		return s, fmt.Errorf("read the outbox's state: %w", err)
	}
	return s, nil
}
