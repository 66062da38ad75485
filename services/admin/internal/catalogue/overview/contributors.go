package overview

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
)

// choosableContributors are the contributors of the organization $1, or all for "", whose name or
// note contains $5, that the user $2 or the API key of the organization $3 may name, or for $4 a
// platform administrator; with $6 only those with the name of another one.
const choosableContributors = `
FROM contributor c
LEFT JOIN organization o ON o.uuid = c.org_uuid
LEFT JOIN membership m ON m.org_uuid = c.org_uuid AND m.user_id = $2
WHERE
    ($1 = '' OR c.org_uuid = nullif($1, '')::uuid)
    AND strpos(lower(c.name || ' ' || coalesce(c.note, '')), lower($5)) > 0
    AND (NOT $6 OR EXISTS (SELECT FROM contributor other WHERE lower(other.name) = lower(c.name) AND other.uuid <> c.uuid))
    AND ` + store.VisibleContributor

const countContributors = `
SELECT count(*)` + choosableContributors

const selectContributors = `
SELECT c.uuid::text, coalesce(c.org_uuid::text, ''), coalesce(o.name, ''), c.type, c.name, coalesce(c.note, ''),
    coalesce(c.web_link, ''), coalesce(c.wikidata, ''),
    ` + store.EventsOfContributor + `, m.permissions, ` + store.SharedContributor + choosableContributors + `
ORDER BY lower(c.name), c.uuid
LIMIT $7 OFFSET $8`

// Contributors returns the contributors that the principal may name: of an organization, or for ""
// all; whose name or note contains a text; if repeated, only contributors with the name of
// another one. A stranger's organization is a NotFound fault.
func (s *Service) Contributors(
	ctx context.Context, org, search string, repeated bool, page paging.Page,
) (adminapi.Contributors, error) {
	shown := adminapi.Contributors{Contributors: []adminapi.ContributorRow{}, Page: page.Answer()}
	who := auth.PrincipalOf(ctx)
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if org != "" {
			if _, err := access.Require(ctx, tx, who, org, 0); err != nil {
				return err
			}
		}
		args := []any{org, who.UserID, who.KeyOrg, who.PlatformAdmin, search, repeated}
		if err := tx.QueryRow(ctx, countContributors, args...).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count contributors: %w", err)
		}
		rows, _ := tx.Query(ctx, selectContributors, append(args, page.Limit, page.Offset)...) // the error comes with the rows
		var c adminapi.ContributorRow
		var stored *int64
		var shared bool
		_, err := pgx.ForEachRow(rows, []any{
			&c.UUID, &c.OrgUUID, &c.OrgName, &c.Type, &c.Name, &c.Note, &c.WebLink, &c.Wikidata, &c.Events, &stored, &shared,
		}, func() error {
			c.MayEdit = mayWrite(who, string(c.OrgUUID), stored, permission.EditEvent) && (who.PlatformAdmin || !shared)
			shown.Contributors = append(shown.Contributors, c)
			return nil
		})
		if err != nil {
			return fmt.Errorf("read contributors: %w", err)
		}
		return nil
	})
	return shown, err
}

// mayWrite reports whether the principal has a right in an organization, "" for the operator;
// stored are the permissions of the user's membership there, nil without one.
func mayWrite(who auth.Principal, org string, stored *int64, need permission.Set) bool {
	switch {
	case who.PlatformAdmin:
		return true
	case who.KeyOrg != "":
		return who.KeyOrg == org && who.KeyLimit.Has(need)
	case stored == nil:
		return false
	default:
		return within(who, *stored).Has(need)
	}
}
