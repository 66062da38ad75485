package overview

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/publish/outbox"
)

// visibleSeries are the series of the organization $1, or all for "", that the user $2 or the API
// key of the organization $4 may see, or for $3 a platform administrator.
const visibleSeries = `
FROM series s
JOIN organization o ON o.uuid = s.org_uuid
LEFT JOIN membership m ON m.org_uuid = s.org_uuid AND m.user_id = $2
WHERE ($1 = '' OR s.org_uuid = nullif($1, '')::uuid)
    AND ($3 OR CASE WHEN $4 = '' THEN m.user_id IS NOT NULL ELSE s.org_uuid = nullif($4, '')::uuid END)`

const countSeries = `
SELECT count(*)` + visibleSeries

const selectSeries = `
SELECT s.uuid::text, s.org_uuid::text, o.name, s.slug, s.title, s.public,
    (SELECT count(*) FROM series_event WHERE series_uuid = s.uuid AND state = 'accepted'),
    (SELECT count(*) FROM series_event WHERE series_uuid = s.uuid AND state = 'asked'), m.permissions` + visibleSeries + `
ORDER BY lower(s.title), s.uuid
LIMIT $5 OFFSET $6`

// Series returns the series of an organization, or for "" of all organizations of the principal,
// and to a platform administrator all. A stranger's organization is a NotFound fault.
func (s *Service) Series(ctx context.Context, org string, page paging.Page) (adminapi.SeriesPage, error) {
	shown := adminapi.SeriesPage{Series: []adminapi.SeriesRow{}, Page: page.Answer()}
	who := auth.PrincipalOf(ctx)
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if org != "" {
			if _, err := access.Require(ctx, tx, who, org, 0); err != nil {
				return err
			}
		}
		args := []any{org, who.UserID, who.PlatformAdmin, who.KeyOrg}
		if err := tx.QueryRow(ctx, countSeries, args...).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count series: %w", err)
		}
		rows, _ := tx.Query(ctx, selectSeries, append(args, page.Limit, page.Offset)...) // the error comes with the rows
		var row adminapi.SeriesRow
		var stored *int64
		_, err := pgx.ForEachRow(rows, []any{
			&row.UUID, &row.OrgUUID, &row.OrgName, &row.Slug, &row.Title, &row.Public, &row.Events, &row.Asked, &stored,
		}, func() error {
			row.MayEdit = mayEdit(who, stored)
			shown.Series = append(shown.Series, row)
			return nil
		})
		if err != nil {
			return fmt.Errorf("read series: %w", err)
		}
		return nil
	})
	return shown, err
}

// maxChoosable is how many series a choice has at most, besides those that were asked for.
const maxChoosable = 50

// selectChoosableSeries are the series with $5 in their title that the public sees, or the user $1,
// the API key of the organization $3, or for $2 a platform administrator; and the ones with the
// uuids $4 among them, with any title.
const selectChoosableSeries = `
SELECT json_build_object(
    'uuid', s.uuid, 'org_uuid', s.org_uuid, 'org_name', o.name, 'title', s.title,
    'parts', (
        SELECT coalesce(json_agg(p ORDER BY position), '[]')
        FROM series_part p
        WHERE series_uuid = s.uuid
    )
)
FROM series s
JOIN organization o ON o.uuid = s.org_uuid
LEFT JOIN membership m ON m.org_uuid = s.org_uuid AND m.user_id = $1
WHERE ($2 OR CASE WHEN $3 = '' THEN m.user_id IS NOT NULL ELSE s.org_uuid = nullif($3, '')::uuid END
        OR s.public AND ` + outbox.Approved + `s.org_uuid))
    AND (s.uuid = ANY ($4::uuid[]) OR $5 = '' OR position(lower($5) IN lower(s.title)) > 0)
ORDER BY NOT s.uuid = ANY ($4::uuid[]), coalesce(s.end_date < $6::date, false), lower(s.title), s.uuid
LIMIT $7`

// ChoosableSeries returns series that an event may ask to belong to: those of the given uuids, and
// others with a text in their title.
func (s *Service) ChoosableSeries(ctx context.Context, uuids []string, text string) (adminapi.ChoosableSeries, error) {
	who := auth.PrincipalOf(ctx)
	if uuids == nil {
		uuids = []string{}
	}
	found, err := postgres.Collect[adminapi.SeriesChoice](ctx, s.DB, "series to choose", selectChoosableSeries,
		who.UserID, who.PlatformAdmin, who.KeyOrg, uuids, text, s.today(), maxChoosable+len(uuids))
	return adminapi.ChoosableSeries{Series: append([]adminapi.SeriesChoice{}, found...)}, err
}

const countSeriesEvents = `
SELECT count(*)
FROM series_event
WHERE series_uuid = $1 AND ($2 = '' OR state = $2)`

const selectSeriesEvents = `
SELECT e.uuid::text, e.title, o.uuid::text, o.name, m.state,
    event_is_public(e.release_status, e.release_scheduled), coalesce(d.first::text, ''), d.count, m.asked_at, m.decided_at
FROM series_event m
JOIN event e ON e.uuid = m.event_uuid
JOIN organization o ON o.uuid = e.org_uuid
CROSS JOIN LATERAL (
    SELECT min(start_date) AS first, count(*) AS count
    FROM event_date
    WHERE event_uuid = e.uuid
) AS d
WHERE m.series_uuid = $1 AND ($2 = '' OR m.state = $2)
ORDER BY m.state <> 'asked', m.state, d.first, e.uuid
LIMIT $3 OFFSET $4`

// SeriesEvents returns the events of a series in a state, "" for any, to the members of its
// organization. A stranger's is a NotFound fault.
func (s *Service) SeriesEvents(ctx context.Context, series, state string, page paging.Page) (adminapi.SeriesEvents, error) {
	shown := adminapi.SeriesEvents{Page: page.Answer()}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if _, err := access.RequireSeries(ctx, tx, auth.PrincipalOf(ctx), series, 0); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, countSeriesEvents, series, state).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count events of a series: %w", err)
		}
		var err error
		shown.Events, err = postgres.List[adminapi.SeriesEvent](ctx, tx, "events of a series", selectSeriesEvents,
			series, state, page.Limit, page.Offset)
		return err
	})
	return shown, err
}
