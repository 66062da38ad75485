package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/services/admin/internal/api"
	"litfass/services/admin/internal/apikey"
	"litfass/services/admin/internal/audit"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/avatar"
	"litfass/services/admin/internal/editing"
	"litfass/services/admin/internal/inbox"
	"litfass/services/admin/internal/mail"
	"litfass/services/admin/internal/overview"
	"litfass/services/admin/internal/picture"
	"litfass/services/admin/internal/postgres"
	"litfass/services/admin/internal/team"
	"litfass/services/admin/internal/user"
)

// hashWait is how long a password waits at most for its turn to be hashed.
const hashWait = 10 * time.Second

// Base is what all services are made from. Tests move its clock, and hash passwords cheaply.
type Base struct {
	DB       *postgres.DB
	Hasher   *auth.Hasher
	Pictures *avatar.Store // nil: avatars cannot be stored
	Now      auth.Clock
	Log      *slog.Logger
}

// NewHasher returns the hasher of passwords, which hashes so many at once.
func NewHasher(parallel int) *auth.Hasher {
	return auth.NewHasher(auth.DefaultParams, parallel, hashWait)
}

// Services are the use cases of the service over one database, and what they share.
type Services struct {
	Keys          *auth.Keyring
	Sessions      *auth.Sessions
	Limiter       *auth.Limiter
	APIKeys       *apikey.Service
	Authenticator *auth.Authenticator
	Users         *user.Service
	Avatars       *user.Avatars
	Teams         *team.Service
	Editor        *editing.Editor
	Overview      *overview.Service
	Inbox         *inbox.Service

	config Config
	base   Base
}

// NewServices returns the services. It reads nothing from the database yet. The only error is an
// unknown time zone, which Load refuses, too.
func NewServices(config Config, base Base) (*Services, error) {
	zone, err := config.Calendar.zone()
	if err != nil {
		return nil, err
	}
	s := &Services{config: config, base: base}
	s.addAuth()
	s.addUsers()
	s.Teams = team.New(team.Options{
		DB: base.DB, Limiter: s.Limiter, Confirm: s.Users.ConfirmPassword, Link: s.Users.Link, Now: base.Now,
		PublicURL: config.Public.URL, Config: config.Team,
	})
	s.Editor = editing.New(editing.Options{
		DB: base.DB, Limiter: s.Limiter, Confirm: s.Users.ConfirmPassword, Now: base.Now, Zone: zone,
	})
	s.Overview = overview.New(overview.Options{DB: base.DB, Now: base.Now, Zone: zone})
	s.Inbox = inbox.New(inbox.Options{DB: base.DB, Limiter: s.Limiter, Now: base.Now, Zone: zone})
	return s, nil
}

func (s *Services) addAuth() {
	db, now := s.base.DB, s.base.Now
	s.Keys = newKeyring(s.config, db, now)
	tokens := auth.NewTokens(s.Keys, s.config.Tokens, now)
	s.Sessions = auth.NewSessions(tokens, now)
	s.Limiter = auth.NewLimiter(db, now)
	s.APIKeys = apikey.New(db, now)
	s.Authenticator = auth.NewAuthenticator(db, tokens, s.APIKeys)
}

func newKeyring(config Config, db *postgres.DB, now auth.Clock) *auth.Keyring {
	return auth.NewKeyring(auth.KeyringOptions{
		DB: db, Sealer: auth.NewSealer(config.Signing.Secrets...), Now: now,
		Rotation: config.SigningKeyAge, Longest: config.Tokens.RefreshLifetime,
	})
}

func (s *Services) addUsers() {
	s.Users = user.New(user.Options{
		DB: s.base.DB, Hasher: s.base.Hasher, Sessions: s.Sessions, Limiter: s.Limiter, Now: s.base.Now,
		PublicURL: s.config.Public.URL, Config: s.config.Accounts,
	})
	s.Avatars = user.NewAvatars(user.AvatarOptions{
		DB: s.base.DB, Store: s.base.Pictures, Budget: picture.NewBudget(picture.DefaultBudget), Now: s.base.Now,
		Log: s.base.Log,
	})
}

// Deps returns what the operations work with, but for the engines that readiness asks.
func (s *Services) Deps(metrics *prometheus.Registry) api.Deps {
	return api.Deps{
		Log: s.base.Log, Metrics: metrics, Origins: s.config.Origins,
		Accounts: api.Accounts{
			Users: s.Users, Avatars: s.Avatars, Authenticator: s.Authenticator,
			TrustedProxies: s.config.Accounts.TrustedProxies,
		},
		Profiles:      api.Profiles{Users: s.Users},
		Catalogue:     api.Catalogue{Editor: s.Editor, Overview: s.Overview},
		Organizations: api.Organizations{Teams: s.Teams, Keys: s.APIKeys, Audit: audit.New(s.base.DB)},
		Inbox:         api.Inbox{Service: s.Inbox},
	}
}

// MailWorker returns the worker that delivers queued mails over the transport.
func (s *Services) MailWorker(transport mail.Transport, metrics prometheus.Registerer) (*mail.Worker, error) {
	return mail.NewWorker(mail.WorkerOptions{
		DB: s.base.DB, Transport: transport, Compose: s.compose, Config: s.config.Mail,
		Now: s.base.Now, Log: s.base.Log, Metrics: metrics,
	})
}

// compose is the mail.Composer of all mails.
func (s *Services) compose(ctx context.Context, tx pgx.Tx, queued mail.Queued) (mail.Content, error) {
	if queued.Template == mail.TemplateInvite {
		return s.Teams.Compose(ctx, tx, queued)
	}
	return s.Users.Compose(ctx, tx, queued)
}
