package team

import (
	"cmp"
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
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/sending"
	"litfass/services/admin/internal/platform/mail"
)

// NewInvitation describes an invitation to send.
type NewInvitation struct {
	Email       string
	Permissions permission.Set
	Locale      string // of the mail to an address without an account; "" is the inviter's
}

// InviteResult is the result of Invite.
type InviteResult struct {
	adminapi.Invitation
	Renewed bool // the address had an open invitation: its old link no longer works
}

// CheckInvitation normalizes the address and adds a violation for an invalid one.
func CheckInvitation(violations *fault.Violations, email string) string {
	normal, valid := mail.NormalizeAddress(email)
	switch {
	case email == "":
		violations.Add("email", reason.Required)
	case !valid:
		violations.Add("email", reason.NotEmail)
	}
	return normal
}

// Invite mails an invitation to the address (from CheckInvitation). The result does not show
// whether there is an account with the address. Inviting again renews the invitation. The faults:
// NotFound for a stranger; Forbidden without ManageTeam, for permissions that the inviter lacks,
// for renewing an invitation that offers such permissions, and for an API key; Conflict for a
// member; TooMany for too many mails to the address or to its mailbox, and too many invitations by
// the inviter or in the organization.
func (s *Service) Invite(ctx context.Context, org string, invitation NewInvitation) (InviteResult, error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return InviteResult{}, err
	}
	var invited InviteResult
	err := s.DB.InTx(ctx, func(tx pgx.Tx) (err error) {
		invited, err = s.invite(ctx, tx, org, invitation)
		return err
	})
	return invited, err
}

const selectSender = `
SELECT email, NOT EXISTS (
    SELECT
    FROM invitation
    WHERE invited_by = $1 AND accepted_at IS NOT NULL
)
FROM app_user
WHERE id = $1`

// sender returns the logged-in user as the sender of an invitation.
func sender(ctx context.Context, tx pgx.Tx, org string) (sending.Sender, error) {
	from := sending.Sender{UserID: auth.PrincipalOf(ctx).UserID, Org: org}
	if err := tx.QueryRow(ctx, selectSender, from.UserID).Scan(&from.Email, &from.Newcomer); err != nil {
		return from, fmt.Errorf("read the sender of an invitation: %w", err)
	}
	return from, nil
}

func (s *Service) mayInvite(
	ctx context.Context, q access.Querier, org string, offered permission.Set,
) (permission.Set, error) {
	have, err := access.Require(ctx, q, auth.PrincipalOf(ctx), org, permission.ManageTeam)
	if err != nil {
		return 0, err
	}
	if !have.Has(offered) {
		return 0, errBeyond()
	}
	return have, nil
}

func errBeyond() error {
	return fault.New(fault.Forbidden, "permission_beyond_own",
		"you cannot grant or remove a permission that you lack yourself")
}

func (s *Service) invite(ctx context.Context, tx pgx.Tx, org string, asked NewInvitation) (InviteResult, error) {
	if err := access.Lock(ctx, tx, org); err != nil {
		return InviteResult{}, err
	}
	have, err := s.mayInvite(ctx, tx, org, asked.Permissions)
	if err != nil {
		return InviteResult{}, err
	}
	var member bool
	var locale string // of the account with the address
	err = tx.QueryRow(ctx, selectReader, org, asked.Email).Scan(&locale, &member)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return InviteResult{}, fmt.Errorf("read account: %w", err)
	}
	if member {
		return InviteResult{}, fault.New(fault.Conflict, "already_member",
			"this address belongs to a member already")
	}
	before, err := scanOffer(tx.QueryRow(ctx, selectOpenInvitation, org, asked.Email))
	if err != nil {
		return InviteResult{}, err
	}
	if before != nil && !have.MayChange(before.permissions, asked.Permissions) {
		return InviteResult{}, errBeyond()
	}
	invited, err := s.store(ctx, tx, org, asked, before)
	if err != nil {
		return InviteResult{}, err
	}
	from, err := sender(ctx, tx, org)
	if err != nil {
		return invited, err
	}
	now := s.Now()
	queued, _, err := sending.Mail(ctx, tx, from, mail.New{
		Recipient: invited.Email, Template: mail.TemplateInvite, At: now,
		Locale: cmp.Or(locale, asked.Locale, auth.PrincipalOf(ctx).Locale),
	})
	if err != nil {
		return invited, err
	}
	return invited, auth.AddOneTimeToken(ctx, tx, auth.OneTimeToken{
		Purpose: auth.ForInvitation, InvitationUUID: invited.UUID, MailID: queued,
		CreatedAt: now, ExpiresAt: invited.ExpiresAt,
	})
}

