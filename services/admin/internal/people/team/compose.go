package team

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/permissiontext"
	"litfass/services/admin/internal/platform/mail"
)

// pageAccept is the page of the console that the link opens.
const pageAccept = "/invitation"

const extendInvitation = `
UPDATE invitation i
SET expires_at = $2
FROM one_time_token t, organization o, app_user u
WHERE t.mail_id = $1
    AND i.uuid = t.invitation_uuid
    AND i.accepted_at IS NULL
    AND i.revoked_at IS NULL
    AND o.uuid = i.org_uuid
    AND u.id = i.invited_by
    AND ` + vouched + `
RETURNING o.name, i.role, ` + shownName

// Compose is the mail.Composer of mail.TemplateInvite. The validity of the invitation and its link
// begins now.
func (s *Service) Compose(ctx context.Context, tx pgx.Tx, queued mail.Job) (mail.Content, error) {
	valid := s.Config.InvitationValid
	expires := s.Now().Add(valid).Truncate(time.Microsecond)
	token, err := auth.IssueOneTimeToken(ctx, tx, auth.ForInvitation, queued.ID, expires)
	if errors.Is(err, auth.ErrTokenUsed) { // accepted or renewed in the meantime
		return mail.Content{}, mail.ErrDropped
	}
	if err != nil {
		return mail.Content{}, err
	}
	content := mail.Content{Link: s.Link(pageAccept, token), Valid: valid}
	var role permission.Role
	err = tx.QueryRow(ctx, extendInvitation, queued.ID, expires).Scan(&content.Organization, &role, &content.Inviter)
	content.Role = permissiontext.RoleLabels[role][queued.Locale]
	if errors.Is(err, pgx.ErrNoRows) { // revoked, or no longer valid
		return content, mail.ErrDropped
	}
	if err != nil {
		return content, fmt.Errorf("extend invitation: %w", err)
	}
	return content, nil
}
