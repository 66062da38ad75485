package app

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/seal"
	"litfass/pkg/media/blob"
	"litfass/pkg/media/imaging"
	"litfass/pkg/media/variants"
	"litfass/services/admin/internal/api"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/eventimport"
	"litfass/services/admin/internal/catalogue/moderation"
	"litfass/services/admin/internal/catalogue/notice"
	"litfass/services/admin/internal/catalogue/overview"
	"litfass/services/admin/internal/catalogue/presence"
	"litfass/services/admin/internal/catalogue/preview"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/source"
	"litfass/services/admin/internal/catalogue/venuerequest"
	"litfass/services/admin/internal/catalogue/webhook"
	"litfass/services/admin/internal/people/apikey"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/avatar"
	"litfass/services/admin/internal/people/inbox"
	"litfass/services/admin/internal/people/team"
	"litfass/services/admin/internal/people/undelivered"
	"litfass/services/admin/internal/people/user"
	"litfass/services/admin/internal/platform/geocoder"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/remote"
)

// hashWait is the maximum time that a password waits to be hashed.
const hashWait = 10 * time.Second

// Base are the dependencies of all services. Tests move its clock, and hash passwords cheaply.
type Base struct {
	DB     *postgres.DB
	Hasher *auth.Hasher
	Images *blob.Store // nil: images cannot be stored
	Now    auth.Clock
	Log    *slog.Logger
}

// NewHasher returns the hasher of passwords, with a number of concurrent hashes.
func NewHasher(parallel int) *auth.Hasher {
	return auth.NewHasher(auth.DefaultParams, parallel, hashWait)
}

// Services are the use cases of the service over one database, and their shared parts.
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
	Images        *editing.Images
	Overview      *overview.Service
	Geocoder      *geocoder.Geocoder
	Inbox         *inbox.Service
	Previews      *preview.Service
	Presence      *presence.Service
	Moderation    *moderation.Service
	VenueRequests *venuerequest.Service
	Imports       *eventimport.Service
	Webhooks      *webhook.Service
	Sources       *source.Service

	config Config
	base   Base
}

// NewServices returns the services. It reads nothing from the database yet. The errors are those of
// the configuration: an unknown time zone, which Load refuses, too, or geocoder.
func NewServices(config Config, base Base) (*Services, error) {
	zone, err := config.Calendar.zone()
	if err != nil {
		return nil, err
	}
	s := &Services{config: config, base: base}
	if s.Geocoder, err = geocoder.New(config.Geocoder, config.Public.URL); err != nil {
		return nil, err
	}
	budget := imaging.NewBudget(imaging.DefaultBudget)
	s.Keys = newKeyring(config, base.DB, base.Now)
	tokens := auth.NewTokens(s.Keys, config.Tokens, base.Now)
	s.Sessions = auth.NewSessions(tokens, base.Now)
	s.Limiter = auth.NewLimiter(base.DB, base.Now)
	s.APIKeys = apikey.New(base.DB, base.Now)
	s.Authenticator = auth.NewAuthenticator(base.DB, tokens, s.APIKeys)
	s.Users = user.New(user.Options{
		DB: base.DB, Hasher: base.Hasher, Sessions: s.Sessions, Limiter: s.Limiter, Now: base.Now,
		PublicURL: config.Public.URL, Config: config.Accounts,
		Reports: user.PersonalData{
			Exports: slices.Concat(moderation.Exports, venuerequest.Exports, webhook.Exports, source.Exports), Forget: moderation.Forget,
		},
	})
	s.Avatars = newAvatars(base, budget)
	s.Teams = team.New(team.Options{
		DB: base.DB, Confirm: s.Users.ConfirmPassword, Link: s.Users.Link, Now: base.Now,
		PublicURL: config.Public.URL, Config: config.Team,
	})
	s.Moderation = moderation.New(moderation.Options{
		DB: base.DB, Limiter: s.Limiter, Now: base.Now, Config: config.Moderation,
	})
	s.Editor = editing.New(editing.Options{
		DB: base.DB, Limiter: s.Limiter, Confirm: s.Users.ConfirmPassword, Now: base.Now, Zone: zone, Await: s.await(),
		NotifyTeam: s.Moderation.NotifyTeam, NotifySeries: s.Moderation.NotifySeries, NotifyRemoved: s.Moderation.NotifyRemoved, PortalSlugs: slices.Collect(maps.Values(config.PortalHosts)),
		VideoHosts: config.VideoHosts,
	})
	s.VenueRequests = venuerequest.New(venuerequest.Options{
		DB: base.DB, Editor: s.Editor, Limiter: s.Limiter, Now: base.Now, Zone: zone,
	})
	s.Images = editing.NewImages(editing.ImageOptions{
		Editor: s.Editor, Blobs: base.Images, Budget: budget, Log: base.Log,
	})
	s.Overview = overview.New(overview.Options{DB: base.DB, Now: base.Now, Zone: zone})
	s.Imports = eventimport.New(eventimport.Options{
		DB: base.DB, Editor: s.Editor, Overview: s.Overview, Images: s.Images, Remote: remote.New(config.Import),
		Now: base.Now, Zone: zone,
	})
	s.Sources = source.New(source.Options{
		DB: base.DB, Imports: s.Imports, Limiter: s.Limiter, Now: base.Now, Zone: zone, Log: base.Log, Config: config.Sources,
		PublicURL: config.Public.URL,
	})
	s.Previews = preview.New(preview.Options{
		DB: base.DB, Variants: variants.New(variants.Options{Blobs: base.Images, Budget: budget}), Now: base.Now,
		PublicURL: config.Public.URL, Zone: zone, Config: config.Preview,
	})
	s.Presence = presence.New(base.DB)
	s.Webhooks = newWebhooks(config, base, s.Limiter, zone)
	s.Inbox = inbox.New(inbox.Options{DB: base.DB, Now: base.Now, Zone: zone})
	return s, nil
}

