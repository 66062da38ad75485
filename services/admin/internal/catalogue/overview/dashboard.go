package overview

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
)

// visible are the organizations of a user ($1), all of them for a platform administrator ($2), or
// the one that an API key acts for ($3), each with the permissions there; $4 is every permission.
const visible = `
WITH visible AS (
    SELECT org_uuid, permissions
    FROM membership
    WHERE user_id = $1 AND NOT $2
    UNION ALL
    SELECT uuid, $4
    FROM organization
    WHERE $2
    UNION ALL
    SELECT uuid, $4
    FROM organization
    WHERE uuid = nullif($3, '')::uuid AND NOT $2
)`

const countVisible = visible + `
SELECT count(*)
FROM visible`

const selectCards = visible + `
SELECT
    o.uuid::text, o.name, coalesce(o.city, ''), coalesce(o.country, ''), visible.permissions,
    (
        SELECT count(*)
        FROM event e
        JOIN event_date d ON d.event_uuid = e.uuid
        WHERE e.org_uuid = o.uuid AND last_day(d.start_date, d.end_date, d.hours) >= $5
    ),
    (SELECT count(*) FROM venue v WHERE v.org_uuid = o.uuid),
    (SELECT count(*) FROM venue v JOIN space s ON s.venue_uuid = v.uuid WHERE v.org_uuid = o.uuid)
FROM visible
JOIN organization o ON o.uuid = visible.org_uuid
ORDER BY lower(o.name), o.uuid
LIMIT $6 OFFSET $7`

// Dashboard returns the organizations that the caller belongs to: a platform administrator every
// one, an organization's API key its own.
func (s *Service) Dashboard(ctx context.Context, page paging.Page) (adminapi.Dashboard, error) {
	who := auth.PrincipalOf(ctx)
	shown := adminapi.Dashboard{Organizations: []adminapi.OrganizationCard{}, Page: page.Answer()}
	scope := []any{who.UserID, who.PlatformAdmin, who.KeyOrg, int64(permission.All)}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, countVisible, scope...).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count organizations: %w", err)
		}
		// the error comes with the rows
		rows, _ := tx.Query(ctx, selectCards, append(scope, s.today(), page.Limit, page.Offset)...)
		var card adminapi.OrganizationCard
		var stored int64
		_, err := pgx.ForEachRow(rows, []any{
			&card.OrgUUID, &card.OrgName, &card.OrgCity, &card.OrgCountry, &stored,
			&card.Upcoming, &card.VenueCount, &card.SpaceCount,
		}, func() error {
			card.UUID = card.OrgUUID
			shown.Organizations = append(shown.Organizations, allowed(card, within(who, stored)))
			return nil
		})
		if err != nil {
			return fmt.Errorf("read organizations: %w", err)
		}
		return nil
	})
	return shown, err
}

// within limits stored permissions to the principal's: an API key may have fewer.
func within(who auth.Principal, stored int64) permission.Set {
	have := permission.Set(stored) // the schema's domain keeps it within 30 bits
	if who.APIKey != "" {
		have = have.In(who.KeyLimit)
	}
	return have
}

// allowed returns the card with the operations that the permissions allow.
func allowed(c adminapi.OrganizationCard, have permission.Set) adminapi.OrganizationCard {
	c.CanEdit = have.Has(permission.EditOrganization)
	c.CanDelete = have.Has(permission.DeleteOrganization)
	c.CanManageTeam = have.Has(permission.ManageTeam)
	return c
}
