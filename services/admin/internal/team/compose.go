package team

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/mail"
)

// pageAccept is the page of the application that the mail leads to.
const pageAccept = "/admin/invite/accept"

const issueInvitation = `
WITH issued AS (
    UPDATE one_time_token
    SET hash = $2, expires_at = $3
    WHERE mail_id = $1 AND purpose = 'invite' AND used_at IS NULL
    RETURNING invitation_uuid
)
UPDATE invitation i
SET expires_at = $3
FROM issued, organization o, app_user u
WHERE i.uuid = issued.invitation_uuid
    AND i.accepted_at IS NULL
    AND i.revoked_at IS NULL
    AND o.uuid = i.org_uuid
    AND u.id = i.invited_by
    AND ` + vouched + `
RETURNING o.name, coalesce(` + shownName + `, '')`

// Compose is the mail.Composer of mail.TemplateInvite. The secret of the link is made here and leaves in the mail alone;
// its time begins now.
func (s *Service) Compose(ctx context.Context, tx pgx.Tx, queued mail.Queued) (mail.Content, error) {
	token, valid := auth.NewSecret(), s.Config.InvitationValid
	content := mail.Content{Link: s.Link(pageAccept, token), Valid: valid}
	expires := s.Now().Add(valid).Truncate(time.Microsecond)
	err := tx.QueryRow(ctx, issueInvitation, queued.ID, auth.Digest(token), expires).
		Scan(&content.Organization, &content.Inviter)
	if errors.Is(err, pgx.ErrNoRows) { // taken back, accepted, renewed or worthless in the meantime
		return content, mail.ErrNobody
	}
	if err != nil {
		return content, fmt.Errorf("issue invitation: %w", err)
	}
	return content, nil
}
