// Package apikey creates, lists, renames, revokes and authenticates the keys with which programs
// act for a user or an organization. The text of a key is returned once; only its hash is stored.
//
// A key never has more permissions than its creator has at the time of use: a personal key is
// limited to its user's rights by package access, an organization's key to its creator's by
// Authenticate. The keys of a user who left the organization, or was deactivated, are refused.
package apikey

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/limit"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/quota"
)

// Service holds the use cases. Each takes the organization that owns the keys, or "" for the
// personal keys of the logged-in user.
type Service struct {
	db  *postgres.DB
	now auth.Clock
}

// New returns the service.
func New(db *postgres.DB, now auth.Clock) *Service { return &Service{db, now} }

// Now is the time that decides whether a key has expired.
func (s *Service) Now() time.Time { return s.now() }

// NewKey describes a key to create.
type NewKey struct {
	Name        string
	Permissions permission.Set
	ExpiresAt   *time.Time // nil: never
}

// owned selects the keys of the organization $2 or, if that is "", of the user $1.
const owned = `
FROM api_key k
WHERE k.revoked_at IS NULL
    AND (k.user_id = $1 AND $2 = '' OR k.org_uuid = nullif($2, '')::uuid)`

// enter locks the owner of the keys until the transaction ends and returns the caller's
// permissions: all of them for personal keys, else those in the organization. The faults: Forbidden
// for an API key and without ManagePermissions; NotFound for a stranger.
func (s *Service) enter(ctx context.Context, tx pgx.Tx, org string) (permission.Set, error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return 0, err
	}
	if org == "" {
		return permission.All, access.LockUser(ctx, tx, who.UserID) // limited each time the key is used
	}
	if err := access.Lock(ctx, tx, org); err != nil {
		return 0, err
	}
	return access.Require(ctx, tx, who, org, permission.ManagePermissions)
}

const countKeys = `
SELECT count(*)` + owned

const insertKey = `
INSERT INTO api_key (
    uuid, user_id, org_uuid, name, prefix, hash, permissions, created_by, created_at, expires_at
)
VALUES ($1, $2, nullif($3, '')::uuid, $4, $5, $6, $7, $8, $9, $10)`

// Create makes a key and returns it with its text, which is not stored. The faults: NotFound for a
// stranger; Forbidden without ManagePermissions, for permissions that the caller lacks in the
// organization, and for an API key; Conflict when there are too many keys.
func (s *Service) Create(ctx context.Context, org string, asked NewKey) (adminapi.APIKey, string, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return adminapi.APIKey{}, "", err
	}
	text, who, now := auth.KeyMark+auth.NewSecret(), auth.PrincipalOf(ctx), stored(s.now())
	if asked.ExpiresAt != nil {
		end := stored(*asked.ExpiresAt)
		asked.ExpiresAt = &end
	}
	key := adminapi.APIKey{
		UUID: id.String(), Name: asked.Name, Prefix: text[:12],
		Permissions: value.Mask(asked.Permissions),
		CreatedBy:   who.UserID, CreatedAt: now, ExpiresAt: asked.ExpiresAt, Active: true, Tier: limit.TierStandard,
	}
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		have, err := s.enter(ctx, tx, org)
		if err != nil {
			return err
		}
		if !have.Has(asked.Permissions) {
			return fault.New(fault.Forbidden, "permission_beyond_own",
				"a key cannot have a permission that its creator lacks")
		}
		var user *int
		if org == "" {
			user = &key.CreatedBy
		}
		_, err = tx.Exec(ctx, insertKey, key.UUID, user, org, key.Name, key.Prefix, auth.Digest(text),
			int64(key.Permissions), key.CreatedBy, key.CreatedAt, key.ExpiresAt)
		if err != nil {
			return fmt.Errorf("store API key: %w", err)
		}
		if err := quota.Add(ctx, tx, quota.Keys, cmp.Or(org, strconv.Itoa(who.UserID)), 1); err != nil {
			return err
		}
		return s.record(ctx, tx, "api_key.create", org, key.UUID, nil, recorded(key))
	})
	return key, text, err
}

// stored returns a time with the precision of PostgreSQL, so that Create returns the same value as
// List.
func stored(moment time.Time) time.Time { return moment.UTC().Truncate(time.Microsecond) }

const revokeKey = `
UPDATE api_key
SET revoked_at = $4, revoked_by = $1
WHERE uuid = $3 AND uuid IN (SELECT k.uuid` + owned + `)
RETURNING name, prefix, permissions`

// Revoke revokes a key immediately. It returns the faults of Create, and NotFound for a key of
// another owner or one that is already revoked. ManagePermissions suffices even for a key with
// permissions that the caller lacks: a key can be created again.
func (s *Service) Revoke(ctx context.Context, org, id string) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		if _, err := s.enter(ctx, tx, org); err != nil {
			return err
		}
		// the error comes with the rows
		rows, _ := tx.Query(ctx, revokeKey, auth.PrincipalOf(ctx).UserID, org, id, s.now())
		revoked, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (key adminapi.APIKey, err error) {
			err = row.Scan(&key.Name, &key.Prefix, &key.Permissions)
			return key, err
		})
		if err != nil {
			return fmt.Errorf("revoke API key: %w", err)
		}
		if len(revoked) == 0 {
			return errKeyNotFound()
		}
		return s.record(ctx, tx, "api_key.revoke", org, id, recorded(revoked[0]), nil)
	})
}

const revokePersonalKeys = `
UPDATE api_key
SET revoked_at = $2, revoked_by = $1
WHERE user_id = $1 AND revoked_at IS NULL`

// RevokePersonal revokes every personal key of the user and returns their number.
func RevokePersonal(ctx context.Context, tx pgx.Tx, userID int, at time.Time) (count int64, err error) {
	tag, err := tx.Exec(ctx, revokePersonalKeys, userID, at)
	if err != nil {
		return 0, fmt.Errorf("revoke API keys: %w", err)
	}
	return tag.RowsAffected(), nil
}

// recorded returns the values of a key in the audit.
func recorded(key adminapi.APIKey) map[string]any {
	return map[string]any{"name": key.Name, "prefix": key.Prefix, "permissions": key.Permissions}
}

func (s *Service) record(
	ctx context.Context, tx pgx.Tx, action, org, id string, before, after map[string]any,
) error {
	entry := audit.Entry{At: s.now(), Action: action, EntityKind: "api_key", EntityID: id, OrgUUID: org}
	if before != nil {
		entry.Before = before
	}
	if after != nil {
		entry.After = after
	}
	return audit.Record(ctx, tx, entry)
}