func newAvatars(base Base, budget *imaging.Budget) *user.Avatars {
	options := user.AvatarOptions{DB: base.DB, Budget: budget, Now: base.Now, Log: base.Log}
	if base.Images != nil {
		options.Store = avatar.NewStore(base.Images)
	}
	return user.NewAvatars(options)
}

func newWebhooks(config Config, base Base, limiter *auth.Limiter, zone *time.Location) *webhook.Service {
	return webhook.New(webhook.Options{
		DB: base.DB, Poster: remote.NewPoster(config.Webhooks.Networks, webhook.Patience), Limiter: limiter,
		Sealer: seal.New(config.Signing.Secrets...), Now: base.Now, Log: base.Log,
		PublicURL: config.Public.URL, Zone: zone.String(),
	})
}

func newKeyring(config Config, db *postgres.DB, now auth.Clock) *auth.Keyring {
	return auth.NewKeyring(auth.KeyringOptions{
		DB: db, Sealer: seal.New(config.Signing.Secrets...), Now: now,
		Rotation: config.SigningKeyAge, MaxLifetime: config.Tokens.RefreshLifetime,
	})
}

// await returns the hook that makes a new organization wait for approval; nil if none is needed.
func (s *Services) await() func(context.Context, pgx.Tx, *rules.Organization) error {
	if !s.config.Moderation.Approval {
		return nil
	}
	return s.Moderation.Await
}

// Deps returns the dependencies of the operations, without the engines of the readiness checks.
func (s *Services) Deps(metrics *prometheus.Registry) api.Deps {
	return api.Deps{
		Log: s.base.Log, Metrics: metrics, Origins: s.config.Origins,
		Accounts: api.Accounts{
			Users: s.Users, Avatars: s.Avatars, Authenticator: s.Authenticator,
			TrustedProxies: s.config.Accounts.TrustedProxies,
		},
		Profiles:      api.Profiles{Users: s.Users},
		Catalogue:     api.Catalogue{Editor: s.Editor, Images: s.Images, Overview: s.Overview, Geocoder: s.Geocoder},
		Organizations: api.Organizations{Teams: s.Teams, Keys: s.APIKeys, Audit: audit.New(s.base.DB)},
		Inbox:         api.Inbox{Service: s.Inbox},
		Previews:      api.Previews{Service: s.Previews},
		Presence:      api.Presence{Service: s.Presence},
		Moderation:    api.Moderation{Service: s.Moderation, Editor: s.Editor},
		Imports:       api.Imports{Service: s.Imports},
		Sources:       api.Sources{Service: s.Sources},
		VenueRequests: api.VenueRequests{Service: s.VenueRequests},
		Webhooks:      api.Webhooks{Service: s.Webhooks},
		Platform: api.Platform{
			Users: s.Users, Overview: s.Overview, Mails: undelivered.Service{DB: s.base.DB, Now: s.base.Now},
		},
	}
}

// Sweeper returns the sweeper of images that no row refers to, nil without a store.
func (s *Services) Sweeper() *blob.Sweeper {
	if s.base.Images == nil {
		return nil
	}
	return blob.NewSweeper(blob.SweeperOptions{
		Store: s.base.Images, Now: s.base.Now, Log: s.base.Log,
		Folders: []blob.Folder{
			{Name: avatar.Folder, Live: s.Avatars.Live},
			{Name: blob.Images, Live: s.Images.Live},
		},
	})
}

// MailWorker returns the worker that delivers queued mails over the transport.
func (s *Services) MailWorker(transport mail.Transport, metrics prometheus.Registerer) (*mail.Worker, error) {
	return mail.NewWorker(mail.WorkerOptions{
		DB: s.base.DB, Transport: transport, Compose: s.compose, Config: s.config.Mail,
		Now: s.base.Now, Log: s.base.Log, Metrics: metrics,
	})
}

// compose is the mail.Composer of all mails.
func (s *Services) compose(ctx context.Context, tx pgx.Tx, queued mail.Job) (mail.Content, error) {
	if queued.Template == mail.TemplateInvite {
		return s.Teams.Compose(ctx, tx, queued)
	}
	if notice.Composes(queued.Template) {
		return notice.Composer{Link: s.Users.Link}.Compose(ctx, tx, queued)
	}
	return s.Users.Compose(ctx, tx, queued)
}
