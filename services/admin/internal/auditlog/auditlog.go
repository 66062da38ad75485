// Package auditlog shows an organization's managers what was done in it (package audit writes it).
package auditlog

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/paging"
	"litfass/services/admin/internal/permission"
	"litfass/services/admin/internal/postgres"
)

// Entry is one write. Without an actor it was the program itself, its command line, or an organization's API key.
type Entry struct {
	ID          int64           `json:"id"`
	At          time.Time       `json:"at"`
	ActorUserID *int            `json:"actor_user_id"`
	ActorName   *string         `json:"actor_name"` // as they are called now, or their address
	ActorAPIKey *string         `json:"actor_api_key"`
	Action      string          `json:"action"`
	EntityKind  string          `json:"entity_kind"`
	EntityID    string          `json:"entity_id"`
	Address     *string         `json:"address"`
	RequestID   *string         `json:"request_id"`
	Before      json.RawMessage `json:"before"` // the fields that changed; null when it was new
	After       json.RawMessage `json:"after"`  // null when it is gone
}

// Filter says which entries are wanted; zero values ask for all.
type Filter struct {
	From   *time.Time // at that moment or later
	To     *time.Time // before that moment
	Action string     // exactly this, or with a trailing dot every one of an entity: "member."
	Actor  int        // user_id
}

// Log is a page of entries, the newest first.
type Log struct {
	Entries    []Entry `json:"entries"`
	TotalCount int     `json:"total_count"`
	paging.Page
}

const matching = `
FROM audit_entry a
LEFT JOIN app_user u ON u.id = a.actor_user_id
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
    coalesce(u.display_name, nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email),
    a.actor_api_key::text, a.action, a.entity_kind, a.entity_id, host(a.address), a.request_id, a.before, a.after` +
	matching + `
ORDER BY a.id DESC
LIMIT $6 OFFSET $7`

// Service holds the use case.
type Service struct{ db *postgres.DB }

// New returns the service.
func New(db *postgres.DB) *Service { return &Service{db} }

// List returns what was done in the organization. The faults: NotFound for a stranger; Forbidden without ManagePermissions
// and ManageTeam; one of the two is enough.
func (s *Service) List(ctx context.Context, org string, filter Filter, page paging.Page) (Log, error) {
	shown := Log{Entries: []Entry{}, Page: page}
	err := s.db.ReadTx(ctx, func(tx pgx.Tx) error {
		have, err := access.Permissions(ctx, tx, auth.PrincipalOf(ctx), org)
		if err != nil {
			return err
		}
		if !have.Has(permission.ManagePermissions) && !have.Has(permission.ManageTeam) {
			return fault.New(fault.Forbidden, "permission_missing", "you lack the right to do this in this organization")
		}
		scope := []any{org, filter.From, filter.To, filter.Action, filter.Actor}
		if err := tx.QueryRow(ctx, countEntries, scope...).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count audit entries: %w", err)
		}
		rows, _ := tx.Query(ctx, selectEntries, append(scope, page.Limit, page.Offset)...) // the error comes with the rows
		if shown.Entries, err = pgx.AppendRows(shown.Entries, rows, pgx.RowToStructByPos[Entry]); err != nil {
			return fmt.Errorf("read audit entries: %w", err)
		}
		return nil
	})
	return shown, err
}
