package team

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
)

const selectOrgOfToken = `
SELECT i.org_uuid::text
FROM one_time_token t
JOIN invitation i ON i.uuid = t.invitation_uuid
WHERE t.hash = $1 AND t.purpose = 'invite'`

// Accept makes the logged-in user a member, by the token from an invitation's mail. The faults:
// Invalid with code "token_invalid" for a token that is unknown, used, expired or revoked, or whose
// inviter lost the offered permissions (not Unauthenticated, so that clients do not refresh their
// tokens); Forbidden for an invitation to another address than the user's, and for an API key;
// Conflict when the user has already accepted it, or is a member.
func (s *Service) Accept(ctx context.Context, token string) (adminapi.Accepted, error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return adminapi.Accepted{}, err
	}
	if token == "" {
		var violations fault.Violations
		violations.Add("token", reason.Required)
		return adminapi.Accepted{}, violations.Err("invalid_parameters", "some fields are not right")
	}
	var accepted adminapi.Accepted
	err := s.DB.InTx(ctx, func(tx pgx.Tx) error {
		if err := lockOrgOfToken(ctx, tx, token); err != nil {
			return err
		}
		found, err := s.acceptable(ctx, tx, token)
		if err != nil {
			return err
		}
		accepted, err = join(ctx, tx, s.Now(), found.invite, who.UserID)
		return err
	})
	return accepted, err
}

// lockOrgOfToken locks the organization of an invitation as access.Lock does. The fault is that of
// an unknown token.
func lockOrgOfToken(ctx context.Context, tx pgx.Tx, token string) error {
	var org string
	err := tx.QueryRow(ctx, selectOrgOfToken, auth.Digest(token)).Scan(&org)
	if errors.Is(err, pgx.ErrNoRows) {
		return errToken()
	}
	if err != nil {
		return fmt.Errorf("read invitation: %w", err)
	}
	return access.Lock(ctx, tx, org)
}

func errToken() error {
	var violations fault.Violations
	violations.Add("token", reason.LinkExpired)
	return violations.Err("token_invalid", "this invitation does not work any more")
}

// invite is an invitation that is being answered.
type invite struct {
	UUID, Email, OrgUUID, OrgName string
	Permissions                   int64
	InvitedBy                     int
}

// selectInvite selects an invite.
const selectInvite = `
SELECT i.uuid::text, i.email, o.uuid::text, o.name, i.permissions, i.invited_by`

// tokenInvite is the invitation of a token.
type tokenInvite struct {
	invite
	Mine         bool // it was sent to the caller's address
	AcceptedByMe bool
	Open         bool
}

// selectTokenInvite locks the caller's account, so that its address does not change.
const selectTokenInvite = selectInvite + `,
    lower(u.email) = lower(i.email),
    coalesce(i.accepted_by = u.id, false),
    ` + openToken + `
FROM one_time_token t
JOIN invitation i ON i.uuid = t.invitation_uuid
JOIN organization o ON o.uuid = i.org_uuid
JOIN app_user u ON u.id = $3
WHERE t.hash = $1 AND t.purpose = 'invite'
FOR SHARE OF u`

// acceptable returns the invitation if the caller may accept it now. The organization is locked.
func (s *Service) acceptable(ctx context.Context, tx pgx.Tx, token string) (tokenInvite, error) {
	who := auth.PrincipalOf(ctx)
	// the error comes with the rows
	rows, _ := tx.Query(ctx, selectTokenInvite, auth.Digest(token), s.Now(), who.UserID)
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[tokenInvite])
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return found, errToken()
	case err != nil:
		return found, fmt.Errorf("read invitation: %w", err)
	case found.AcceptedByMe:
		return found, fault.New(fault.Conflict, "already_accepted", "you have accepted this invitation already")
	case !found.Open:
		return found, errToken()
	case !found.Mine:
		return found, fault.New(fault.Forbidden, "other_address",
			"this invitation is for another e-mail address than yours")
	}
	return found, nil
}

const insertMember = `
INSERT INTO membership (uuid, org_uuid, user_id, role, permissions, invited_by, joined_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
ON CONFLICT ON CONSTRAINT membership_once_per_organization DO NOTHING`

const acceptInvitation = `
UPDATE invitation
SET accepted_at = $2, accepted_by = $3
WHERE uuid = $1`

// join stores the membership of a user and ends the invitation.
func join(ctx context.Context, tx pgx.Tx, now time.Time, found invite, userID int) (adminapi.Accepted, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return adminapi.Accepted{}, err
	}
	set := permission.Set(found.Permissions)
	accepted := adminapi.Accepted{
		OrgUUID: found.OrgUUID, OrgName: found.OrgName,
		UUID: id.String(), Role: permission.RoleOf(set), Permissions: mask(set),
	}
	tag, err := tx.Exec(ctx, insertMember, accepted.UUID, found.OrgUUID, userID, accepted.Role,
		int64(set), found.InvitedBy, now)
	if err != nil {
		return accepted, fmt.Errorf("store member: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return accepted, fault.New(fault.Conflict, "already_member",
			"you are already a member of this organization")
	}
	if _, err := tx.Exec(ctx, acceptInvitation, found.UUID, now, userID); err != nil {
		return accepted, fmt.Errorf("store invitation: %w", err)
	}
	if err := auth.UseUpInvitationTokens(ctx, tx, found.UUID, now); err != nil {
		return accepted, err
	}
	after := map[string]any{"user_id": userID, "role": accepted.Role, "permissions": accepted.Permissions}
	return accepted, audit.Record(ctx, tx, audit.Entry{
		At: now, Action: "member.join", EntityKind: "membership", EntityID: accepted.UUID,
		OrgUUID: found.OrgUUID, ActorID: userID, After: after,
	})
}

func mask(set permission.Set) value.Mask { return value.Mask(set) }
