package team

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
)

// openToken is the SQL condition that the mailed token t opens the invitation i at the time $2.
const openToken = `t.used_at IS NULL
        AND t.expires_at > $2
        AND i.expires_at > $2
        AND i.accepted_at IS NULL
        AND i.revoked_at IS NULL
        AND ` + vouched

const selectMailed = `
SELECT
    i.uuid::text, o.uuid::text, o.name, i.role, ` + shownName + `, i.created_at, i.expires_at, i.email,
    EXISTS (
        SELECT
        FROM app_user a
        WHERE lower(a.email) = lower(i.email) AND (a.activated_at IS NOT NULL OR a.deactivated_at IS NOT NULL)
    )
FROM one_time_token t
JOIN invitation i ON i.uuid = t.invitation_uuid
JOIN organization o ON o.uuid = i.org_uuid
JOIN app_user u ON u.id = i.invited_by
WHERE t.hash = $1
    AND t.purpose = 'invite'
    AND ` + openToken

// Mailed returns the invitation of a token from a mail, for its bearer: the token proves that they
// read the mails to the address. The fault is Invalid with code "token_invalid" for a token that is
// unknown, used, expired or revoked, or whose inviter lost the offered permissions.
func Mailed(ctx context.Context, q access.Querier, token string, now time.Time) (adminapi.MailedInvitation, error) {
	var found adminapi.MailedInvitation
	var inviter string
	err := q.QueryRow(ctx, selectMailed, auth.Digest(token), now).Scan(&found.UUID, &found.OrgUUID, &found.OrgName,
		&found.Role, &inviter, &found.InvitedAt, &found.ExpiresAt, &found.Email, &found.HasAccount)
	if errors.Is(err, pgx.ErrNoRows) {
		return found, errToken()
	}
	if err != nil {
		return found, fmt.Errorf("read invitation: %w", err)
	}
	found.InvitedBy = value.Text(inviter)
	return found, nil
}

const selectInviteOfToken = selectInvite + `
FROM one_time_token t
JOIN invitation i ON i.uuid = t.invitation_uuid
JOIN organization o ON o.uuid = i.org_uuid
WHERE t.hash = $1
    AND t.purpose = 'invite'
    AND ` + openToken

// Join makes a person without a login a member, by the token from an invitation's mail. admit makes
// the account with the address of the invitation, which the token proves, and returns its id; the
// organization is locked meanwhile. The fault is that of Mailed, or of admit.
func Join(
	ctx context.Context, tx pgx.Tx, token string, now time.Time, admit func(email string) (userID int, err error),
) (adminapi.Accepted, error) {
	if err := lockOrgOfToken(ctx, tx, token); err != nil {
		return adminapi.Accepted{}, err
	}
	rows, _ := tx.Query(ctx, selectInviteOfToken, auth.Digest(token), now) // the error comes with the rows
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[invite])
	if errors.Is(err, pgx.ErrNoRows) {
		return adminapi.Accepted{}, errToken()
	}
	if err != nil {
		return adminapi.Accepted{}, fmt.Errorf("read invitation: %w", err)
	}
	userID, err := admit(found.Email)
	if err != nil {
		return adminapi.Accepted{}, err
	}
	return join(ctx, tx, now, found, userID)
}
