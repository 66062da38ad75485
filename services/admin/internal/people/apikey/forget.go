package apikey

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/people/audit"
)

const (
	deleteKeysOfUser = `
DELETE FROM api_key
WHERE created_by = $1 OR user_id = $1
RETURNING uuid::text, coalesce(org_uuid::text, ''), name, prefix, permissions, revoked_at IS NULL`

	forgetRevoker = `
UPDATE api_key
SET revoked_by = NULL
WHERE revoked_by = $1`
)

// deletedKey is a key that is deleted with the account of its creator.
type deletedKey struct {
	UUID, OrgUUID, Name, Prefix string
	Permissions                 value.Mask
	Active                      bool
}

// Forget deletes every key that the user made. Keys of organizations have no effect without their
// creator; their deletion is recorded for the organization.
func Forget(ctx context.Context, tx pgx.Tx, userID int, at time.Time) error {
	rows, _ := tx.Query(ctx, deleteKeysOfUser, userID) // the error comes with the rows
	keys, err := pgx.CollectRows(rows, pgx.RowToStructByPos[deletedKey])
	if err != nil {
		return fmt.Errorf("delete API keys: %w", err)
	}
	if _, err := tx.Exec(ctx, forgetRevoker, userID); err != nil {
		return fmt.Errorf("forget revoker of API keys: %w", err)
	}
	for _, key := range keys {
		if key.OrgUUID == "" || !key.Active {
			continue
		}
		err := audit.Record(ctx, tx, audit.Entry{
			At: at, Action: "api_key.revoke", EntityKind: "api_key", EntityID: key.UUID, OrgUUID: key.OrgUUID,
			Before: recorded(adminapi.APIKey{Name: key.Name, Prefix: key.Prefix, Permissions: key.Permissions}),
		})
		if err != nil {
			return err
		}
	}
	return nil
}
