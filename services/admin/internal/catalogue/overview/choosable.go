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

const countAllowed = access.Allowed + `
SELECT count(*)
FROM allowed`

const selectOrganizations = access.Allowed + `
SELECT o.uuid::text, o.name
FROM allowed
JOIN organization o ON o.uuid = allowed.org_uuid
ORDER BY lower(o.name), o.uuid
LIMIT $5 OFFSET $6`

// ChoosableOrganizations returns the organizations to which the caller may add events.
func (s *Service) ChoosableOrganizations(
	ctx context.Context, page paging.Page,
) (adminapi.ChoosableOrganizations, error) {
	shown := adminapi.ChoosableOrganizations{Organizations: []adminapi.ChoosableOrganization{}, Page: page.Answer()}
	var err error
	need := permission.ChooseAsEventOrganization | permission.AddEvent
	shown.Organizations, shown.TotalCount, err = choosable[adminapi.ChoosableOrganization](
		ctx, s, need, countAllowed, selectOrganizations, page)
	return shown, err
}

const places = access.Allowed + `, place AS (
    SELECT v.uuid AS venue_uuid, v.name AS venue_name, s.uuid AS space_uuid, s.name AS space_name, v.city, v.country
    FROM allowed
    JOIN venue v ON v.org_uuid = allowed.org_uuid
    CROSS JOIN LATERAL (
        SELECT NULL::uuid AS uuid, NULL::text AS name
        UNION ALL
        SELECT uuid, name
        FROM space
        WHERE venue_uuid = v.uuid
    ) AS s
)`

const countPlaces = places + `
SELECT count(*)
FROM place`

const selectPlaces = places + `
SELECT
    venue_uuid::text, venue_name, coalesce(space_uuid::text, ''), coalesce(space_name, ''), coalesce(city, ''),
    coalesce(country, '')
FROM place
ORDER BY lower(venue_name), venue_uuid, lower(space_name) NULLS FIRST, space_uuid
LIMIT $5 OFFSET $6`

// ChoosablePlaces returns the venues of the organizations where the caller has ChooseVenue, each
// with its spaces.
func (s *Service) ChoosablePlaces(ctx context.Context, page paging.Page) (adminapi.ChoosablePlaces, error) {
	shown := adminapi.ChoosablePlaces{Places: []adminapi.ChoosablePlace{}, Page: page.Answer()}
	var err error
	shown.Places, shown.TotalCount, err = choosable[adminapi.ChoosablePlace](
		ctx, s, permission.ChooseVenue, countPlaces, selectPlaces, page)
	return shown, err
}

// choosable returns a page of the rows in organizations where the caller has the permissions, and
// the total number of rows.
func choosable[T any](
	ctx context.Context, s *Service, need permission.Set, count, query string, page paging.Page,
) (found []T, total int, err error) {
	found = []T{}
	arguments, some := access.AllowedTo(auth.PrincipalOf(ctx), need)
	if !some {
		return found, 0, nil
	}
	err = s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, count, arguments...).Scan(&total); err != nil {
			return fmt.Errorf("count choosable: %w", err)
		}
		found, err = postgres.List[T](ctx, tx, "choosable", query, append(arguments, page.Limit, page.Offset)...)
		return err
	})
	return found, total, err
}
