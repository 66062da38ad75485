package asset

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/fault"
	"litfass/pkg/web"
)

const (
	// forever is the caching of files that are named by their content.
	forever = "public, max-age=31536000, immutable"
	// widgetAge is how long browsers use a widget before they ask for a newer one.
	widgetAge = 10 * time.Minute
	// widgetStale is how much longer they use it while they ask.
	widgetStale = 24 * time.Hour
)

// widget is the script for other websites, which keeps its address.
const widget = "widget.v1.js"

func (b *bundle) mount(app fiber.Router) {
	app.Get("/assets/:file", web.Cacheable(web.Caching{}), b.sendFile)
	app.Get("/"+widget, web.Cacheable(web.Caching{MaxAge: widgetAge, StaleWhileRevalidate: widgetStale}), b.sendWidget)
}

// sendFile answers with a file that is named by its content.
func (b *bundle) sendFile(c *fiber.Ctx) error {
	name := c.Params("file")
	f, found := b.files[name]
	if !found || name == widget {
		return fault.New(fault.NotFound, "", "there is no such file")
	}
	c.Set(fiber.HeaderCacheControl, forever)
	return f.send(c)
}

func (b *bundle) sendWidget(c *fiber.Ctx) error {
	f, found := b.files[widget]
	if !found {
		return fault.New(fault.Unavailable, "", "this site was built without its scripts")
	}
	return f.send(c)
}

// send answers with the file in the encoding that the client prefers, or with 304.
func (f file) send(c *fiber.Ctx) error {
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
	c.Set("Cross-Origin-Resource-Policy", "cross-origin") // else pages that isolate themselves cannot load it
	c.Vary(fiber.HeaderAcceptEncoding)
	c.Response().Header.SetContentType(f.kind)
	return web.SendText(c, f.text)
}
