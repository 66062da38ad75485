// Package account is what people do with their accounts before and after they are logged in: sign up, activate, log in,
// stay logged in, forget a password, log out; and what the operator does with accounts on the command line.
//
// Each function is one use case in one transaction, with the audit entry and the mail that belong to it. Who asks and
// from where is taken from the context (package auth).
package account

import (
	"net/netip"
	"time"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/postgres"
)

// Config is what can be configured about accounts.
type Config struct {
	AppURL string `env:"APP_URL"` // where the links in mails lead; default PUBLIC_URL

	LoginAttempts   int           `env:"LOGIN_ATTEMPTS" envDefault:"5"` // per account and per address
	LoginWindow     time.Duration `env:"LOGIN_WINDOW" envDefault:"5m"`
	SignupAttempts  int           `env:"SIGNUP_ATTEMPTS" envDefault:"10"` // per address
	SignupWindow    time.Duration `env:"SIGNUP_WINDOW" envDefault:"10m"`
	ActivationValid time.Duration `env:"ACTIVATION_VALID" envDefault:"24h"`
	ResetValid      time.Duration `env:"RESET_VALID" envDefault:"1h"`

	TrustedProxies []netip.Prefix `env:"TRUSTED_PROXIES"` // whose X-Forwarded-For is believed
}

// resetMailsAnHour is how many mails one mailbox gets from people who claim to have forgotten its password.
const resetMailsAnHour = 3

// signupMails limits how many mails one mailbox gets from people who sign up with its address.
var signupMails = auth.Limit{Action: "signup_mail", Most: 5, Window: time.Hour}

// Service holds the use cases.
type Service struct {
	db       *postgres.DB
	hasher   *auth.Hasher
	sessions *auth.Sessions
	limiter  *auth.Limiter
	now      auth.Clock
	config   Config

	login, signup, forgot auth.Limit
}

// Options are what the service needs.
type Options struct {
	DB       *postgres.DB
	Hasher   *auth.Hasher
	Sessions *auth.Sessions
	Limiter  *auth.Limiter
	Now      auth.Clock
	Config   Config // with AppURL set
}

// New returns the service.
func New(options Options) *Service {
	config := options.Config
	return &Service{
		db: options.DB, hasher: options.Hasher, sessions: options.Sessions, limiter: options.Limiter, now: options.Now,
		config: config,
		login:  auth.Limit{Action: "login", Most: config.LoginAttempts, Window: config.LoginWindow},
		signup: auth.Limit{Action: "signup", Most: config.SignupAttempts, Window: config.SignupWindow},
		forgot: auth.Limit{Action: "forgot", Most: config.SignupAttempts, Window: config.SignupWindow},
	}
}

// required adds a violation for text that is missing.
func required(violations *fault.Violations, field, text string) {
	if text == "" {
		violations.Add(field, "is required")
	}
}

const invalidParameters = "invalid_parameters"
const invalidMessage = "some fields are not right"
