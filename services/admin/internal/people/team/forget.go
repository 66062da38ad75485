package team

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/platform/postgres"
)

// lockAllOf locks organizations as access.Lock does, in a fixed order.
const lockAllOf = `
SELECT
FROM organization
WHERE uuid IN (SELECT org_uuid FROM membership WHERE user_id = $1)
ORDER BY uuid
FOR NO KEY UPDATE`

// LockAll serialises the transaction with changes of every team that the user belongs to.
func LockAll(ctx context.Context, tx pgx.Tx, userID int) error {
	if _, err := tx.Exec(ctx, lockAllOf, userID); err != nil {
		return fmt.Errorf("lock organizations: %w", err)
	}
	return nil
}

// isLastOwner is the SQL condition that the membership m is that of its organization's only active
// owner.
const isLastOwner = `
    m.role = 'owner' AND NOT EXISTS (
        SELECT
        FROM membership other
        JOIN app_user u ON u.id = other.user_id
        WHERE other.org_uuid = m.org_uuid
            AND other.user_id <> m.user_id
            AND other.role = 'owner'
            AND u.deactivated_at IS NULL
    )`

const selectOnlyOwned = `
SELECT o.uuid::text, o.name
FROM membership m
JOIN organization o ON o.uuid = m.org_uuid
WHERE m.user_id = $1
    AND` + isLastOwner + `
ORDER BY lower(o.name), o.uuid`

// RequireNoLastOwner returns a Conflict fault with code "last_owner" that names the organizations
// of which the user is the only active owner.
func RequireNoLastOwner(ctx context.Context, tx pgx.Tx, userID int) error {
	owned, err := postgres.List[struct{ UUID, Name string }](ctx, tx, "owners", selectOnlyOwned, userID)
	if err != nil {
		return err
	}
	if len(owned) == 0 {
		return nil
	}
	refused := fault.New(fault.Conflict, "last_owner",
		"you are the last owner of an organization: delete it, or make another member owner first")
	for _, org := range owned {
		refused.Violations = append(refused.Violations, fault.Violate(org.UUID, reason.LastOwner(org.Name)))
	}
	return refused
}

const (
	deleteMemberships = `
DELETE FROM membership
WHERE user_id = $1
RETURNING uuid::text, org_uuid::text, role, permissions`

	forgetInviter = `
UPDATE membership
SET invited_by = NULL
WHERE invited_by = $1`

	deleteInvitations = `
DELETE FROM invitation
WHERE invited_by = $1 OR accepted_by = $1 OR lower(email) = ANY ($2)
RETURNING uuid::text, org_uuid::text, email, permissions, accepted_at IS NULL AND revoked_at IS NULL`
)

// Forget deletes the memberships of a user, and the invitations that they sent or accepted, or that
// were sent to one of the addresses (in lower case). This is recorded for the organizations.
func Forget(ctx context.Context, tx pgx.Tx, userID int, addresses []string, at time.Time) error {
	if err := forgetMemberships(ctx, tx, userID, at); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, forgetInviter, userID); err != nil {
		return fmt.Errorf("forget inviter: %w", err)
	}
	rows, _ := tx.Query(ctx, deleteInvitations, userID, addresses) // the error comes with the rows
	type row struct {
		UUID, OrgUUID, Email string
		Permissions          int64
		Open                 bool
	}
	gone, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	if err != nil {
		return fmt.Errorf("delete invitations: %w", err)
	}
	for _, one := range gone {
		if !one.Open {
			continue
		}
		err := audit.Record(ctx, tx, audit.Entry{
			At: at, Action: "member.uninvite", EntityKind: "invitation", EntityID: one.UUID, OrgUUID: one.OrgUUID,
			Before: recordedOffer(one.Email, permission.Set(one.Permissions)),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func forgetMemberships(ctx context.Context, tx pgx.Tx, userID int, at time.Time) error {
	rows, _ := tx.Query(ctx, deleteMemberships, userID) // the error comes with the rows
	type row struct {
		UUID, OrgUUID string
		Role          permission.Role
		Permissions   value.Mask
	}
	gone, err := pgx.CollectRows(rows, pgx.RowToStructByPos[row])
	if err != nil {
		return fmt.Errorf("delete memberships: %w", err)
	}
	for _, one := range gone {
		rights := Rights{Rights: adminapi.Rights{UserID: userID, Role: one.Role, Permissions: one.Permissions}}
		err := audit.Record(ctx, tx, audit.Entry{
			At: at, Action: "member.leave", EntityKind: "membership", EntityID: one.UUID, OrgUUID: one.OrgUUID,
			Before: rights.recorded(),
		})
		if err != nil {
			return err
		}
	}
	return nil
}
