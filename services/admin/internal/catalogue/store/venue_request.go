package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const selectAcceptedGuest = `
SELECT EXISTS (
    SELECT
    FROM venue_request
    WHERE venue_uuid = $1
        AND org_uuid = $2
        AND state = 'accepted'
        AND (for_organization OR event_uuid::text = $3)
)`

// AcceptedGuest reports whether the owner of a venue has accepted an event of another organization,
// or all of its events. event is "" for a new one.
func AcceptedGuest(ctx context.Context, tx pgx.Tx, venue, org, event string) (accepted bool, err error) {
	if err := tx.QueryRow(ctx, selectAcceptedGuest, venue, org, event).Scan(&accepted); err != nil {
		return false, fmt.Errorf("read requests for a venue: %w", err)
	}
	return accepted, nil
}
