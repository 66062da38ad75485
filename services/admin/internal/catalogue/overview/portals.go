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

// visiblePortals are the portals of the organization $1, or all for ”, that the user $2 or the API
// key of the organization $4 may see, or for $3 a platform administrator.
const visiblePortals = `
FROM portal p
LEFT JOIN organization o ON o.uuid = p.org_uuid
LEFT JOIN membership m ON m.org_uuid = p.org_uuid AND m.user_id = $2
WHERE ($1 = '' OR p.org_uuid = nullif($1, '')::uuid)
    AND ($3 OR CASE WHEN $4 = '' THEN m.user_id IS NOT NULL ELSE p.org_uuid = nullif($4, '')::uuid END)`

const countPortals = `
SELECT count(*)` + visiblePortals

const selectPortals = `
SELECT p.uuid::text, coalesce(p.org_uuid::text, ''), coalesce(o.name, ''), p.slug, p.name, m.permissions` + visiblePortals + `
ORDER BY lower(p.name), p.uuid
LIMIT $5 OFFSET $6`

// Portals returns the portals of an organization, or for "" of all organizations of the principal,
// and to a platform administrator all. A stranger's organization is a NotFound fault.
func (s *Service) Portals(ctx context.Context, org string, page paging.Page) (adminapi.Portals, error) {
	shown := adminapi.Portals{Portals: []adminapi.PortalRow{}, Page: page.Answer()}
	who := auth.PrincipalOf(ctx)
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if org != "" {
			if _, err := access.Require(ctx, tx, who, org, 0); err != nil {
				return err
			}
		}
		args := []any{org, who.UserID, who.PlatformAdmin, who.KeyOrg}
		if err := tx.QueryRow(ctx, countPortals, args...).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count portals: %w", err)
		}
		rows, _ := tx.Query(ctx, selectPortals, append(args, page.Limit, page.Offset)...) // the error comes with the rows
		var portal adminapi.PortalRow
		var stored *int64
		_, err := pgx.ForEachRow(rows, []any{
			&portal.UUID, &portal.OrgUUID, &portal.OrgName, &portal.Slug, &portal.Name, &stored,
		}, func() error {
			portal.MayEdit = mayEdit(who, stored)
			shown.Portals = append(shown.Portals, portal)
			return nil
		})
		if err != nil {
			return fmt.Errorf("read portals: %w", err)
		}
		return nil
	})
	return shown, err
}

// mayEdit reports whether a principal who sees a portal may change it. stored holds the permissions
// of the user in its organization, nil without a membership.
func mayEdit(who auth.Principal, stored *int64) bool {
	switch {
	case who.PlatformAdmin:
		return true
	case who.KeyOrg != "":
		return who.KeyLimit.Has(permission.EditOrganization)
	case stored == nil:
		return false
	default:
		return within(who, *stored).Has(permission.EditOrganization)
	}
}
