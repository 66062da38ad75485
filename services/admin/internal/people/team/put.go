package team

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/audit"
)

const upsertMember = `
INSERT INTO membership (uuid, org_uuid, user_id, role, permissions, joined_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $6)
ON CONFLICT ON CONSTRAINT membership_once_per_organization DO UPDATE
SET role = excluded.role, permissions = excluded.permissions, updated_at = excluded.updated_at,
    version = membership.version + 1
RETURNING uuid::text`

// Put makes the user a member of the organization with these permissions, or changes an existing
// membership, and records it. It checks no rights: it is for the founder of the organization, and
// for the operator's commands.
func Put(ctx context.Context, tx pgx.Tx, at time.Time, org string, userID int, set permission.Set) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	role, member := permission.RoleOf(set), ""
	err = tx.QueryRow(ctx, upsertMember, id, org, userID, role, int64(set), at).Scan(&member)
	if err != nil {
		return fmt.Errorf("store member: %w", err)
	}
	return audit.Record(ctx, tx, audit.Entry{
		At: at, Action: "member.join", EntityKind: "membership", EntityID: member, OrgUUID: org,
		After: map[string]any{"user_id": userID, "role": role, "permissions": mask(set)},
	})
}
