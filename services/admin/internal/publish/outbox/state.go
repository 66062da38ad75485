// Package outbox holds the queue of entities to publish, and reads their public snapshots. A change
// of the catalogue enqueues, in its own transaction, the entities whose public view it may have
// changed; the relay's session dequeues them, reads the current snapshot of each, and publishes it.
// This package
// alone writes the outbox, but for the triggers that enqueue API keys.
package outbox

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/platform/postgres"
)

// State is how much the outbox holds.
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

// ReadState returns the present state of the outbox.
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
