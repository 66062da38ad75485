// Package moderation lets platform administrators decide which organizations and events may be
// public.
//
// Organizations: with ORGANIZATION_APPROVAL=on an administrator approves each that is founded, and
// may refuse one at any time. Package outbox keeps everything of an organization that waits or was
// refused out of the stream.
//
// Reports: visitors report events, administrators read and close the reports. As little as possible
// is stored of a visitor: see Prune. Package editing takes an event back.
package moderation

import (
	"fmt"
	"time"

	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
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

// Config is the configuration of moderation.
type Config struct {
	Approval Switch `env:"ORGANIZATION_APPROVAL" envDefault:"off"`

	ReportAttempts int           `env:"REPORT_ATTEMPTS" envDefault:"5"` // of one client, refused ones too
	ReportWindow   time.Duration `env:"REPORT_WINDOW" envDefault:"10m"`
}

// Options are the dependencies of a Service.
type Options struct {
	DB      *postgres.DB
	Limiter *auth.Limiter
	Now     auth.Clock
	Config  Config
}

// Service holds the use cases.
type Service struct {
	Options
	reports auth.Limit
}

// New returns the service.
func New(options Options) *Service {
	config := options.Config
	return &Service{
		Options: options,
		reports: auth.Limit{Action: "report", Max: config.ReportAttempts, Window: config.ReportWindow},
	}
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
