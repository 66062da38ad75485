package team

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/platform/postgres"
)

const selectSent = `
SELECT i.uuid::text, o.uuid::text, o.name, i.email, i.role, i.created_at, i.expires_at
FROM invitation i
JOIN organization o ON o.uuid = i.org_uuid
WHERE i.invited_by = $1 AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > $2
ORDER BY i.created_at DESC, i.uuid DESC`

// SentBy returns the open invitations that the user sent, the newest first.
func SentBy(ctx context.Context, tx pgx.Tx, userID int, now time.Time) ([]adminapi.RemainingInvitation, error) {
	return postgres.List[adminapi.RemainingInvitation](ctx, tx, "invitations", selectSent, userID, now)
}
