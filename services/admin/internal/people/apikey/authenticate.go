package apikey

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth"
)

// creatorHasAccess is the SQL condition that the creator of the key k is active and, for an
// organization's key, may act there.
const creatorHasAccess = `api_key_creator_has_access(k.created_by, k.org_uuid)`

// selectPrincipal limits an organization's key to the permissions that its creator m still has
// there; a platform administrator has all of them. A personal key is limited to its user's by
// package access. A key whose creator is not active, or has left the organization, is not found.
const selectPrincipal = `
SELECT
    k.uuid::text, coalesce(k.user_id, 0), coalesce(k.org_uuid::text, ''),
    CASE
        WHEN k.org_uuid IS NULL OR u.is_platform_admin THEN k.permissions
        ELSE whole_permissions(k.permissions) & whole_permissions(m.permissions)
    END,
    u.locale, k.tier, k.created_by
FROM api_key k
JOIN app_user u ON u.id = k.created_by
LEFT JOIN membership m ON m.org_uuid = k.org_uuid AND m.user_id = k.created_by
WHERE k.hash = $1
    AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > $2)
    AND ` + creatorHasAccess

// touchKey writes at most once a minute, rather than for every request.
const touchKey = `
UPDATE api_key
SET last_used_at = $2
WHERE uuid = $1 AND (last_used_at IS NULL OR last_used_at < $2::timestamptz - interval '1 minute')`

// Authenticate returns the principal of a key and records its use. The fault is Unauthenticated
// with code "api_key_invalid" for a key that is unknown, expired or revoked, or whose creator lost
// access.
func (s *Service) Authenticate(ctx context.Context, key string) (auth.Principal, error) {
	var principal auth.Principal
	var limit int64
	var creator int
	now := s.now()
	err := s.db.QueryRow(ctx, selectPrincipal, auth.Digest(key), now).
		Scan(&principal.APIKey, &principal.UserID, &principal.KeyOrg, &limit, &principal.Locale, &principal.KeyTier,
			&creator)
	if errors.Is(err, pgx.ErrNoRows) {
		return auth.Principal{}, fault.New(fault.Unauthenticated, "api_key_invalid", "the API key is not valid")
	}
	if err != nil {
		return auth.Principal{}, fmt.Errorf("read API key: %w", err)
	}
	principal.KeyOwner = change.KeyOwner(creator)
	principal.KeyLimit = permission.Set(limit).Plain() // the schema's domain allows only 30 bits
	if _, err := s.db.Exec(ctx, touchKey, principal.APIKey, now); err != nil {
		return auth.Principal{}, fmt.Errorf("record use of API key: %w", err)
	}
	return principal, nil
}
