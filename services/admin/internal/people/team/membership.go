package team

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
)

const countMemberships = `
SELECT count(*)
FROM membership
WHERE user_id = $1`

const selectMemberships = `
SELECT m.uuid::text, o.uuid::text, o.name, m.role, m.permissions, m.joined_at,` + isLastOwner + `
FROM membership m
JOIN organization o ON o.uuid = m.org_uuid
WHERE m.user_id = $1
ORDER BY lower(o.name), o.uuid
LIMIT $2 OFFSET $3`

// Memberships returns the memberships of the logged-in user (RULES.md, Rights). The fault is
// Forbidden for an API key.
func (s *Service) Memberships(ctx context.Context, page paging.Page) (adminapi.Memberships, error) {
	who := auth.PrincipalOf(ctx)
	shown := adminapi.Memberships{Memberships: []adminapi.Membership{}, Page: page.Answer()}
	if err := access.RequireLogin(who); err != nil {
		return shown, err
	}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, countMemberships, who.UserID).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count memberships: %w", err)
		}
		var err error
		shown.Memberships, err = postgres.List[adminapi.Membership](ctx, tx, "memberships", selectMemberships, who.UserID,
			page.Limit, page.Offset)
		return err
	})
	return shown, err
}
