package user

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
)

// StoredProfile is a profile with its version.
type StoredProfile struct {
	adminapi.Profile
	Version int64
}

const selectProfile = `
SELECT
    id, email, coalesce(pending_email, ''), coalesce(display_name, ''), coalesce(first_name, ''),
    coalesce(last_name, ''), locale, theme, avatar_key IS NOT NULL, is_platform_admin,
    version
FROM app_user
WHERE id = $1`

const selectProfileForUpdate = selectProfile + `
FOR UPDATE`

// Profile returns the profile of the logged-in user. The fault is Forbidden for an API key.
func (s *Service) Profile(ctx context.Context) (StoredProfile, error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return StoredProfile{}, err
	}
	return s.readProfile(s.DB.QueryRow(ctx, selectProfile, who.UserID))
}

func (s *Service) readProfile(row pgx.Row) (StoredProfile, error) {
	var p StoredProfile
	var hasAvatar bool
	err := row.Scan(&p.UserID, &p.Email, &p.PendingEmail, &p.DisplayName, &p.FirstName, &p.LastName,
		&p.Locale, &p.Theme, &hasAvatar, &p.IsAdmin, &p.Version)
	if err != nil {
		return p, fmt.Errorf("read profile: %w", err)
	}
	if hasAvatar {
		p.AvatarURL = value.Text(s.PublicURL + "/api/user/" + strconv.Itoa(p.UserID) + "/avatar/64")
	}
	return p, nil
}
