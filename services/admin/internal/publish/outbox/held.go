package outbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Held is what the database knows of the stream that the relay publishes to.
type Held struct {
	Identity  string // of the stream
	Sequence  uint64 // the stream had got at least so far
	Refilling bool   // rows that fill the stream anew are still to be published
}

const selectHeld = `
SELECT identity, sequence, refill_until IS NOT NULL
FROM relay_stream`

// Held returns what was noted of the stream; ok is false when nothing was.
func (s *Session) Held(ctx context.Context) (held Held, ok bool, err error) {
	err = s.conn.QueryRow(ctx, selectHeld).Scan(&held.Identity, &held.Sequence, &held.Refilling)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return held, false, nil
	case err != nil:
		return held, false, fmt.Errorf("read which stream is published to: %w", err)
	}
	return held, true, nil
}

const upsertHeld = `
INSERT INTO relay_stream (identity, sequence, refill_until)
VALUES ($1, $2, CASE WHEN $3 THEN (SELECT max(id) FROM outbox) END)
ON CONFLICT (single) DO UPDATE
SET identity = excluded.identity, sequence = excluded.sequence, refill_until = excluded.refill_until`

// Hold notes which stream is published to, and how far it has got. A stream is being refilled by
// all rows that the outbox holds now.
func (s *Session) Hold(ctx context.Context, held Held) error {
	if _, err := s.conn.Exec(ctx, upsertHeld, held.Identity, held.Sequence, held.Refilling); err != nil {
		return fmt.Errorf("note which stream is published to: %w", err)
	}
	return nil
}

const updateHeld = `
UPDATE relay_stream
SET sequence = $1`

// holdSequence notes how far the stream has got, in the transaction that deletes what it holds from
// the outbox.
func holdSequence(ctx context.Context, tx pgx.Tx, sequence uint64) error {
	if _, err := tx.Exec(ctx, updateHeld, sequence); err != nil {
		return fmt.Errorf("note how far the stream has got: %w", err)
	}
	return nil
}

const endRefill = `
UPDATE relay_stream
SET refill_until = NULL
WHERE NOT EXISTS (SELECT FROM outbox WHERE id <= refill_until AND attempts = 0)`

// Refilled reports whether no row is left that fills the stream anew, but for those that could not
// be published.
func (s *Session) Refilled(ctx context.Context) (bool, error) {
	done, err := s.conn.Exec(ctx, endRefill)
	if err != nil {
		return false, fmt.Errorf("look whether the stream is filled: %w", err)
	}
	return done.RowsAffected() > 0, nil
}

const selectTaken = `
SELECT is_called
FROM catalog_revision`

// Published reports whether a relay has ever taken a revision, and so may have published.
func (s *Session) Published(ctx context.Context) (published bool, err error) {
	if err := s.conn.QueryRow(ctx, selectTaken).Scan(&published); err != nil {
		return false, fmt.Errorf("read whether anything was published: %w", err)
	}
	return published, nil
}
