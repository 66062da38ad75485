// The site shows the public calendar as pages. It reads the public API over HTTP, and the events of
// preview links from the admin service.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
	"litfass/pkg/ui"
	"litfass/pkg/ui/boot"
	"litfass/services/site/internal/about"
	"litfass/services/site/internal/asset"
	"litfass/services/site/internal/basemap"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/contributor"
	"litfass/services/site/internal/curated"
	"litfass/services/site/internal/developers"
	"litfass/services/site/internal/embed"
	"litfass/services/site/internal/event"
	"litfass/services/site/internal/icon"
	"litfass/services/site/internal/list"
	"litfass/services/site/internal/mappage"
	"litfass/services/site/internal/month"
	"litfass/services/site/internal/organization"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/pagecache"
	"litfass/services/site/internal/region"
	"litfass/services/site/internal/series"
	"litfass/services/site/internal/venue"
	"litfass/services/site/internal/view"
)

func main() { boot.Main("site", "The public pages of Litfass.", serve) }

// serve wires the service together and runs it until ctx ends.
func serve(ctx context.Context) error {
	config, err := load()
	if err != nil {
		return err
	}
	if err := config.checkRoute(); err != nil {
		return err
	}
	theme, err := readTheme(config.Theme)
	if err != nil {
		return err
	}
	base, err := openMap(ctx, config.MapFile, config.BlobURL)
	if err != nil {
		return err
	}
	options := boot.Options{
		Name: "site", Common: config.Common, Tracing: config.Tracing, Limits: config.Limits, TimeZone: config.TimeZone,
	}
	return boot.Run(ctx, options, func(s boot.Service) *fiber.App {
		api := client.New(config.QueryURL, config.APIKey, config.QueryTimeout)
		cache := pagecache.New(api, config.CacheBytes, config.QueryTimeout, time.Now)
		cache.Register(s.Metrics)
		pages := page.Deps{
			API: api, Previews: config.previews(), Cache: cache, Brand: config.brand(base), Framed: embed.Framed,
			Caching: config.caching(), Limits: s.Limits, TrustedProxies: config.TrustedProxies, Portals: config.Portals, Now: time.Now, Zone: s.Zone,
		}
		app := web.New(web.Options{
			Service: "site", Log: s.Log, Metrics: s.Metrics, Drain: s.Drain, Compress: config.Compress,
			Ready:       []web.Check{{Name: "query", Run: api.Check}},
			ShowFailure: pages.ShowFailure, HideOperations: true,
			HeaderLimit: headerLimit,
		})
		asset.Mount(app)
		base.Mount(app)
		mountTheme(app, theme)
		mount(page.NewRouter(app, pages))
		return app
	})
}

// mount adds all pages.
func mount(r page.Router) {
	list.Mount(r)
	event.Mount(r)
	venue.Mount(r)
	organization.Mount(r)
	contributor.Mount(r)
	region.Mount(r)
	curated.Mount(r)
	series.Mount(r)
	month.Mount(r)
	mappage.Mount(r)
	embed.Mount(r)
	about.Mount(r)
	developers.Mount(r)
	icon.Mount(r)
	r.MountStyles()
}

// headerLimit lets an address through whose filter is as long as that of the API may be.
const headerLimit = 128 << 10

// off is the value of settings that hide something.
const off = "off"

// previews returns the client of the service that knows preview links; nil for none.
func (c config) previews() *client.Previews {
	if c.Preview == "" {
		return nil
	}
	return client.NewPreviews(c.Preview, c.QueryTimeout)
}

// brand returns the look of the site.
func (c config) brand(base *basemap.Map) view.Brand {
	brand := view.Brand{
		Name: c.Name, Public: c.Public, Language: c.Language, Theme: c.Theme != "", Imprint: c.Imprint, Privacy: c.Privacy,
		Tiles: ui.Tiles{URL: c.TileURL, Credit: c.TileCredit}, Basemap: base,
		Videos: c.VideoHosts,
	}
	if c.Publish != off {
		brand.Publish = c.Publish
	}
	if c.Route != off {
		brand.Route = c.Route
	}
	return brand
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
