package apikey

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/value"
	"litfass/services/admin/internal/postgres"
)

// OrganizationKey is an API key of an organization, as the user who created it sees it.
type OrganizationKey struct {
	UUID        string     `json:"uuid"`
	Name        string     `json:"name"`
	Prefix      string     `json:"prefix"`
	OrgUUID     string     `json:"org_uuid"`
	OrgName     string     `json:"org_name"`
	Permissions value.Mask `json:"permissions"`
	CreatedAt   time.Time  `json:"created_at"`
	ExpiresAt   *time.Time `json:"expires_at"`
	LastUsedAt  *time.Time `json:"last_used_at"`
}

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
func MadeBy(ctx context.Context, tx pgx.Tx, userID int, now time.Time) ([]OrganizationKey, error) {
	return postgres.List[OrganizationKey](ctx, tx, "API keys", selectMadeBy, userID, now)
}
