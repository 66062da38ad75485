package overview

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
)

// guests are the public dates from the day $2 of other organizations' events at the venues of $1. A
// date takes place in its own venue, or in the event's.
const guests = `
WITH place AS (
    SELECT d.uuid, d.venue_uuid, d.space_uuid
    FROM venue v
    JOIN event_date d ON d.venue_uuid = v.uuid
    WHERE v.org_uuid = $1
    UNION ALL
    SELECT d.uuid, e.venue_uuid, e.space_uuid
    FROM venue v
    JOIN event e ON e.venue_uuid = v.uuid
    JOIN event_date d ON d.event_uuid = e.uuid AND d.venue_uuid IS NULL
    WHERE v.org_uuid = $1
), guest AS (
    SELECT place.*, e.uuid AS event_uuid
    FROM place
    JOIN event_date d ON d.uuid = place.uuid
    JOIN event e ON e.uuid = d.event_uuid
    WHERE e.org_uuid <> $1
        AND last_day(d.start_date, d.end_date, d.hours) >= $2::date
        AND event_is_public(e.release_status, e.release_scheduled)
        AND NOT EXISTS (
            SELECT
            FROM organization_approval a
            WHERE a.state <> 'approved' AND a.org_uuid = e.org_uuid
        )
)`

const countGuests = guests + `
SELECT count(*)
FROM guest`

const selectGuests = guests + `
SELECT
    d.uuid::text, e.uuid::text, e.title, o.uuid::text, o.name, v.uuid::text, v.name,
    coalesce(s.uuid::text, ''), coalesce(s.name, ''),
    d.start_date::text, coalesce(left(d.start_time::text, 5), ''), coalesce(d.end_date::text, ''),
    coalesce(left(d.end_time::text, 5), ''), d.all_day, ` + statusInForce + `
FROM guest
JOIN event_date d ON d.uuid = guest.uuid
JOIN event e ON e.uuid = guest.event_uuid
JOIN organization o ON o.uuid = e.org_uuid
JOIN venue v ON v.uuid = guest.venue_uuid
LEFT JOIN space s ON s.uuid = guest.space_uuid
ORDER BY d.start_date, coalesce(d.start_time, '00:00'), d.uuid
LIMIT $3 OFFSET $4`

// VenueGuests returns, to members who may edit venues, the public dates of other organizations at
// the organization's venues that are not over on the day start. The faults: NotFound for a
// stranger, Forbidden for a member without EditVenue.
func (s *Service) VenueGuests(
	ctx context.Context, org, start string, page paging.Page,
) (adminapi.VenueGuests, error) {
	shown := adminapi.VenueGuests{
		Dates: []adminapi.GuestDate{}, Page: adminapi.Page{Limit: page.Limit, Offset: page.Offset},
	}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if _, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, permission.EditVenue); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, countGuests, org, start).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count guests: %w", err)
		}
		var err error
		shown.Dates, err = postgres.List[adminapi.GuestDate](ctx, tx, "guests", selectGuests,
			org, start, page.Limit, page.Offset)
		return err
	})
	return shown, err
}
