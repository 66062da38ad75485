package auth

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/permission"
)

// keyMark begins every API key, so that it is told from a token, and found by scanners when it leaks.
const keyMark = "lfk_"

// APIKey is a new API key. Text is shown once; Prefix, its beginning, stays visible; Hash is stored.
type APIKey struct {
	Text   string
	Prefix string
	Hash   []byte
}

// NewAPIKey makes an API key of 256 random bits.
func NewAPIKey() APIKey {
	text := keyMark + NewSecret()
	return APIKey{Text: text, Prefix: text[:12], Hash: Digest(text)}
}

// selectAPIKey: a key is worth nothing without whoever made it. An organization's key has at most the permissions that its
// maker m still has there (a personal key is cut to its user's by package access); a platform
// administrator has all of them.
const selectAPIKey = `
SELECT
    k.uuid::text, coalesce(k.user_id, 0), coalesce(k.org_uuid::text, ''),
    CASE WHEN k.org_uuid IS NULL OR u.is_platform_admin THEN k.permissions ELSE k.permissions & m.permissions END,
    u.locale
FROM api_key k
JOIN app_user u ON u.id = k.created_by
LEFT JOIN membership m ON m.org_uuid = k.org_uuid AND m.user_id = k.created_by
WHERE k.hash = $1
    AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > $2)
    AND u.activated_at IS NOT NULL
    AND u.deactivated_at IS NULL
    AND (k.org_uuid IS NULL OR m.uuid IS NOT NULL OR u.is_platform_admin)`

// touchAPIKey writes once a minute at most: a busy key would else turn every read into a write.
const touchAPIKey = `
UPDATE api_key
SET last_used_at = $2
WHERE uuid = $1 AND (last_used_at IS NULL OR last_used_at < $2::timestamptz - interval '1 minute')`

// apiKey returns who acts with the key.
func (a *Authenticator) apiKey(ctx context.Context, text string) (Principal, error) {
	var principal Principal
	var limit int64
	now := a.now()
	err := a.db.QueryRow(ctx, selectAPIKey, Digest(text), now).
		Scan(&principal.APIKey, &principal.UserID, &principal.KeyOrg, &limit, &principal.Locale)
	if errors.Is(err, pgx.ErrNoRows) {
		return Principal{}, fault.New(fault.Unauthenticated, "api_key_invalid", "the API key is not valid")
	}
	if err != nil {
		return Principal{}, fmt.Errorf("read API key: %w", err)
	}
	principal.KeyLimit = permission.Set(limit) // the schema's domain keeps it within 29 bits
	if _, err := a.db.Exec(ctx, touchAPIKey, principal.APIKey, now); err != nil {
		return Principal{}, fmt.Errorf("note use of API key: %w", err)
	}
	return principal, nil
}
