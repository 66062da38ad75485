package user

import (
	"context"
	"slices"

	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/apikey"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/inbox"
	"litfass/services/admin/internal/people/team"
	"litfass/services/admin/internal/platform/dataexport"
	"litfass/services/admin/internal/platform/mail"
)

const exportAccount = `
SELECT id::text, jsonb_build_object(
    'user_id', id, 'email', email, 'email_verified', email_verified, 'pending_email', pending_email,
    'display_name', display_name, 'first_name', first_name, 'last_name', last_name, 'locale', locale,
    'theme', theme, 'has_avatar', avatar_key IS NOT NULL, 'is_platform_admin', is_platform_admin,
    'activated_at', activated_at, 'last_active_at', last_active_at, 'created_at', created_at, 'updated_at', updated_at
)
FROM app_user
WHERE id = $1 AND ($2 = '' OR id > nullif($2, '')::integer)
ORDER BY app_user.id
LIMIT $3`

// Export returns everything that is stored about the logged-in user as JSON (GDPR, Article 15 and
// 20), without passwords, tokens and keys. The fault is Forbidden for an API key.
func (s *Service) Export(ctx context.Context) (*dataexport.Reader, error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return nil, err
	}
	lists := slices.Concat(
		[]dataexport.List{{Name: "account", Query: exportAccount, Single: true}},
		team.Exports, auth.Exports, apikey.Exports, inbox.Exports, mail.Exports, s.Reports.Exports, audit.Exports,
	)
	return dataexport.Open(ctx, s.DB, who.UserID, lists...)
}
