package team

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/version"
)

// Rights are the permissions of a member. Version changes with every field.
type Rights struct {
	adminapi.Rights
	Version int64
}

func (r Rights) set() permission.Set { return permission.Set(r.Permissions) }

// recorded returns the values of the rights in the audit.
func (r Rights) recorded() map[string]any {
	return map[string]any{"user_id": r.UserID, "role": r.Role, "permissions": r.Permissions}
}

// selectRights adds up two versions, which only grow, so the sum changes with each of them.
const selectRights = `
SELECT m.uuid::text, u.id, ` + shownName + `, m.role, m.permissions, m.version + u.version - 1
FROM membership m
JOIN app_user u ON u.id = m.user_id
WHERE m.org_uuid = $1 AND m.uuid = $2`

// rightsOf returns the rights of a member of the organization, or a NotFound fault.
func rightsOf(ctx context.Context, tx pgx.Tx, org, member string) (Rights, error) {
	rows, _ := tx.Query(ctx, selectRights, org, member) // the error comes with the rows
	rights, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Rights])
	if errors.Is(err, pgx.ErrNoRows) {
		return rights, errNoMember()
	}
	if err != nil {
		return rights, fmt.Errorf("read member: %w", err)
	}
	return rights, nil
}

func errNoMember() error {
	return fault.New(fault.NotFound, "member_not_found", "there is no such member")
}

// Rights returns the permissions of a member. The faults: NotFound for a stranger and for a member
// of another organization; Forbidden without ManagePermissions.
func (s *Service) Rights(ctx context.Context, org, member string) (Rights, error) {
	var rights Rights
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		_, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, permission.ManagePermissions)
		if err != nil {
			return err
		}
		rights, err = rightsOf(ctx, tx, org, member)
		return err
	})
	return rights, err
}

const updateRights = `
UPDATE membership
SET role = $2, permissions = $3, updated_at = $4, version = version + 1
WHERE uuid = $1`

// SetRights changes the permissions of a member: change computes them from the present ones. The
// faults: NotFound and Forbidden as for Rights; Forbidden for granting or removing permissions that
// the caller lacks, for granting oneself ManagePermissions or ManageTeam, and for an API key; Stale
// when the version is not an expected one; Conflict when the organization would lose its last
// owner.
func (s *Service) SetRights(
	ctx context.Context, org, member string, expected version.Expected, change func(permission.Set) permission.Set,
) (Rights, error) {
	if err := access.RequireLogin(auth.PrincipalOf(ctx)); err != nil {
		return Rights{}, err
	}
	var after Rights
	err := s.DB.InTx(ctx, func(tx pgx.Tx) error {
		have, err := lockFor(ctx, tx, org, permission.ManagePermissions)
		if err != nil {
			return err
		}
		before, err := rightsOf(ctx, tx, org, member)
		if err != nil {
			return err
		}
		if err := expected.Check("member", before.Version); err != nil {
			return err
		}
		after = before
		set := change(before.set())
		after.Role, after.Permissions = permission.RoleOf(set), mask(set)
		if after.set() == before.set() {
			return nil
		}
		if err := s.maySet(ctx, tx, org, have, before, set); err != nil {
			return err
		}
		return s.setRights(ctx, tx, org, before, &after)
	})
	return after, err
}

// lockFor locks the team and returns the caller's permissions. It returns the faults of
// access.Require.
func lockFor(ctx context.Context, tx pgx.Tx, org string, need permission.Set) (permission.Set, error) {
	if err := access.Lock(ctx, tx, org); err != nil {
		return 0, err
	}
	return access.Require(ctx, tx, auth.PrincipalOf(ctx), org, need)
}

// aboutOthers are the permissions that users may not grant themselves, not even platform
// administrators.
const aboutOthers = permission.ManagePermissions | permission.ManageTeam

func (s *Service) maySet(
	ctx context.Context, tx pgx.Tx, org string, have permission.Set, before Rights, after permission.Set,
) error {
	if !have.MayChange(before.set(), after) {
		return errBeyond()
	}
	if before.UserID == auth.PrincipalOf(ctx).UserID && after&^before.set()&aboutOthers != 0 {
		return fault.New(fault.Forbidden, "own_permission",
			"you cannot give yourself the right to manage permissions or the team")
	}
	if before.Role == permission.Owner {
		return requireOtherOwner(ctx, tx, org, before.UUID)
	}
	return nil
}

// selectOtherOwner locks the account that it finds, so that it is not deactivated before the
// transaction ends.
const selectOtherOwner = `
SELECT u.id
FROM membership m
JOIN app_user u ON u.id = m.user_id
WHERE m.org_uuid = $1
    AND m.uuid <> $2
    AND m.role = 'owner'
    AND u.deactivated_at IS NULL
LIMIT 1
FOR SHARE OF u`

// requireOtherOwner returns a Conflict fault when the member is the only active owner of the
// organization.
func requireOtherOwner(ctx context.Context, tx pgx.Tx, org, member string) error {
	var other int
	err := tx.QueryRow(ctx, selectOtherOwner, org, member).Scan(&other)
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.New(fault.Conflict, "last_owner",
			"an organization keeps at least one owner: make another member owner first")
	}
	if err != nil {
		return fmt.Errorf("look for owners: %w", err)
	}
	return nil
}

func (s *Service) setRights(ctx context.Context, tx pgx.Tx, org string, before Rights, after *Rights) error {
	now := s.Now()
	_, err := tx.Exec(ctx, updateRights, after.UUID, after.Role, int64(after.set()), now)
	if err != nil {
		return fmt.Errorf("store member: %w", err)
	}
	after.Version++
	left := after.set()
	if err := s.takeBack(ctx, tx, org, after.UserID, &left); err != nil {
		return err
	}
	return audit.Record(ctx, tx, audit.Entry{
		At: now, Action: "member.set_permissions", EntityKind: "membership", EntityID: after.UUID,
		OrgUUID: org, Before: before.recorded(), After: after.recorded(),
	})
}

const takeBackInvitations = `
UPDATE invitation
SET revoked_at = $4
WHERE org_uuid = $1
    AND invited_by = $2
    AND ($3::bigint IS NULL OR permissions & ~whole_permissions($3::bigint) <> 0)
    AND accepted_at IS NULL
    AND revoked_at IS NULL
RETURNING uuid::text, email, permissions`

// takeBack revokes the open invitations of a user that offer more than their remaining permissions,
// or all of them when left is nil: otherwise a member could prepare for their removal by inviting
// another address of their own.
func (s *Service) takeBack(ctx context.Context, tx pgx.Tx, org string, userID int, left *permission.Set) error {
	var maxBits *int64
	if left != nil {
		bits := int64(*left)
		maxBits = &bits
	}
	// the error comes with the rows
	rows, _ := tx.Query(ctx, takeBackInvitations, org, userID, maxBits, s.Now())
	taken, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*offer, error) { return scanOffer(row) })
	if err != nil {
		return fmt.Errorf("revoke invitations: %w", err)
	}
	for _, one := range taken {
		if err := s.recordEnd(ctx, tx, org, one, actionUninvite); err != nil {
			return err
		}
	}
	return nil
}

// The audit's actions for an invitation that ends without being accepted.
const (
	actionUninvite = "member.uninvite"
	actionDecline  = "member.decline"
)

func (s *Service) recordEnd(ctx context.Context, tx pgx.Tx, org string, one *offer, action string) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: s.Now(), Action: action, EntityKind: "invitation", EntityID: one.uuid, OrgUUID: org,
		Before: recordedOffer(one.email, one.permissions),
	})
}
