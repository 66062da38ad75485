package apikey

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/platform/postgres"
)

const selectMadeBy = `
SELECT
    k.uuid::text, k.name, k.prefix, o.uuid::text, o.name, k.permissions, k.created_at, k.expires_at,
    k.last_used_at
FROM api_key k
JOIN organization o ON o.uuid = k.org_uuid
WHERE k.created_by = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)
ORDER BY k.created_at DESC, k.uuid DESC`

// MadeBy returns the organizations' keys that the user created and that are neither revoked nor
// expired, the newest first.
func MadeBy(ctx context.Context, tx pgx.Tx, userID int, now time.Time) ([]adminapi.RemainingKey, error) {
	return postgres.List[adminapi.RemainingKey](ctx, tx, "API keys", selectMadeBy, userID, now)
}
