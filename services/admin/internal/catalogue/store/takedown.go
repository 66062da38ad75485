package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/rules"
)

const selectTakedown = `
SELECT taken_back_reason, taken_back_at
FROM event
WHERE uuid = $1 AND taken_back_at IS NOT NULL`

// ReadTakedown returns the takedown of an event, nil if it has none.
func ReadTakedown(ctx context.Context, tx pgx.Tx, event string) (*rules.Takedown, error) {
	var t rules.Takedown
	err := tx.QueryRow(ctx, selectTakedown, event).Scan(&t.Reason, &t.At)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read takedown: %w", err)
	}
	return &t, nil
}

const updateTakedown = `
UPDATE event
SET taken_back_reason = $2, taken_back_at = $3, version = version + 1, updated_at = now()
WHERE uuid = $1
RETURNING version`

// WriteTakedown takes an event back, or lifts that where t is nil, and returns the event's new
// version. The schema refuses to take back an event of a public status.
func WriteTakedown(ctx context.Context, tx pgx.Tx, event string, t *rules.Takedown) (version int64, err error) {
	var reason *string
	var at *time.Time
	if t != nil {
		reason, at = &t.Reason, &t.At
	}
	if err := tx.QueryRow(ctx, updateTakedown, event, reason, at).Scan(&version); err != nil {
		return 0, fmt.Errorf("write takedown: %w", err)
	}
	return version, nil
}
