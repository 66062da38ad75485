package team

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/account"
	"litfass/services/admin/internal/audit"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/mail"
	"litfass/services/admin/internal/permission"
)

// invitationMails limits how many mails one organization sends to one address, and inviting how many one user causes at all:
// everybody may found an organization, whose name then stands in mails to strangers.
var (
	invitationMails = auth.Limit{Action: "invite", Most: 5, Window: time.Hour}
	inviting        = auth.Limit{Action: "inviting", Most: 200, Window: 24 * time.Hour}
)

// NewInvitation is what somebody invites with.
type NewInvitation struct {
	Email       string
	Permissions permission.Set
	Locale      string // of the mail, for somebody without an account; "" is the inviter's own
}

// Invited is the outcome of inviting.
type Invited struct {
	Invitation
	Renewed bool // there was an open invitation to the address: it has a new link, and the old one is worthless
}

// CheckInvitation returns the address in its stored form and records what is wrong with it.
func CheckInvitation(violations *fault.Violations, email string) string {
	normal, valid := account.NormalizeEmail(email)
	switch {
	case email == "":
		violations.Add("email", "is required")
	case !valid:
		violations.Add("email", "is not an e-mail address")
	}
	return normal
}

// Invite mails an invitation to the address (as CheckInvitation returns it), whether or not somebody has an account with
// it; that is not told either. Inviting again renews. The faults: NotFound for a stranger; Forbidden without ManageTeam,
// for permissions that the inviter lacks, for renewing what somebody with more permissions has offered, and for an API key;
// Conflict for a member; TooMany for too many mails to the address or by the inviter.
func (s *Service) Invite(ctx context.Context, org string, invitation NewInvitation) (Invited, error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return Invited{}, err
	}
	if _, err := s.mayInvite(ctx, s.DB.Pool(), org, invitation.Permissions); err != nil {
		return Invited{}, err // nobody is limited for others
	}
	if err := s.Limiter.Count(ctx, invitationMails, org+" "+invitation.Email, netip.Addr{}); err != nil {
		return Invited{}, err
	}
	if err := s.Limiter.Count(ctx, inviting, strconv.Itoa(who.UserID), netip.Addr{}); err != nil {
		return Invited{}, err
	}
	var invited Invited
	err := s.DB.InTx(ctx, func(tx pgx.Tx) (err error) {
		invited, err = s.invite(ctx, tx, org, invitation)
		return err
	})
	return invited, err
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
	return fault.New(fault.Forbidden, "permission_beyond_own", "nobody grants or takes a right that they lack themselves")
}

func (s *Service) invite(ctx context.Context, tx pgx.Tx, org string, asked NewInvitation) (Invited, error) {
	if err := access.Lock(ctx, tx, org); err != nil {
		return Invited{}, err
	}
	have, err := s.mayInvite(ctx, tx, org, asked.Permissions)
	if err != nil {
		return Invited{}, err
	}
	reader, err := readerOf(ctx, tx, org, asked.Email)
	if err != nil {
		return Invited{}, err
	}
	if reader.member {
		return Invited{}, fault.New(fault.Conflict, "already_member", "there is already a member with this address")
	}
	before, err := openInvitation(ctx, tx, org, asked.Email)
	if err != nil {
		return Invited{}, err
	}
	if before != nil && !have.MayChange(before.permissions, asked.Permissions) {
		return Invited{}, errBeyond()
	}
	invited, err := s.store(ctx, tx, org, asked, before)
	if err != nil {
		return Invited{}, err
	}
	who := auth.PrincipalOf(ctx)
	for _, locale := range []string{asked.Locale, who.Locale} {
		if reader.locale == "" {
			reader.locale = locale
		}
	}
	return invited, s.mailInvitation(ctx, tx, invited, reader.locale)
}

// reader is whoever has the address that is invited; without an account they are the zero reader.
type reader struct {
	locale string
	member bool
}

const selectReader = `
SELECT u.locale, m.uuid IS NOT NULL
FROM app_user u
LEFT JOIN membership m ON m.user_id = u.id AND m.org_uuid = $1
WHERE lower(u.email) = lower($2)`

func readerOf(ctx context.Context, tx pgx.Tx, org, email string) (reader, error) {
	var r reader
	err := tx.QueryRow(ctx, selectReader, org, email).Scan(&r.locale, &r.member)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return r, fmt.Errorf("read account: %w", err)
	}
	return r, nil
}

// offer is an open invitation as it is stored.
type offer struct {
	uuid        string
	email       string
	permissions permission.Set
}

const selectOpenInvitation = `
SELECT uuid::text, email, permissions
FROM invitation
WHERE org_uuid = $1 AND lower(email) = lower($2) AND accepted_at IS NULL AND revoked_at IS NULL`

// openInvitation returns the open invitation to the address, or nil.
func openInvitation(ctx context.Context, tx pgx.Tx, org, email string) (*offer, error) {
	return scanOffer(tx.QueryRow(ctx, selectOpenInvitation, org, email))
}

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
	found.permissions = permission.Set(stored) // the schema's domain keeps it within 29 bits
	return &found, nil
}

// shown is an offer as the audit keeps it.
func shown(email string, set permission.Set) map[string]any {
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

const endTokens = `
UPDATE one_time_token
SET used_at = $2
WHERE invitation_uuid = $1 AND used_at IS NULL`

// store makes a new invitation, or gives the open one new terms and takes the worth from its links.
func (s *Service) store(
	ctx context.Context, tx pgx.Tx, org string, asked NewInvitation, before *offer,
) (Invited, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Invited{}, err
	}
	now := s.Now().UTC().Truncate(time.Microsecond) // as PostgreSQL keeps it
	invited := Invited{Invitation: Invitation{
		UUID: id.String(), Email: asked.Email, Role: permission.RoleOf(asked.Permissions),
		Permissions: mask(asked.Permissions), ExpiresAt: now.Add(s.Config.InvitationValid),
	}}
	entry := audit.Entry{
		At: now, Action: "member.invite", EntityKind: "invitation", OrgUUID: org, After: shown(asked.Email, asked.Permissions),
	}
	statement := insertInvitation
	if before != nil {
		statement, invited.UUID, invited.Renewed = renewInvitation, before.uuid, true
		entry.Action, entry.Before = "member.reinvite", shown(before.email, before.permissions)
		if _, err := tx.Exec(ctx, endTokens, before.uuid, now); err != nil {
			return invited, fmt.Errorf("end links: %w", err)
		}
	}
	who := auth.PrincipalOf(ctx)
	err = tx.QueryRow(ctx, statement, invited.UUID, org, invited.Email, invited.Role, int64(asked.Permissions), who.UserID,
		now, invited.ExpiresAt).Scan(&invited.InvitedAt)
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

const insertToken = `
INSERT INTO one_time_token (purpose, invitation_uuid, mail_id, created_at, expires_at)
VALUES ('invite', $1, $2, $3, $4)`

func (s *Service) mailInvitation(ctx context.Context, tx pgx.Tx, invited Invited, locale string) error {
	now := s.Now()
	id, err := mail.Enqueue(ctx, tx, mail.New{
		Recipient: invited.Email, Template: mail.TemplateInvite, Locale: locale, At: now,
	})
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, insertToken, invited.UUID, id, now, invited.ExpiresAt); err != nil {
		return fmt.Errorf("store link: %w", err)
	}
	return nil
}
