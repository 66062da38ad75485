package team

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/permission"
	"litfass/services/admin/internal/postgres"
)

// Sent is an open invitation, as the user who sent it sees it.
type Sent struct {
	UUID      string          `json:"uuid"`
	OrgUUID   string          `json:"org_uuid"`
	OrgName   string          `json:"org_name"`
	Email     string          `json:"email"`
	Role      permission.Role `json:"role"`
	InvitedAt time.Time       `json:"invited_at"`
	ExpiresAt time.Time       `json:"expires_at"`
}

const selectSent = `
SELECT i.uuid::text, o.uuid::text, o.name, i.email, i.role, i.created_at, i.expires_at
FROM invitation i
JOIN organization o ON o.uuid = i.org_uuid
WHERE i.invited_by = $1 AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > $2
ORDER BY i.created_at DESC, i.uuid DESC`

// SentBy returns the open invitations that the user sent, the newest first.
func SentBy(ctx context.Context, tx pgx.Tx, userID int, now time.Time) ([]Sent, error) {
	return postgres.List[Sent](ctx, tx, "invitations", selectSent, userID, now)
}
