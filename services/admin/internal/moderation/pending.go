package moderation

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/value"
	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/paging"
	"litfass/services/admin/internal/postgres"
)

// Waiting is an organization that waits for approval.
type Waiting struct {
	UUID         string     `json:"uuid"`
	Name         string     `json:"name"`
	Description  string     `json:"description"`
	City         string     `json:"city"`
	Country      string     `json:"country"`
	ContactEmail string     `json:"contact_email"`
	WebLink      value.Text `json:"web_link"`
	AskedAt      time.Time  `json:"asked_at"`
}

// WaitingList is a page of them, the longest waiting first.
type WaitingList struct {
	Organizations []Waiting `json:"organizations"`
	TotalCount    int       `json:"total_count"`
	paging.Page
}

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

// Pending returns the organizations that wait for approval. It returns a Forbidden fault for those
// who are no platform administrators.
func (s *Service) Pending(ctx context.Context, page paging.Page) (WaitingList, error) {
	shown := WaitingList{Organizations: []Waiting{}, Page: page}
	if err := access.RequirePlatform(auth.PrincipalOf(ctx)); err != nil {
		return shown, err
	}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, countPending).Scan(&shown.TotalCount); err != nil {
			return fmt.Errorf("count pending organizations: %w", err)
		}
		var err error
		shown.Organizations, err = postgres.List[Waiting](ctx, tx, "pending organizations", selectPending, page.Limit,
			page.Offset)
		return err
	})
	return shown, err
}
