// Package asset holds the scripts and styles of the site, which the command bundle makes.
package asset

import (
	"embed"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/pkg/ui/asset"
)

//go:embed all:dist
var dist embed.FS

// built is the bundle that the program was built with.
var built = asset.Must(dist, "/assets/")

// URL returns the address of a file by its name without its hash, such as "site.css"; "" if the
// bundle does not have it.
func URL(name string) string { return built.URL(name) }

const (
	// widget is the script for other websites, which keeps its address.
	widget = "widget.v1.js"
	// widgetAge is how long browsers use a widget before they ask for a newer one.
	widgetAge = 10 * time.Minute
	// widgetStale is how much longer they use it while they ask.
	widgetStale = 24 * time.Hour
)

// Mount answers GET /assets/<file>, and GET /widget.v1.js, both for pages of any origin. Without a
// bundle the widget is 503, and every other file is 404.
func Mount(app fiber.Router) { mount(app, built) }

func mount(app fiber.Router, b *asset.Bundle) {
	b.Mount(app)
	caching := web.Caching{MaxAge: widgetAge, StaleWhileRevalidate: widgetStale}
	app.Get("/"+widget, web.Cacheable(caching), func(c *fiber.Ctx) error {
		if b.URL(widget) == "" {
			return fault.New(fault.Unavailable, "", "this site was built without its scripts")
		}
		return b.Send(c, widget)
	})
}
