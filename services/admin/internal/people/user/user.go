// Package user manages accounts: signing up, activating, logging in and out, passwords, e-mail
// addresses, profiles, settings and avatars, and the operator's commands for accounts. No other
// package writes app_user.
//
// Each function is one use case in one transaction, including its audit entry and its mail. Rows of
// other packages, such as sessions and API keys, are written by their functions. Principal and
// origin of a request come from the context (package auth).
package user

import (
	"context"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/dataexport"
	"litfass/services/admin/internal/platform/postgres"
)

// Config is the configuration of accounts.
type Config struct {
	AppURL string `env:"APP_URL"` // of the console, for links in mails; default PUBLIC_URL/console

	LoginAttempts   int           `env:"LOGIN_ATTEMPTS" envDefault:"5"` // per account and per address
	LoginWindow     time.Duration `env:"LOGIN_WINDOW" envDefault:"5m"`
	SignupAttempts  int           `env:"SIGNUP_ATTEMPTS" envDefault:"10"` // per account and per address
	SignupWindow    time.Duration `env:"SIGNUP_WINDOW" envDefault:"10m"`
	ActivationValid time.Duration `env:"ACTIVATION_VALID" envDefault:"24h"`
	ResetValid      time.Duration `env:"RESET_VALID" envDefault:"1h"`

	TrustedProxies []netip.Prefix `env:"TRUSTED_PROXIES"` // whose X-Forwarded-For is believed
}

// Options are the dependencies of the service.
type Options struct {
	DB        *postgres.DB
	Hasher    *auth.Hasher
	Sessions  *auth.Sessions
	Limiter   *auth.Limiter
	Now       auth.Clock
	PublicURL string // base address of avatars and public pages, without a slash at its end
	Reports   PersonalData
	Config    Config // with AppURL set, without a slash at its end
}

// PersonalData is the data about users in a package that this one may not import.
type PersonalData struct {
	Exports []dataexport.List
	Forget  func(ctx context.Context, tx pgx.Tx, addresses []string) error // in lower case
}

// Service holds the use cases.
type Service struct {
	Options
	logins, signups, resets auth.Limit
}

// New returns the service.
func New(options Options) *Service {
	config := options.Config
	return &Service{
		Options: options,
		logins:  auth.Limit{Action: "login", Max: config.LoginAttempts, Window: config.LoginWindow},
		signups: auth.Limit{Action: "signup", Max: config.SignupAttempts, Window: config.SignupWindow},
		resets:  auth.Limit{Action: "forgot", Max: config.SignupAttempts, Window: config.SignupWindow},
	}
}

const (
	invalidParameters = "invalid_parameters"
	invalidMessage    = "some fields are not right"
)

// required adds a violation for text that is missing.
func required(violations *fault.Violations, field, text string) {
	if text == "" {
		violations.Add(field, reason.Required)
	}
}
