// Package moderation decides which organizations may be public: with ORGANIZATION_APPROVAL=on a
// platform administrator approves each that is founded, and may refuse one at any time. Package
// outbox leaves out of the stream what belongs to an organization that waits or was refused.
package moderation

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/postgres"
)

// Switch is a setting that is "on" or "off".
type Switch bool

// UnmarshalText reads a setting.
func (s *Switch) UnmarshalText(text []byte) error {
	switch string(text) {
	case "on":
		*s = true
	case "off", "":
		*s = false
	default:
		return fmt.Errorf("%q is neither on nor off", text)
	}
	return nil
}

// Config is what can be configured about moderation.
type Config struct {
	Approval Switch `env:"ORGANIZATION_APPROVAL" envDefault:"off"`
}

// Options are what the service needs.
type Options struct {
	DB   *postgres.DB
	Link func(page, token string) string // user.Service.Link
	Now  auth.Clock
}

// Service holds the use cases.
type Service struct{ Options }

// New returns the service.
func New(options Options) *Service { return &Service{options} }

// requirePlatform returns a Forbidden fault unless the principal is a platform administrator, who
// is logged in: an API key never is one.
func requirePlatform(ctx context.Context) error {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil || who.PlatformAdmin {
		return err
	}
	return fault.New(fault.Forbidden, "platform_administrator_required", "this is for platform administrators")
}

// person is a user who is notified.
type person struct {
	ID     int
	Email  string
	Locale string
}

const selectPlatformAdmins = `
SELECT id, email, locale
FROM app_user
WHERE is_platform_admin AND deactivated_at IS NULL
ORDER BY id`

const selectOwners = `
SELECT u.id, u.email, u.locale
FROM membership m
JOIN app_user u ON u.id = m.user_id
WHERE m.org_uuid = $1 AND m.role = 'owner' AND u.deactivated_at IS NULL
ORDER BY u.id`

func people(ctx context.Context, tx pgx.Tx, query string, args ...any) ([]person, error) {
	return postgres.List[person](ctx, tx, "whom to notify", query, args...)
}
