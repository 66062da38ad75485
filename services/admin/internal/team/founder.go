package team

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/audit"
	"litfass/services/admin/internal/permission"
)

const insertOwner = `
INSERT INTO membership (uuid, org_uuid, user_id, role, permissions, joined_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $6)`

// Found makes a user the owner of an organization that was founded in the same transaction.
func Found(ctx context.Context, tx pgx.Tx, org string, userID int, now time.Time) error {
	member, err := uuid.NewV7()
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, insertOwner, member, org, userID, permission.Owner, int64(permission.All), now); err != nil {
		return fmt.Errorf("store owner: %w", err)
	}
	owner := map[string]any{"user_id": userID, "role": permission.Owner, "permissions": permission.All.String()}
	return audit.Record(ctx, tx, audit.Entry{
		At: now, Action: "member.join", EntityKind: "membership", EntityID: member.String(), OrgUUID: org, After: owner,
	})
}
