package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/picture"
	"litfass/pkg/run"
	"litfass/services/admin/internal/api"
	"litfass/services/admin/internal/apikey"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/avatar"
	"litfass/services/admin/internal/mail"
	"litfass/services/admin/internal/team"
	"litfass/services/admin/internal/user"
)

// hashWait is how long a password waits at most for its turn to be hashed.
const hashWait = 10 * time.Second

// memoryLimit is where the garbage collector begins to run more often: every password hash leaves
// 19 MiB.
const memoryLimit = 112 << 20

// tuneMemory bounds the memory of many logins at once, unless the operator has set GOMEMLIMIT.
func tuneMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}

// identityConfig is the configuration of accounts, tokens, mails and pictures.
type identityConfig struct {
	Account user.Config
	Tokens  auth.TokenConfig
	Mail    mail.Config
	Team    team.Config

	BlobURL           string        `env:"BLOB_URL"`            // of pictures: file:///folder or s3://bucket?…
	SigningKeySecrets []auth.Secret `env:"SIGNING_KEY_SECRETS"` // seal the signing keys in the database; newest first
	SigningKeyAge     time.Duration `env:"SIGNING_KEY_AGE" envDefault:"720h"`
	PasswordHashes    int           `env:"PASSWORD_HASHES"` // at once, 19 MiB each; default: one for each core
}

// identity holds the services of accounts and teams.
type identity struct {
	users    *user.Service
	apiKeys  *apikey.Service
	teams    *team.Service
	avatars  *user.Avatars
	limiter  *auth.Limiter
	checker  *auth.Authenticator
	keys     *auth.Keyring
	janitor  *user.Janitor
	worker   *mail.Worker // nil without MAIL_URL and MAIL_DIR
	pictures *avatar.Store
	config   identityConfig
	log      *slog.Logger
}

// openIdentity wires the services together. It does not connect to the database yet. Close it when
// done.
func openIdentity(ctx context.Context, env environment, metrics prometheus.Registerer) (*identity, error) {
	config, err := env.config.identity()
	if err != nil {
		return nil, err
	}
	i := &identity{config: config, log: env.log}
	i.keys = auth.NewKeyring(auth.KeyringOptions{
		DB: env.db, Sealer: auth.NewSealer(config.SigningKeySecrets...), Now: time.Now,
		Rotation: config.SigningKeyAge, Longest: config.Tokens.RefreshLifetime,
	})
	tokens := auth.NewTokens(i.keys, config.Tokens, time.Now)
	i.apiKeys = apikey.New(env.db, time.Now)
	i.checker = auth.NewAuthenticator(env.db, tokens, i.apiKeys)
	i.limiter = auth.NewLimiter(env.db, time.Now)
	hasher := auth.NewHasher(auth.DefaultParams, config.PasswordHashes, hashWait)
	publicURL := strings.TrimRight(env.config.PublicURL, "/")
	i.users = user.New(user.Options{
		DB: env.db, Hasher: hasher, Sessions: auth.NewSessions(tokens, time.Now), Limiter: i.limiter,
		Now: time.Now, PublicURL: publicURL, Config: config.Account,
	})
	i.teams = team.New(team.Options{
		DB: env.db, Limiter: i.limiter, Confirm: i.users.ConfirmPassword, Link: i.users.Link, Now: time.Now,
		PublicURL: publicURL, Config: config.Team,
	})
	i.janitor = user.NewJanitor(env.db, i.keys, time.Now, env.log)
	if i.worker, err = newMailWorker(env, i.compose, config.Mail, metrics); err != nil {
		return nil, err
	}
	if config.BlobURL != "" {
		if i.pictures, err = avatar.OpenStore(ctx, config.BlobURL); err != nil {
			return nil, err
		}
	}
	i.avatars = user.NewAvatars(user.AvatarOptions{
		DB: env.db, Store: i.pictures, Budget: picture.NewBudget(picture.DefaultBudget), Now: time.Now,
		Log: env.log,
	})
	return i, nil
}

