package outbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/platform/postgres"
)

const nextRevision = `
SELECT nextval('catalog_revision')
WHERE EXISTS (SELECT FROM outbox WHERE retry_at IS NULL OR retry_at <= $1)`

// nextRevision takes a revision for a round; 0 when nothing is due. It is a transaction of its own,
// which is on disk before anything is published: after a crash the sequence would otherwise return
// revisions that the stream holds already.
func (s *session) nextRevision(ctx context.Context, now time.Time) (revision int64, err error) {
	err = s.conn.QueryRow(ctx, nextRevision, now).Scan(&revision)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("take a revision: %w", err)
	case revision <= s.revision:
		return 0, fmt.Errorf("revision %d comes after %d: the database was restored under a running relay",
			revision, s.revision)
	}
	s.revision = revision
	return revision, nil
}

const selectRevision = `
SELECT last_value
FROM catalog_revision`

// lastRevision returns the greatest revision that was taken.
func (s *session) lastRevision(ctx context.Context) (revision int64, err error) {
	if err := s.conn.QueryRow(ctx, selectRevision).Scan(&revision); err != nil {
		return 0, fmt.Errorf("read the revision: %w", err)
	}
	return revision, nil
}

const raiseRevision = `
SELECT setval('catalog_revision', $1)
FROM catalog_revision
WHERE last_value < $1`

// LiftRevision makes the next revision greater than the given one. The margin covers rounds of the
// relay that take a revision between the comparison and the update.
func LiftRevision(ctx context.Context, db *postgres.DB, above int64) error {
	const margin = 1_000
	if _, err := db.Exec(ctx, raiseRevision, above+margin); err != nil {
		return fmt.Errorf("lift the revision: %w", err)
	}
	return nil
}
