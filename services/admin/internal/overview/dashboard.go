package overview

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/paging"
	"litfass/services/admin/internal/permission"
)

// Card is an organization on the dashboard. Upcoming are the dates that are not over yet, drafts
// included. OrgUUID is the UUID, as known clients read it.
type Card struct {
	UUID          string  `json:"uuid"`
	OrgUUID       string  `json:"org_uuid"`
	OrgName       string  `json:"org_name"`
	OrgCity       *string `json:"org_city"`
	OrgCountry    *string `json:"org_country"`
	Upcoming      int     `json:"total_upcoming_events"`
	VenueCount    int     `json:"venue_count"`
	SpaceCount    int     `json:"space_count"`
	CanEdit       bool    `json:"can_edit_organization"`
	CanDelete     bool    `json:"can_delete_organization"`
	CanManageTeam bool    `json:"can_manage_team"`
}

// Dashboard is a page of the caller's organizations, by name.
type Dashboard struct {
	Organizations []Card `json:"organizations"`
	TotalCount    int    `json:"total_count"`
	paging.Page
}

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
    o.uuid::text, o.name, o.city, o.country, visible.permissions,
    (
        SELECT count(*)
        FROM event e
        JOIN event_date d ON d.event_uuid = e.uuid
        WHERE e.org_uuid = o.uuid AND coalesce(d.end_date, d.start_date) >= $5
    ),
    (SELECT count(*) FROM venue v WHERE v.org_uuid = o.uuid),
    (SELECT count(*) FROM venue v JOIN space s ON s.venue_uuid = v.uuid WHERE v.org_uuid = o.uuid)
FROM visible
JOIN organization o ON o.uuid = visible.org_uuid
ORDER BY lower(o.name), o.uuid
LIMIT $6 OFFSET $7`

// Dashboard returns the organizations that the caller belongs to: a platform administrator every
// one, an organization's API key its own.
func (s *Service) Dashboard(ctx context.Context, page paging.Page) (Dashboard, error) {
	who := auth.PrincipalOf(ctx)
	shown := Dashboard{Organizations: []Card{}, Page: page}
	scope := []any{who.UserID, who.PlatformAdmin, who.KeyOrg, int64(permission.All)}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, countVisible, scope...).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count organizations: %w", err)
		}
		// the error comes with the rows
		rows, _ := tx.Query(ctx, selectCards, append(scope, s.today(), page.Limit, page.Offset)...)
		var card Card
		var stored int64
		_, err := pgx.ForEachRow(rows, []any{
			&card.OrgUUID, &card.OrgName, &card.OrgCity, &card.OrgCountry, &stored,
			&card.Upcoming, &card.VenueCount, &card.SpaceCount,
		}, func() error {
			card.UUID = card.OrgUUID
			shown.Organizations = append(shown.Organizations, card.allowed(within(who, stored)))
			return nil
		})
		if err != nil {
			return fmt.Errorf("read organizations: %w", err)
		}
		return nil
	})
	return shown, err
}

// within limits stored permissions to those of the principal: an API key may have fewer.
func within(who auth.Principal, stored int64) permission.Set {
	have := permission.Set(stored) // the schema's domain keeps it within 29 bits
	if who.APIKey != "" {
		have &= who.KeyLimit
	}
	return have
}

func (c Card) allowed(have permission.Set) Card {
	c.CanEdit = have.Has(permission.EditOrganization)
	c.CanDelete = have.Has(permission.DeleteOrganization)
	c.CanManageTeam = have.Has(permission.ManageTeam)
	return c
}
