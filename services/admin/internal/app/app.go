// Package app wires the service together, for the program, its commands and the tests. New, Run and
// Close are the whole service; NewServices returns its use cases over any database; OpenDatabase
// and similar functions open the dependencies of one command.
package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/IBM/pgxpoolprometheus"
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/run"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/web"
	"litfass/pkg/media/blob"
	"litfass/services/admin/internal/api"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/moderation"
	"litfass/services/admin/internal/catalogue/source"
	"litfass/services/admin/internal/catalogue/webhook"
	"litfass/services/admin/internal/people/sending"
	"litfass/services/admin/internal/people/user"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/publish/outbox"
	"litfass/services/admin/internal/publish/readnode"
	"litfass/services/admin/internal/publish/verify"
)

// App is the service that serves the operations, relays changes and delivers mails.
type App struct {
	config  Config
	log     *slog.Logger
	db      *postgres.DB
	changes *stream.Stream
	images  *blob.Store   // nil without BLOB_URL
	sweeper *blob.Sweeper // nil without BLOB_URL
	relay   *outbox.Relay
	janitor *user.Janitor
	reports *moderation.ReportReceiver
	nodes   *readnode.Monitor
	hooks   *webhook.Notifier
	sources *source.Service
	mails   *mail.Worker   // nil without MAIL_URL and MAIL_DIR
	limits  *limit.Limiter // nil with RATE_LIMITS=off
	web     *fiber.App
	drain   *web.Drain
}

// New wires the service together. It does not wait for the engines, which may start later. Close
// the app when done. The error names an invalid setting.
func New(ctx context.Context, config Config, log *slog.Logger) (*App, error) {
	a := &App{config: config, log: log}
	err := a.open(ctx)
	if err == nil {
		err = a.wire()
	}
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// open opens the database, the stream and the store of images.
func (a *App) open(ctx context.Context) (err error) {
	if a.db, err = postgres.Open(ctx, a.config.Database.URL); err != nil {
		return err
	}
	if a.changes, err = stream.Open(a.config.Stream, a.log); err != nil {
		return err
	}
	if a.config.Images.URL != "" {
		a.images, err = blob.Open(ctx, a.config.Images.URL)
	}
	return err
}

// wire creates the parts that run.
func (a *App) wire() error {
	services, err := NewServices(a.config, Base{
		DB: a.db, Hasher: NewHasher(a.config.PasswordHashes), Images: a.images, Now: time.Now, Log: a.log,
	})
	if err != nil {
		return err
	}
	metrics := web.NewMetrics()
	metrics.MustRegister(pgxpoolprometheus.NewCollector(a.db.Pool(), nil))
	a.relay = outbox.NewRelay(outbox.RelayOptions{
		DB: a.db, Stream: a.changes, Release: editing.ReleaseDue, Refill: a.refill,
		Withdraw: verify.Republisher{DB: a.db, Stream: a.changes}.Withdraw, Log: a.log, Now: time.Now,
	})
	a.relay.Register(metrics)
	metrics.MustRegister(backupTime(a.db), newTableSizes(a.db))
	sending.Register(metrics)
	a.janitor = user.NewJanitor(a.db, services.Keys, time.Now, a.log, prunes(a.config)...)
	a.reports = moderation.NewReportReceiver(services.Moderation, a.changes, metrics, a.log)
	a.nodes = readnode.New(a.changes, time.Now)
	a.hooks = webhook.NewNotifier(services.Webhooks, a.changes, metrics)
	a.sources = services.Sources
	a.sources.Register(metrics)
	a.sweeper = services.Sweeper()
	transport, err := mail.NewTransport(a.config.Mail, a.log)
	if err != nil {
		return err
	}
	if transport != nil {
		if a.mails, err = services.MailWorker(transport, metrics); err != nil {
			return err
		}
	}
	a.limits, err = limit.New(limit.Options{
		Config: a.config.Limits, Counted: a.config.counted(), Log: a.log, Metrics: metrics, Now: time.Now,
	})
	if err != nil {
		return err
	}
	deps := services.Deps(metrics)
	deps.Database, deps.Stream, deps.Relay, deps.Limits = a.db, a.changes, a.relay, a.limits
	deps.Platform.Nodes = a.nodes
	a.drain = web.NewDrain(a.config.StopDelay)
	deps.Drain = a.drain
	a.web = api.New(deps)
	return nil
}

// refill republishes everything to a stream that has lost messages.
func (a *App) refill(ctx context.Context) error {
	_, err := verify.Republisher{DB: a.db, Stream: a.changes}.Run(ctx, verify.Scope{})
	return err
}

// Run serves, relays and delivers until ctx ends or a part fails.
func (a *App) Run(ctx context.Context) error {
	a.warn()
	group := run.NewGroup(a.log, a.config.StopDelay+a.config.StopTimeout)
	group.Add("relay", a.relay.Run)
	group.Add("janitor", a.janitor.Run)
	group.Add("reports", a.reports.Run)
	group.Add("nodes", a.nodes.Run)
	group.Add("webhooks", a.hooks.Run)
	if a.config.Sources.Readings > 0 {
		group.Add("sources", a.sources.Run)
	}
	if a.mails != nil {
		group.Add("mail", a.mails.Run)
	}
	if a.sweeper != nil {
		group.Add("sweep", a.sweeper.Run)
	}
	group.Add("http", func(ctx context.Context) error {
		return web.Serve(ctx, a.web, a.config.Listen, a.config.StopTimeout, a.log)
	})
	group.Add("drain", a.drain.Run)
	return group.Run(ctx)
}

// warn logs the features that are off for lack of a setting.
func (a *App) warn() {
	if a.mails == nil {
		a.log.Warn("neither MAIL_URL nor MAIL_DIR is set: mails wait in the queue")
	}
	if a.images == nil {
		a.log.Warn("BLOB_URL is not set: images cannot be stored")
	}
	if len(a.config.Signing.Secrets) == 0 {
		a.log.Warn("SIGNING_KEY_SECRETS is not set: signing keys are stored unencrypted")
	}
}

// Close closes the app's connections.
func (a *App) Close() (err error) {
	err = a.limits.Close()
	if a.images != nil {
		err = errors.Join(err, a.images.Close())
	}
	if a.changes != nil {
		a.changes.Close()
	}
	if a.db != nil {
		a.db.Close()
	}
	return err
}
