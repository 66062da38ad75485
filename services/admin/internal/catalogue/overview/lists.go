package overview

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
)

// visibleLists are the lists of the organization $1, or all for "", that the user $2 or the API
// key of the organization $4 may see, or for $3 a platform administrator.
const visibleLists = `
FROM list l
LEFT JOIN organization o ON o.uuid = l.org_uuid
LEFT JOIN membership m ON m.org_uuid = l.org_uuid AND m.user_id = $2
WHERE ($1 = '' OR l.org_uuid = nullif($1, '')::uuid)
    AND ($3 OR CASE WHEN $4 = '' THEN m.user_id IS NOT NULL ELSE l.org_uuid = nullif($4, '')::uuid END)`

const countLists = `
SELECT count(*)` + visibleLists

const selectLists = `
SELECT l.uuid::text, coalesce(l.org_uuid::text, ''), coalesce(o.name, ''), l.slug, l.name, l.public,
    jsonb_array_length(l.entries), m.permissions` + visibleLists + `
ORDER BY lower(l.name), l.uuid
LIMIT $5 OFFSET $6`

// Lists returns the lists of an organization, or for "" of all organizations of the principal,
// and to a platform administrator all. A stranger's organization is a NotFound fault.
func (s *Service) Lists(ctx context.Context, org string, page paging.Page) (adminapi.Lists, error) {
	shown := adminapi.Lists{Lists: []adminapi.ListRow{}, Page: page.Answer()}
	who := auth.PrincipalOf(ctx)
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if org != "" {
			if _, err := access.Require(ctx, tx, who, org, 0); err != nil {
				return err
			}
		}
		args := []any{org, who.UserID, who.PlatformAdmin, who.KeyOrg}
		if err := tx.QueryRow(ctx, countLists, args...).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count lists: %w", err)
		}
		rows, _ := tx.Query(ctx, selectLists, append(args, page.Limit, page.Offset)...) // the error comes with the rows
		var list adminapi.ListRow
		var stored *int64
		_, err := pgx.ForEachRow(rows, []any{
			&list.UUID, &list.OrgUUID, &list.OrgName, &list.Slug, &list.Name, &list.Public, &list.Entries, &stored,
		}, func() error {
			list.MayEdit = mayEdit(who, stored)
			shown.Lists = append(shown.Lists, list)
			return nil
		})
		if err != nil {
			return fmt.Errorf("read lists: %w", err)
		}
		return nil
	})
	return shown, err
}

// selectListed is what there is to know about the events $1 with the dates $2, "" for an event as
// a whole, in this order: for the user $3, the API key of the organization $4, or for $5 a platform
// administrator. Dates are over before the day $6. An event as a whole has its next date, or else
// its last one.
const selectListed = `
SELECT
    CASE
        WHEN NOT coalesce(e.is_public, false) OR one.uuid IS NULL THEN 'hidden'
        WHEN last_day(one.start_date, one.end_date, one.hours) < $6::date THEN 'over'
        ELSE 'public'
    END,
    coalesce(e.title, ''), coalesce(e.org_name, ''), coalesce(v.name, ''),
    coalesce(one.start_date::text, ''), coalesce(left(one.start_time::text, 5), '')
FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS asked (event_uuid, date_uuid, place)
LEFT JOIN LATERAL (
    SELECT e.uuid, e.title, e.venue_uuid, e.release_status, o.name AS org_name, state.is_public
    FROM event e
    JOIN organization o ON o.uuid = e.org_uuid
    LEFT JOIN membership m ON m.org_uuid = e.org_uuid AND m.user_id = $3
    CROSS JOIN LATERAL (
        SELECT event_is_public(e.release_status, e.release_scheduled) AND NOT EXISTS (
            SELECT
            FROM organization_approval a
            WHERE a.state <> 'approved' AND a.org_uuid = e.org_uuid
        ) AS is_public
    ) AS state
    WHERE
        e.uuid = asked.event_uuid
        AND (state.is_public OR $5 OR CASE WHEN $4 = '' THEN m.user_id IS NOT NULL ELSE e.org_uuid::text = $4 END)
) AS e ON true
LEFT JOIN LATERAL (
    SELECT d.*
    FROM event_date d
    WHERE
        d.event_uuid = e.uuid
        AND (asked.date_uuid = '' OR d.uuid = nullif(asked.date_uuid, '')::uuid)
        AND event_status_is_public(` + statusInForce + `)
    ORDER BY
        last_day(d.start_date, d.end_date, d.hours) < $6::date,
        CASE WHEN last_day(d.start_date, d.end_date, d.hours) >= $6::date THEN d.start_date END,
        d.start_date DESC, coalesce(d.start_time, '00:00'), d.uuid
    LIMIT 1
) AS one ON true
LEFT JOIN venue v ON v.uuid = coalesce(one.venue_uuid, e.venue_uuid)
ORDER BY asked.place`

// ListEntries returns entries of a list with what the principal may know about their events.
func (s *Service) ListEntries(ctx context.Context, entries []adminapi.ListEntry) ([]adminapi.ShownListEntry, error) {
	events, dates := make([]string, len(entries)), make([]string, len(entries))
	for i, entry := range entries {
		events[i], dates[i] = entry.EventUUID, string(entry.DateUUID)
	}
	who := auth.PrincipalOf(ctx)
	rows, _ := s.DB.Query(ctx, selectListed, events, dates, who.UserID, who.KeyOrg, who.PlatformAdmin, s.today())
	shown := make([]adminapi.ShownListEntry, 0, len(entries))
	var one adminapi.ShownListEntry
	_, err := pgx.ForEachRow(rows, []any{
		&one.State, &one.Title, &one.OrgName, &one.VenueName, &one.StartDate, &one.StartTime,
	}, func() error {
		one.ListEntry = entries[len(shown)]
		shown = append(shown, one)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the events of a list: %w", err)
	}
	return shown, nil
}
