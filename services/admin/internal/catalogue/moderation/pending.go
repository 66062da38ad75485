package moderation

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

const countPending = `
SELECT count(*)
FROM organization_approval
WHERE state = 'pending'`

const selectPending = `
SELECT
    o.uuid::text, o.name, coalesce(o.description, ''), coalesce(o.city, ''), coalesce(o.country, ''),
    coalesce(o.contact_email, ''), coalesce(o.web_link, ''), a.asked_at
FROM organization_approval a
JOIN organization o ON o.uuid = a.org_uuid
WHERE a.state = 'pending'
ORDER BY a.asked_at, a.org_uuid
LIMIT $1 OFFSET $2`

// Pending returns the organizations that wait for approval. It returns a Forbidden fault for anyone
// but platform administrators.
func (s *Service) Pending(ctx context.Context, page paging.Page) (adminapi.PendingOrganizations, error) {
	shown := adminapi.PendingOrganizations{Organizations: []adminapi.PendingOrganization{}, Page: page.Answer()}
	if err := access.RequirePlatform(auth.PrincipalOf(ctx)); err != nil {
		return shown, err
	}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, countPending).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count pending organizations: %w", err)
		}
		var err error
		shown.Organizations, err = postgres.List[adminapi.PendingOrganization](ctx, tx, "pending organizations",
			selectPending, page.Limit, page.Offset)
		return err
	})
	return shown, err
}
