// Package team manages the members of an organization, their permissions, and open invitations.
//
// Each function is one use case in one transaction, which begins by locking the organization, so
// that changes of one team are serialised, and ends with the audit entry. The principal comes from
// the context (package auth). Changing a team needs a login: with a leaked API key, a stranger
// could otherwise become a member and remain one after the key is revoked.
package team

import (
	"context"
	"time"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
)

// Config is the configuration of teams.
type Config struct {
	InvitationValid time.Duration `env:"INVITATION_VALID" envDefault:"168h"`
}

// Options are the dependencies of the service.
type Options struct {
	DB        *postgres.DB
	Confirm   func(ctx context.Context, password string) error // user.Service.ConfirmPassword
	Link      func(page, token string) string                  // user.Service.Link
	Now       auth.Clock
	PublicURL string // base address of avatars, without a slash at its end
	Config    Config
}

// Service holds the use cases.
type Service struct{ Options }

// New returns the service.
func New(options Options) *Service { return &Service{options} }

// Require returns the fault of a right that the principal lacks in an organization: Forbidden, also
// for an API key, and NotFound for a stranger.
func (s *Service) Require(ctx context.Context, org string, need permission.Set) error {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return err
	}
	_, err := access.Require(ctx, s.DB, who, org, need)
	return err
}

// vouched is the SQL condition that the inviter of the invitation i is still active and has all
// offered permissions. Reducing a member's permissions revokes invitations (see takeBack); this
// condition also covers an inviter who was deactivated, or is no longer a platform administrator.
const vouched = `EXISTS (
        SELECT
        FROM app_user v
        LEFT JOIN membership vm ON vm.org_uuid = i.org_uuid AND vm.user_id = v.id
        WHERE v.id = i.invited_by
            AND v.deactivated_at IS NULL
            AND (v.is_platform_admin OR vm.uuid IS NOT NULL AND i.permissions & ~whole_permissions(vm.permissions) = 0)
    )`

// shownName is the SQL expression for the name of the user u: the display name, else first and last
// name, else the empty string.
const shownName = `coalesce(u.display_name, concat_ws(' ', u.first_name, u.last_name))`
