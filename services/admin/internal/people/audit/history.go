package audit

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

// ofEvent joins the membership m of the actor. Entries from before an event moved to its present
// organization belong to the former one.
const ofEvent = `
FROM audit_entry a
LEFT JOIN membership m ON m.org_uuid = a.org_uuid AND m.user_id = a.actor_user_id
LEFT JOIN app_user u ON u.id = m.user_id
WHERE a.entity_kind = 'event' AND a.entity_id = $1 AND a.org_uuid = $2`

const countOfEvent = `
SELECT count(*)` + ofEvent

const selectOfEvent = `
SELECT
    a.id, a.at, coalesce(u.display_name, concat_ws(' ', u.first_name, u.last_name), ''),
    coalesce(a.actor_user_id = nullif($3, 0), false), a.actor_api_key IS NOT NULL, a.action, a.before, a.after` +
	ofEvent + `
ORDER BY a.id DESC
LIMIT $4 OFFSET $5`

// EventHistory returns the writes to an event in its present organization, for members who may edit
// it: with fewer fields than List, and without mail and network addresses. The faults: NotFound for
// a stranger, Forbidden for a member without EditEvent.
func (s *Service) EventHistory(ctx context.Context, event string, page paging.Page) (adminapi.EventHistory, error) {
	shown := adminapi.EventHistory{
		Entries: []adminapi.HistoryEntry{}, Page: adminapi.Page{Limit: page.Limit, Offset: page.Offset},
	}
	who := auth.PrincipalOf(ctx)
	err := s.db.ReadTx(ctx, func(tx pgx.Tx) error {
		org, err := access.RequireEvent(ctx, tx, who, event, permission.EditEvent)
		if err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, countOfEvent, event, org).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count history of event: %w", err)
		}
		shown.Entries, err = postgres.List[adminapi.HistoryEntry](ctx, tx, "history of event", selectOfEvent,
			event, org, who.UserID, page.Limit, page.Offset)
		return err
	})
	return shown, err
}
