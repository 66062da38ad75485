// Package team is who belongs to an organization: its members and what they may do, and the invitations that wait.
//
// Each function is one use case in one transaction that begins by locking the organization, so that whoever changes its
// team does so alone, and that ends with the audit entry. Who asks is taken from the context (package auth). Teams are
// changed by people in person: with an API key that leaks, a stranger could otherwise make themselves a member for good.
package team

import (
	"context"
	"time"

	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/postgres"
)

// Config is what can be configured about teams.
type Config struct {
	InvitationValid time.Duration `env:"INVITATION_VALID" envDefault:"168h"`
}

// Options are what the service needs.
type Options struct {
	DB        *postgres.DB
	Limiter   *auth.Limiter
	Confirm   func(ctx context.Context, password string) error // account.Service.ConfirmPassword
	Link      func(page, token string) string                  // account.Service.Link
	Now       auth.Clock
	PublicURL string // where avatars are shown from
	Config    Config
}

// Service holds the use cases.
type Service struct{ Options }

// New returns the service.
func New(options Options) *Service { return &Service{options} }

// vouched is SQL for whether the invitation i still stands for something: whoever has sent it could send it now, or at
// least holds everything that it offers. Taking rights away takes invitations back (see takeBack); this also holds for
// somebody who was deactivated, or is no longer a platform administrator.
const vouched = `EXISTS (
        SELECT
        FROM app_user v
        LEFT JOIN membership vm ON vm.org_uuid = i.org_uuid AND vm.user_id = v.id
        WHERE v.id = i.invited_by
            AND v.deactivated_at IS NULL
            AND (v.is_platform_admin OR vm.uuid IS NOT NULL AND i.permissions & ~vm.permissions = 0)
    )`

// shownName is SQL for what people call the user u: how they want to be called, else their names, else NULL.
const shownName = `coalesce(u.display_name, nullif(concat_ws(' ', u.first_name, u.last_name), ''))`
