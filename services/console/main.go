// The console is where organizers edit events, venues and teams. It speaks HTTP with the admin
// service, and with the public API for what visitors see, and keeps nothing itself.
package main

import (
	"context"
	"log/slog"
	"strings"
	"time"
	_ "time/tzdata" // zones also where the system has none

	"github.com/alecthomas/kong"
	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/run"
	"litfass/pkg/chassis/seal"
	"litfass/pkg/chassis/tracing"
	"litfass/pkg/chassis/web"
	"litfass/pkg/ui"
	"litfass/services/console/internal/account"
	"litfass/services/console/internal/asset"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/event"
	"litfass/services/console/internal/importing"
	"litfass/services/console/internal/inbox"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/moderation"
	"litfass/services/console/internal/organization"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/seen"
	"litfass/services/console/internal/session"
	"litfass/services/console/internal/start"
	"litfass/services/console/internal/team"
	"litfass/services/console/internal/venue"
	"litfass/services/console/internal/view"
)

func main() {
	var cli struct {
		Version kong.VersionFlag `help:"Print version, commit and date of the program."`

		Serve struct{} `cmd:"" default:"1" help:"Answer the pages. This is the default."`
	}
	kong.Parse(&cli, kong.Name("console"), kong.Vars{"version": run.ReadBuild().String()},
		kong.Description("The pages of Litfass for organizers. Configured by the environment."))
	run.Main("console", serve)
}

// serve wires the service together and runs it until ctx ends.
func serve(ctx context.Context) error {
	config, err := load()
	if err != nil {
		return err
	}
	log := config.Logger("console")
	run.LogStart(log)
	flush, err := tracing.Setup(config.Tracing, "console", log)
	if err != nil {
		return err
	}
	defer flush()
	zone, err := config.zone()
	if err != nil {
		return err
	}
	metrics := web.NewMetrics()
	limits, err := limit.New(limit.Options{Config: config.Limits, Log: log, Metrics: metrics, Now: time.Now})
	if err != nil {
		return err
	}
	defer func() { _ = limits.Close() }() // counts are written with each request

	pages := config.pages(log, limits, zone)
	drain := web.NewDrain(config.StopDelay)
	app := newApp(drain, log, metrics, pages)
	asset.Mount(app)
	mount(page.NewRouter(app, pages))

	group := run.NewGroup(log, config.StopDelay+config.StopTimeout)
	group.Add("http", func(ctx context.Context) error {
		return web.Serve(ctx, app, config.Listen, config.StopTimeout, log)
	})
	group.Add("drain", drain.Run)
	return group.Run(ctx)
}

// mount adds all pages.
func mount(r page.Router) {
	sets := &lookup.Store{}
	account.Mount(r)
	inbox.Mount(r)
	start.Mount(r)
	event.Mount(r, sets)
	venue.Mount(r, sets)
	moderation.Mount(r)
	importing.Mount(r, sets)
	seen.Mount(r)
	organization.Mount(r)
	team.Mount(r)
}

// pages returns what the pages are made with.
func (c config) pages(log *slog.Logger, limits *limit.Limiter, zone *time.Location) page.Deps {
	admin := client.New(c.AdminURL, "", c.Timeout)
	return page.Deps{
		Admin: admin, Query: client.New(c.QueryURL, c.APIKey, c.Timeout),
		Cookies:   session.Cookies{Sealer: seal.New(c.Secrets...), Secure: strings.HasPrefix(c.Public, "https://")},
		Refresher: session.NewRefresher(admin, time.Now),
		Brand: view.Brand{
			Name: c.Name, Site: c.Public, Theme: c.Theme, Tiles: ui.Tiles{URL: c.TileURL, Credit: c.TileCredit},
		},
		Log: log, Limits: limits, TrustedProxies: c.TrustedProxies, Now: time.Now, Zone: zone,
	}
}

const (
	// bodyLimit lets a picture or a file of events through with the fields beside it.
	bodyLimit = 6 << 20
	// bodyMemory is that of all such bodies at once.
	bodyMemory = 64 << 20
	// headerLimit has room for the cookie.
	headerLimit = 32 << 10
	// requestTimeout lets an import end.
	requestTimeout = 60 * time.Second
)

func newApp(drain *web.Drain, log *slog.Logger, metrics *prometheus.Registry, pages page.Deps) *fiber.App {
	return web.New(web.Options{
		Service: "console", Log: log, Metrics: metrics, Drain: drain, Compress: true,
		Ready:       []web.Check{{Name: "admin", Run: pages.Admin.Check}},
		ShowFailure: pages.ShowFailure, HideOperations: true,
		HeaderLimit: headerLimit, BodyLimit: bodyLimit, BodyMemory: bodyMemory, RequestTimeout: requestTimeout,
	})
}
