package audit

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
)

// Filter selects entries; zero values select all.
type Filter struct {
	From   *time.Time // at that time or later
	To     *time.Time // before that time
	Action string     // exactly this; with a trailing dot every action of an entity: "member."
	Actor  int        // user_id
}

// matching joins the membership m of the actor, or of the creator of the organization's key.
const matching = `
FROM audit_entry a
LEFT JOIN api_key k ON k.uuid = a.actor_api_key
LEFT JOIN membership m ON m.org_uuid = a.org_uuid AND m.user_id = coalesce(a.actor_user_id, k.created_by)
LEFT JOIN app_user u ON u.id = a.actor_user_id AND m.uuid IS NOT NULL
WHERE a.org_uuid = $1
    AND ($2::timestamptz IS NULL OR a.at >= $2)
    AND ($3::timestamptz IS NULL OR a.at < $3)
    AND ($4 = '' OR a.action = $4 OR right($4, 1) = '.' AND starts_with(a.action, $4))
    AND ($5 = 0 OR a.actor_user_id = $5)`

const countEntries = `
SELECT count(*)` + matching

const selectEntries = `
SELECT
    a.id, a.at, a.actor_user_id,
    coalesce(u.display_name, nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email, ''),
    coalesce(a.actor_api_key::text, ''), a.action, a.entity_kind, a.entity_id,
    coalesce(CASE WHEN m.uuid IS NOT NULL THEN host(a.address) END, ''),
    coalesce(a.request_id, ''), a.before, a.after` +
	matching + `
ORDER BY a.id DESC
LIMIT $6 OFFSET $7`

// Service reads entries.
type Service struct{ db *postgres.DB }

// New returns the service.
func New(db *postgres.DB) *Service { return &Service{db} }

// List returns the entries of the organization. The faults: NotFound for a stranger; Forbidden for
// a member who has neither ManagePermissions nor ManageTeam.
func (s *Service) List(ctx context.Context, org string, filter Filter, page paging.Page) (adminapi.AuditLog, error) {
	shown := adminapi.AuditLog{Entries: []adminapi.AuditEntry{}, Page: page.Answer()}
	err := s.db.ReadTx(ctx, func(tx pgx.Tx) error {
		have, err := access.Permissions(ctx, tx, auth.PrincipalOf(ctx), org)
		if err != nil {
			return err
		}
		if !have.Has(permission.ManagePermissions) && !have.Has(permission.ManageTeam) {
			return access.ErrMissing()
		}
		scope := []any{org, filter.From, filter.To, filter.Action, filter.Actor}
		if err := tx.QueryRow(ctx, countEntries, scope...).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count audit entries: %w", err)
		}
		shown.Entries, err = postgres.List[adminapi.AuditEntry](ctx, tx, "audit entries", selectEntries,
			append(scope, page.Limit, page.Offset)...)
		return err
	})
	return shown, err
}
