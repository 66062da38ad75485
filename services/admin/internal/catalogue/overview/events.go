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
	"litfass/services/admin/internal/platform/version"
)

// matchingDates are the dates of an organization's events that a filter matches, and the events
// without dates, numbered within each event. A date takes place in its own venue, or in the
// event's.
const matchingDates = `
WITH matching AS (
    SELECT
        e.uuid AS event_uuid, d.uuid AS date_uuid,
        row_number() OVER (
            PARTITION BY e.uuid
            ORDER BY d.start_date, coalesce(d.start_time, '00:00'), d.uuid
        ) AS place
    FROM event e
    LEFT JOIN event_date d ON d.event_uuid = e.uuid
    LEFT JOIN venue v ON v.uuid = coalesce(d.venue_uuid, e.venue_uuid)
    WHERE
        e.org_uuid = $1
        AND CASE WHEN d.uuid IS NULL THEN $2::boolean ELSE $3::boolean END
        AND (d.uuid IS NULL OR last_day(d.start_date, d.end_date, d.hours) >= $4::date)
        AND (d.uuid IS NULL OR $5 = '' OR d.start_date <= nullif($5, '')::date)
        AND ($6::text[] IS NULL OR ` + statusInForce + ` = ANY ($6))
        AND ($7 = '' OR v.uuid = nullif($7, '')::uuid)
        AND NOT EXISTS (
            SELECT
            FROM unnest($8::text[]) AS word
            WHERE strpos(lower(concat_ws(' ', e.title, e.subtitle, v.name, array_to_string(e.tags, ' '))), word) = 0
        )
)`

const statusInForce = `CASE coalesce(d.release_status, 'inherited')
    WHEN 'inherited' THEN e.release_status
    ELSE d.release_status
END`

const countEventDates = matchingDates + `
SELECT count(*)
FROM matching
WHERE place = 1 OR NOT $9::boolean`

// selectEventDates: the main image is the one with that identifier, or else the first.
const selectEventDates = matchingDates + `
SELECT
    e.uuid::text, coalesce(d.uuid::text, ''), e.title, coalesce(e.subtitle, ''), o.uuid::text, o.name,
    coalesce(d.start_date::text, ''), coalesce(left(d.start_time::text, 5), ''),
    coalesce(d.end_date::text, ''), coalesce(left(d.end_time::text, 5), ''),
    coalesce(d.all_day, false), ` + statusInForce + `,
    e.release_status, e.release_date,
    coalesce(v.uuid::text, ''), coalesce(v.name, ''), coalesce(s.uuid::text, ''), coalesce(s.name, ''),
    coalesce((
        SELECT i.uuid::text
        FROM event_image i
        WHERE i.event_uuid = e.uuid
        ORDER BY i.identifier <> 'main', i.identifier
        LIMIT 1
    ), ''),
    (
        SELECT coalesce(json_agg(json_build_object('type_id', t.type_id, 'genre_id', t.genre_id)
                                 ORDER BY t.position, t.type_id, t.genre_id), '[]')
        FROM event_type t
        WHERE t.event_uuid = e.uuid
    ),
    (
        SELECT count(*)
        FROM event_date x
        WHERE x.event_uuid = e.uuid
            AND (x.start_date, coalesce(x.start_time, '00:00'), x.uuid)
                <= (d.start_date, coalesce(d.start_time, '00:00'), d.uuid)
    ),
    (SELECT count(*) FROM event_date x WHERE x.event_uuid = e.uuid),
    ` + requiredAndMissing + `, e.version
FROM matching
JOIN event e ON e.uuid = matching.event_uuid
JOIN organization o ON o.uuid = e.org_uuid
LEFT JOIN event_date d ON d.uuid = matching.date_uuid
LEFT JOIN venue v ON v.uuid = coalesce(d.venue_uuid, e.venue_uuid)
LEFT JOIN space s ON s.uuid = CASE WHEN d.venue_uuid IS NULL THEN e.space_uuid ELSE d.space_uuid END
WHERE place = 1 OR NOT $9::boolean
ORDER BY `

const requiredAndMissing = `array_remove(ARRAY[
        CASE WHEN e.title = '' THEN 'title' END,
        CASE WHEN NOT EXISTS (SELECT FROM event_date x WHERE x.event_uuid = e.uuid) THEN 'dates' END,
        CASE
            WHEN e.venue_uuid IS NULL AND e.online_link IS NULL AND (
                NOT EXISTS (SELECT FROM event_date x WHERE x.event_uuid = e.uuid)
                OR EXISTS (SELECT FROM event_date x WHERE x.event_uuid = e.uuid AND x.venue_uuid IS NULL)
            )
            THEN 'venue_uuid'
        END
    ], NULL)`

// eventOrders are the orders of the list. Events without a date come last among starts.
var eventOrders = map[string]string{
	"start":    byStart,
	"-start":   "d.start_date DESC NULLS LAST, coalesce(d.start_time, '00:00') DESC, d.uuid DESC, e.uuid DESC",
	"title":    "lower(e.title), " + byStart,
	"-title":   "lower(e.title) DESC, " + byStart,
	"updated":  "e.updated_at, " + byStart,
	"-updated": "e.updated_at DESC, " + byStart,
}

const byStart = "d.start_date, coalesce(d.start_time, '00:00'), d.uuid, e.uuid"

const pageOfDates = `
LIMIT $10 OFFSET $11`

// Events returns to its members the dates of the organization's events that a filter matches. A
// stranger's organization is a NotFound fault.
func (s *Service) Events(
	ctx context.Context, org string, filter EventFilter, page paging.Page,
) (adminapi.Events, error) {
	shown := adminapi.Events{Events: []adminapi.EventDate{}, Page: page.Answer()}
	args := []any{
		org, filter.undated, filter.dated, filter.start, filter.end, filter.statuses, filter.venue, filter.words,
		filter.perEvent,
	}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		have, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, 0)
		if err != nil {
			return err
		}
		shown.CanAddEvent = have.Has(permission.AddEvent)
		if err := tx.QueryRow(ctx, countEventDates, args...).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count dates: %w", err)
		}
		query := selectEventDates + eventOrders[filter.sort] + pageOfDates
		rows, _ := tx.Query(ctx, query, append(args, page.Limit, page.Offset)...) // the error comes with the rows
		shown.Events, err = pgx.AppendRows(shown.Events, rows, func(row pgx.CollectableRow) (adminapi.EventDate, error) {
			return scanEventDate(row, have)
		})
		if err != nil {
			return fmt.Errorf("read dates: %w", err)
		}
		return nil
	})
	return shown, err
}

func scanEventDate(row pgx.CollectableRow, have permission.Set) (adminapi.EventDate, error) {
	d := adminapi.EventDate{
		CanEdit: have.Has(permission.EditEvent), CanDelete: have.Has(permission.DeleteEvent),
		CanRelease: have.Has(permission.ReleaseEvent),
	}
	var stored int64
	err := row.Scan(&d.EventUUID, &d.UUID, &d.Title, &d.Subtitle, &d.OrgUUID, &d.OrgName,
		&d.StartDate, &d.StartTime, &d.EndDate, &d.EndTime, &d.AllDay,
		&d.ReleaseStatus, &d.EventReleaseStatus, &d.ReleaseDate, &d.VenueUUID, &d.VenueName, &d.SpaceUUID, &d.SpaceName,
		&d.ImageUUID, &d.EventTypes, &d.SeriesIndex, &d.SeriesLength, &d.Missing, &stored)
	d.DateUUID, d.ETag = d.UUID, version.Tag(stored)
	return d, err
}
