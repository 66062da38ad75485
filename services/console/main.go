// The console is where organizers edit events, venues and teams. It speaks HTTP with the admin
// service, and with the public API for what visitors see, and stores nothing itself.
package main

import (
	"context"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/seal"
	"litfass/pkg/chassis/web"
	"litfass/pkg/ui"
	"litfass/pkg/ui/boot"
	"litfass/services/console/internal/account"
	"litfass/services/console/internal/asset"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/contributor"
	"litfass/services/console/internal/curated"
	"litfass/services/console/internal/event"
	"litfass/services/console/internal/importing"
	"litfass/services/console/internal/inbox"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/moderation"
	"litfass/services/console/internal/organization"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/portal"
	"litfass/services/console/internal/seen"
	"litfass/services/console/internal/series"
	"litfass/services/console/internal/session"
	"litfass/services/console/internal/source"
	"litfass/services/console/internal/start"
	"litfass/services/console/internal/team"
	"litfass/services/console/internal/venue"
	"litfass/services/console/internal/view"
	"litfass/services/console/internal/webhook"
)

func main() { boot.Main("console", "The pages of Litfass for organizers.", serve) }

// serve wires the service together and runs it until ctx ends.
func serve(ctx context.Context) error {
	config, err := load()
	if err != nil {
		return err
	}
	options := boot.Options{
		Name: "console", Common: config.Common, Tracing: config.Tracing, Limits: config.Limits, TimeZone: config.TimeZone,
	}
	return boot.Run(ctx, options, func(s boot.Service) *fiber.App {
		pages := config.pages(s)
		app := web.New(web.Options{
			Service: "console", Log: s.Log, Metrics: s.Metrics, Drain: s.Drain, Compress: true,
			Ready:       []web.Check{{Name: "admin", Run: pages.Admin.Check}},
			ShowFailure: pages.ShowFailure, HideOperations: true,
			HeaderLimit: headerLimit, BodyLimit: bodyLimit, BodyMemory: bodyMemory, RequestTimeout: requestTimeout,
		})
		asset.Mount(app)
		mount(page.NewRouter(app, pages))
		return app
	})
}

// mount adds all pages.
func mount(r page.Router) {
	account.Mount(r)
	inbox.Mount(r)
	start.Mount(r)
	event.Mount(r)
	venue.Mount(r)
	moderation.Mount(r)
	importing.Mount(r)
	source.Mount(r)
	seen.Mount(r)
	organization.Mount(r)
	portal.Mount(r)
	curated.Mount(r)
	contributor.Mount(r)
	series.Mount(r)
	team.Mount(r)
	webhook.Mount(r)
}

// pages returns the dependencies of the pages.
func (c config) pages(s boot.Service) page.Deps {
	admin := client.New(c.AdminURL, "", c.Timeout)
	return page.Deps{
		Admin: admin, Query: client.New(c.QueryURL, c.APIKey, c.Timeout), Lookup: &lookup.Cache{},
		Cookies:   session.Cookies{Sealer: seal.New(c.Secrets...), Secure: strings.HasPrefix(c.Public, "https://")},
		Refresher: session.NewRefresher(admin, time.Now),
		Brand: view.Brand{
			Name: c.Name, Site: c.Public, Theme: c.Theme, Tiles: ui.Tiles{URL: c.TileURL, Credit: c.TileCredit},
		},
		Log: s.Log, Limits: s.Limits, TrustedProxies: c.TrustedProxies, Now: time.Now, Zone: s.Zone,
		Language: c.Language,
	}
}

const (
	// bodyLimit lets an image or a file of events through with the other fields.
	bodyLimit = 6 << 20
	// bodyMemory is that of all such bodies at once.
	bodyMemory = 64 << 20
	// headerLimit has room for the cookie.
	headerLimit = 32 << 10
	// requestTimeout lets an import end.
	requestTimeout = 60 * time.Second
)
