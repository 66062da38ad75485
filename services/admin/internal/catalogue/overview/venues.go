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
)

func venueRightsOf(have permission.Set) adminapi.VenueRights {
	return adminapi.VenueRights{
		CanAddVenue: have.Has(permission.AddVenue), CanEditVenue: have.Has(permission.EditVenue),
		CanDeleteVenue: have.Has(permission.DeleteVenue),
		CanAddSpace:    have.Has(permission.AddSpace), CanEditSpace: have.Has(permission.EditSpace),
		CanDeleteSpace: have.Has(permission.DeleteSpace),
		CanAddEvent:    have.Has(permission.AddEvent), CanEditEvent: have.Has(permission.EditEvent),
		CanDeleteEvent: have.Has(permission.DeleteEvent), CanReleaseEvent: have.Has(permission.ReleaseEvent),
	}
}

const selectVenueTotals = `
SELECT
    o.name,
    (
        SELECT count(*)
        FROM event e
        JOIN event_date d ON d.event_uuid = e.uuid
        WHERE e.org_uuid = o.uuid AND last_day(d.start_date, d.end_date, d.hours) >= $2
    ),
    (SELECT count(*) FROM venue v WHERE v.org_uuid = o.uuid)
FROM organization o
WHERE o.uuid = $1`

// selectVenues counts a date in its own venue and space, or in the event's.
const selectVenues = `
WITH upcoming AS (
    SELECT
        coalesce(d.venue_uuid, e.venue_uuid) AS venue_uuid,
        CASE WHEN d.venue_uuid IS NULL THEN e.space_uuid ELSE d.space_uuid END AS space_uuid,
        count(*) AS dates
    FROM event e
    JOIN event_date d ON d.event_uuid = e.uuid
    WHERE e.org_uuid = $1 AND last_day(d.start_date, d.end_date, d.hours) >= $2
    GROUP BY 1, 2
)
SELECT
    v.uuid::text, v.name,
    (SELECT coalesce(sum(dates), 0)::integer FROM upcoming WHERE upcoming.venue_uuid = v.uuid),
    (
        SELECT coalesce(json_agg(json_build_object(
            'uuid', s.uuid, 'space_uuid', s.uuid, 'space_name', s.name,
            'upcoming_event_count', coalesce(upcoming.dates, 0)
        ) ORDER BY lower(s.name), s.uuid), '[]')
        FROM space s
        LEFT JOIN upcoming ON upcoming.venue_uuid = v.uuid AND upcoming.space_uuid = s.uuid
        WHERE s.venue_uuid = v.uuid
    )
FROM venue v
WHERE v.org_uuid = $1
ORDER BY lower(v.name), v.uuid
LIMIT $3 OFFSET $4`

// Venues returns the organization's venues to its members, with the number of the organization's
// dates there that are not over on the day start. Callers outside the organization get a NotFound
// fault.
func (s *Service) Venues(ctx context.Context, org, start string, page paging.Page) (adminapi.Venues, error) {
	shown := adminapi.Venues{OrgUUID: org, Venues: []adminapi.VenueCard{}, Page: page.Answer()}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		have, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, 0)
		if err != nil {
			return err
		}
		shown.CanEdit, shown.CanDelete = have.Has(permission.EditOrganization), have.Has(permission.DeleteOrganization)
		shown.CanAddVenue, shown.CanAddSpace = have.Has(permission.AddVenue), have.Has(permission.AddSpace)
		shown.CanAddEvent = have.Has(permission.AddEvent)
		err = tx.QueryRow(ctx, selectVenueTotals, org, start).Scan(&shown.OrgName, &shown.Upcoming, &shown.TotalCount)
		if err != nil {
			return fmt.Errorf("count venues: %w", err)
		}
		rows, _ := tx.Query(ctx, selectVenues, org, start, page.Limit, page.Offset) // the error comes with the rows
		shown.Venues, err = pgx.AppendRows(shown.Venues, rows, func(row pgx.CollectableRow) (adminapi.VenueCard, error) {
			venue := adminapi.VenueCard{VenueRights: venueRightsOf(have)}
			err := row.Scan(&venue.UUID, &venue.Name, &venue.Upcoming, &venue.Spaces)
			venue.VenueUUID = venue.UUID
			return venue, err
		})
		if err != nil {
			return fmt.Errorf("read venues: %w", err)
		}
		return nil
	})
	return shown, err
}
