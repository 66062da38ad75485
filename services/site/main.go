// The site shows the public calendar as pages. It reads the public API over HTTP, and the events of
// preview links from the admin service.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"
	_ "time/tzdata" // zones also where the system has none

	"github.com/alecthomas/kong"
	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/run"
	"litfass/pkg/chassis/tracing"
	"litfass/pkg/chassis/web"
	"litfass/pkg/ui"
	"litfass/services/site/internal/about"
	"litfass/services/site/internal/asset"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/embed"
	"litfass/services/site/internal/event"
	"litfass/services/site/internal/list"
	"litfass/services/site/internal/mappage"
	"litfass/services/site/internal/month"
	"litfass/services/site/internal/organization"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/pagecache"
	"litfass/services/site/internal/region"
	"litfass/services/site/internal/venue"
	"litfass/services/site/internal/view"
)

func main() {
	var cli struct {
		Version kong.VersionFlag `help:"Print version, commit and date of the program."`

		Serve struct{} `cmd:"" default:"1" help:"Answer the pages. This is the default."`
	}
	kong.Parse(&cli, kong.Name("site"), kong.Vars{"version": run.ReadBuild().String()},
		kong.Description("The public pages of Litfass. Configured by the environment."))
	run.Main("site", serve)
}

// serve wires the service together and runs it until ctx ends.
func serve(ctx context.Context) error {
	config, err := load()
	if err != nil {
		return err
	}
	log := config.Logger("site")
	run.LogStart(log)
	flush, err := tracing.Setup(config.Tracing, "site", log)
	if err != nil {
		return err
	}
	defer flush()
	zone, err := config.zone()
	if err != nil {
		return err
	}
	theme, err := readTheme(config.Theme)
	if err != nil {
		return err
	}
	metrics := web.NewMetrics()
	limits, err := limit.New(limit.Options{Config: config.Limits, Log: log, Metrics: metrics, Now: time.Now})
	if err != nil {
		return err
	}
	defer func() { _ = limits.Close() }() // counts are written with each request

	api := client.New(config.QueryURL, config.APIKey, config.QueryTimeout)
	cache := pagecache.New(api, config.CacheBytes, config.QueryTimeout)
	cache.Register(metrics)
	pages := page.Deps{
		API: api, Previews: config.previews(), Cache: cache, Brand: config.brand(), Framed: embed.Framed,
		Caching: config.caching(), Limits: limits, TrustedProxies: config.TrustedProxies, Now: time.Now, Zone: zone,
	}
	drain := web.NewDrain(config.StopDelay)
	app := newApp(config, drain, log, metrics, api, pages.ShowFailure)
	asset.Mount(app)
	mountTheme(app, theme)
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
	list.Mount(r)
	event.Mount(r)
	venue.Mount(r)
	organization.Mount(r)
	region.Mount(r)
	month.Mount(r)
	mappage.Mount(r)
	embed.Mount(r)
	about.Mount(r)
}

func newApp(
	config config, drain *web.Drain, log *slog.Logger, metrics *prometheus.Registry, api *client.Client,
	showFailure func(*fiber.Ctx, web.Failure) error,
) *fiber.App {
	return web.New(web.Options{
		Service: "site", Log: log, Metrics: metrics, Drain: drain, Compress: config.Compress,
		Ready:       []web.Check{{Name: "query", Run: api.Check}},
		ShowFailure: showFailure, HideOperations: true,
		HeaderLimit: headerLimit,
	})
}

// headerLimit lets an address through whose filter is as long as that of the API may be.
const headerLimit = 128 << 10

// previews returns the client of the service that knows preview links; nil for none.
func (c config) previews() *client.Previews {
	if c.Preview == "" {
		return nil
	}
	return client.NewPreviews(c.Preview, c.QueryTimeout)
}

// brand returns the look of the site.
func (c config) brand() view.Brand {
	return view.Brand{
		Name: c.Name, Public: c.Public, Theme: c.Theme != "", Imprint: c.Imprint, Privacy: c.Privacy,
		Tiles: ui.Tiles{URL: c.TileURL, Credit: c.TileCredit},
	}
}

// readTheme reads the operator's styles; nil without any.
func readTheme(path string) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	theme, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("SITE_THEME: %w", err)
	}
	return theme, nil
}

// mountTheme answers GET /theme.css, if there is one.
func mountTheme(app *fiber.App, theme []byte) {
	if theme == nil {
		return
	}
	app.Get("/theme.css", web.Cacheable(web.Caching{MaxAge: time.Minute}), func(c *fiber.Ctx) error {
		c.Response().Header.SetContentType("text/css; charset=utf-8")
		return c.Send(theme)
	})
}