const selectReader = `
SELECT u.locale, m.uuid IS NOT NULL
FROM app_user u
LEFT JOIN membership m ON m.user_id = u.id AND m.org_uuid = $1
WHERE lower(u.email) = lower($2)`

// offer is a stored open invitation.
type offer struct {
	uuid        string
	email       string
	permissions permission.Set
}

const selectOpenInvitation = `
SELECT uuid::text, email, permissions
FROM invitation
WHERE org_uuid = $1 AND lower(email) = lower($2) AND accepted_at IS NULL AND revoked_at IS NULL`

// scanOffer returns the offer in a row, or nil without one.
func scanOffer(row pgx.Row) (*offer, error) {
	var found offer
	var stored int64
	err := row.Scan(&found.uuid, &found.email, &stored)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read invitation: %w", err)
	}
	found.permissions = permission.Set(stored) // the schema's domain allows only 29 bits
	return &found, nil
}

// recordedOffer returns the values of an invitation in the audit.
func recordedOffer(email string, set permission.Set) map[string]any {
	return map[string]any{"email": email, "role": permission.RoleOf(set), "permissions": set.String()}
}

const insertInvitation = `
INSERT INTO invitation (uuid, org_uuid, email, role, permissions, invited_by, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
RETURNING created_at`

const renewInvitation = `
UPDATE invitation
SET role = $4, permissions = $5, invited_by = $6, created_at = $7, expires_at = $8
WHERE uuid = $1 AND org_uuid = $2 AND email = $3
RETURNING created_at`

// store inserts a new invitation, or gives the open one new terms and marks its links as used.
func (s *Service) store(
	ctx context.Context, tx pgx.Tx, org string, asked NewInvitation, before *offer,
) (InviteResult, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return InviteResult{}, err
	}
	now := s.Now().UTC().Truncate(time.Microsecond) // the precision of PostgreSQL
	invited := InviteResult{Invitation: adminapi.Invitation{
		UUID: id.String(), Email: asked.Email, Role: permission.RoleOf(asked.Permissions),
		Permissions: mask(asked.Permissions), ExpiresAt: now.Add(s.Config.InvitationValid),
	}}
	entry := audit.Entry{
		At: now, Action: "member.invite", EntityKind: "invitation", OrgUUID: org,
		After: recordedOffer(asked.Email, asked.Permissions),
	}
	statement := insertInvitation
	if before != nil {
		statement, invited.UUID, invited.Renewed = renewInvitation, before.uuid, true
		entry.Action, entry.Before = "member.reinvite", recordedOffer(before.email, before.permissions)
		if err := auth.UseUpInvitationTokens(ctx, tx, before.uuid, now); err != nil {
			return invited, err
		}
	}
	who := auth.PrincipalOf(ctx)
	err = tx.QueryRow(ctx, statement, invited.UUID, org, invited.Email, invited.Role, int64(asked.Permissions),
		who.UserID, now, invited.ExpiresAt).Scan(&invited.InvitedAt)
	if err != nil {
		return invited, fmt.Errorf("store invitation: %w", err)
	}
	entry.EntityID = invited.UUID
	if err := audit.Record(ctx, tx, entry); err != nil {
		return invited, err
	}
	err = tx.QueryRow(ctx, selectName, who.UserID).Scan(&invited.InvitedBy)
	return invited, err
}

const selectName = `
SELECT ` + shownName + `
FROM app_user u
WHERE u.id = $1`