// newMailWorker returns nil when the configuration names no transport: then mails wait in the
// queue.
func newMailWorker(
	env environment, compose mail.Composer, config mail.Config, metrics prometheus.Registerer,
) (*mail.Worker, error) {
	transport, err := mail.NewTransport(config, env.log)
	if err != nil || transport == nil {
		return nil, err
	}
	return mail.NewWorker(mail.WorkerOptions{
		DB: env.db, Transport: transport, Compose: compose, Config: config,
		Now: time.Now, Log: env.log, Metrics: metrics,
	})
}

// compose is the mail.Composer of all mails.
func (i *identity) compose(ctx context.Context, tx pgx.Tx, queued mail.Queued) (mail.Content, error) {
	if queued.Template == mail.TemplateInvite {
		return i.teams.Compose(ctx, tx, queued)
	}
	return i.users.Compose(ctx, tx, queued)
}

// operations returns the HTTP operations of accounts.
func (i *identity) operations() api.Accounts {
	return api.Accounts{
		Users: i.users, Avatars: i.avatars, Authenticator: i.checker,
		TrustedProxies: i.config.Account.TrustedProxies,
	}
}

// addTo adds the background tasks, and warns about missing configuration.
func (i *identity) addTo(group *run.Group) {
	group.Add("janitor", i.janitor.Run)
	if i.worker == nil {
		i.log.Warn("neither MAIL_URL nor MAIL_DIR is set: mails wait in the queue")
	} else {
		group.Add("mail", i.worker.Run)
	}
	if i.pictures == nil {
		i.log.Warn("BLOB_URL is not set: avatars cannot be stored")
	}
	if len(i.config.SigningKeySecrets) == 0 {
		i.log.Warn("SIGNING_KEY_SECRETS is not set: signing keys are stored unencrypted")
	}
}

// Close closes the blob store.
func (i *identity) Close() error {
	if i.pictures == nil {
		return nil
	}
	return i.pictures.Close()
}

// identity returns the configuration with the defaults that depend on others.
func (c config) identity() (identityConfig, error) {
	i := c.Identity
	if i.Account.AppURL == "" {
		i.Account.AppURL = c.PublicURL
	}
	i.Account.AppURL = strings.TrimRight(i.Account.AppURL, "/")
	if i.PasswordHashes == 0 {
		i.PasswordHashes = runtime.GOMAXPROCS(0)
	}
	return i, i.check()
}

// check returns everything that is wrong with the configuration.
func (i identityConfig) check() error {
	var mistakes []error
	if app, err := url.Parse(i.Account.AppURL); err != nil || app.Host == "" || (app.Scheme != "http" && app.Scheme != "https") {
		mistakes = append(mistakes, errors.New("APP_URL is not an http address"))
	}
	if i.Team.InvitationValid < 24*time.Hour { // its mail counts in days
		mistakes = append(mistakes, errors.New("INVITATION_VALID must be a day or more"))
	}
	if i.PasswordHashes < 0 {
		mistakes = append(mistakes, errors.New("PASSWORD_HASHES must be positive"))
	}
	for name, count := range map[string]int{
		"LOGIN_ATTEMPTS": i.Account.LoginAttempts, "SIGNUP_ATTEMPTS": i.Account.SignupAttempts, "MAIL_ATTEMPTS": i.Mail.Attempts,
	} {
		if count < 1 {
			mistakes = append(mistakes, fmt.Errorf("%s must be positive", name))
		}
	}
	for name, time := range map[string]time.Duration{
		"LOGIN_WINDOW": i.Account.LoginWindow, "SIGNUP_WINDOW": i.Account.SignupWindow,
		"ACTIVATION_VALID": i.Account.ActivationValid, "RESET_VALID": i.Account.ResetValid, "MAIL_TIMEOUT": i.Mail.Timeout,
		"ACCESS_TOKEN_LIFETIME": i.Tokens.AccessLifetime, "REFRESH_TOKEN_LIFETIME": i.Tokens.RefreshLifetime,
		"SIGNING_KEY_AGE": i.SigningKeyAge,
	} {
		if time <= 0 {
			mistakes = append(mistakes, fmt.Errorf("%s must be positive", name))
		}
	}
	return errors.Join(mistakes...)
}
