package apikey

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
)

const selectKey = `
SELECT
    k.uuid::text, k.name, k.prefix, k.permissions, k.created_by, k.created_at, k.expires_at, k.last_used_at,
    (k.expires_at IS NULL OR k.expires_at > $3) AND ` + creatorHasAccess + `, k.tier
FROM api_key k`

const selectKeys = selectKey + `
WHERE k.uuid IN (SELECT k.uuid` + owned + `)
ORDER BY k.created_at DESC, k.uuid DESC
LIMIT $4 OFFSET $5`

// List returns the keys, including expired ones. It returns the faults of Create.
func (s *Service) List(ctx context.Context, org string, page paging.Page) (adminapi.APIKeys, error) {
	shown := adminapi.APIKeys{APIKeys: []adminapi.APIKey{}, Page: page.Answer()}
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		if _, err := s.enter(ctx, tx, org); err != nil {
			return err
		}
		who := auth.PrincipalOf(ctx)
		if err := tx.QueryRow(ctx, countKeys, who.UserID, org).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count API keys: %w", err)
		}
		var err error
		shown.APIKeys, err = postgres.List[adminapi.APIKey](ctx, tx, "API keys", selectKeys,
			who.UserID, org, s.now(), page.Limit, page.Offset)
		return err
	})
	return shown, err
}
