package team

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/version"
)

// departure is a member or an open invitation to remove.
type departure struct {
	member     Rights
	invitation *offer // nil for a member
}

// Remove removes a member, or revokes an open invitation, by its uuid. Every member may leave;
// removing another one needs ManageTeam and all permissions of that member. The faults: NotFound
// for a stranger, and for a uuid of another organization; Forbidden, also for a wrong password and
// for an API key; Stale when the member's version (see Rights) is not an expected one; Conflict for
// the last owner.
func (s *Service) Remove(ctx context.Context, org, id string, expected version.Expected, password string) error {
	if err := access.RequireLogin(auth.PrincipalOf(ctx)); err != nil {
		return err
	}
	err := s.DB.InTx(ctx, func(tx pgx.Tx) error { // before the password is checked
		_, err := s.leaving(ctx, tx, org, id, expected)
		return err
	})
	if err != nil && !fault.Is(err, fault.Conflict) { // which comes after a wrong password
		return err
	}
	if err := s.Confirm(ctx, password); err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		found, err := s.leaving(ctx, tx, org, id, expected)
		if err != nil {
			return err
		}
		if found.invitation != nil {
			return s.revoke(ctx, tx, org, found.invitation, actionUninvite)
		}
		return s.remove(ctx, tx, org, found.member)
	})
}

// leaving locks the team and returns the member or invitation to remove, if the caller may remove
// it.
func (s *Service) leaving(
	ctx context.Context, tx pgx.Tx, org, id string, expected version.Expected,
) (departure, error) {
	have, err := lockFor(ctx, tx, org, 0)
	if err != nil {
		return departure{}, err
	}
	member, err := rightsOf(ctx, tx, org, id)
	self := err == nil && member.UserID == auth.PrincipalOf(ctx).UserID
	if !self && !have.Has(permission.ManageTeam) { // whether or not the member exists
		return departure{}, access.ErrMissing()
	}
	if fault.Is(err, fault.NotFound) {
		return s.leavingInvitation(ctx, tx, org, id, have, expected)
	}
	if err != nil {
		return departure{}, err
	}
	if err := expected.Check("member", member.Version); err != nil {
		return departure{}, err
	}
	if !self && !have.MayChange(member.set(), 0) {
		return departure{}, errBeyond()
	}
	if member.Role == permission.Owner {
		err = requireOtherOwner(ctx, tx, org, member.UUID)
	}
	return departure{member: member}, err
}

const selectInvitation = `
SELECT uuid::text, email, permissions
FROM invitation
WHERE org_uuid = $1 AND uuid = $2 AND accepted_at IS NULL AND revoked_at IS NULL`

func (s *Service) leavingInvitation(
	ctx context.Context, tx pgx.Tx, org, id string, have permission.Set, expected version.Expected,
) (departure, error) {
	found, err := scanOffer(tx.QueryRow(ctx, selectInvitation, org, id))
	switch {
	case err != nil:
		return departure{}, err
	case found == nil:
		return departure{}, errNoMember()
	case !have.MayChange(found.permissions, 0):
		return departure{}, errBeyond()
	}
	return departure{invitation: found}, expected.CheckUnversioned("invitation")
}

const deleteMember = `
DELETE FROM membership
WHERE uuid = $1`

func (s *Service) remove(ctx context.Context, tx pgx.Tx, org string, member Rights) error {
	if _, err := tx.Exec(ctx, deleteMember, member.UUID); err != nil {
		return fmt.Errorf("delete member: %w", err)
	}
	if err := s.takeBack(ctx, tx, org, member.UserID, nil); err != nil {
		return err
	}
	action := "member.remove"
	if member.UserID == auth.PrincipalOf(ctx).UserID {
		action = "member.leave"
	}
	return audit.Record(ctx, tx, audit.Entry{
		At: s.Now(), Action: action, EntityKind: "membership", EntityID: member.UUID, OrgUUID: org,
		Before: member.recorded(),
	})
}

const revokeInvitation = `
UPDATE invitation
SET revoked_at = $2
WHERE uuid = $1`

// revoke ends an open invitation; its links stop working.
func (s *Service) revoke(ctx context.Context, tx pgx.Tx, org string, found *offer, action string) error {
	if _, err := tx.Exec(ctx, revokeInvitation, found.uuid, s.Now()); err != nil {
		return fmt.Errorf("revoke invitation: %w", err)
	}
	return s.recordEnd(ctx, tx, org, found, action)
}
