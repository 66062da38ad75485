package api

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/web"
	"litfass/services/query/internal/delta"
	"litfass/services/query/internal/sitemap"
)

// mountDiscovery adds what other programs find pages by: sitemaps, robots.txt and oEmbed. These are
// the only operations outside of /api.
func (d Deps) mountDiscovery(app fiber.Router) {
	caching := web.Cacheable(d.Caching)
	app.Get("/sitemap.xml", caching, d.sitemapIndex)
	app.Get("/sitemap/:file", caching, d.sitemapFile)
	app.Get("/robots.txt", caching, d.robots)
	app.Get("/oembed", caching, d.oembed)
}

const (
	contentXML  = "application/xml; charset=utf-8"
	contentText = "text/plain; charset=utf-8"
)

// sitemapIndex answers GET /sitemap.xml.
func (d Deps) sitemapIndex(c *fiber.Ctx) error {
	return d.sendKeptText(c, contentXML, "sitemap", nil, touchedAny(sitemap.Indexes), d.Sitemap.Index)
}

// fileName is the name of a file of the sitemap.
var fileName = regexp.MustCompile(`^[1-9][0-9]{0,5}\.xml$`)

// sitemapFile answers GET /sitemap/N.xml.
func (d Deps) sitemapFile(c *fiber.Ctx) error {
	name := c.Params("file")
	if !fileName.MatchString(name) {
		return noPage()
	}
	number, err := strconv.Atoi(strings.TrimSuffix(name, ".xml"))
	if err != nil {
		return err
	}
	alters := touchedAny(sitemap.Indexes) // how many there are of each decides which file has what
	return d.sendKeptText(c, contentXML, "sitemap-file", []any{number}, alters, func(ctx context.Context) ([]byte, error) {
		return d.Sitemap.File(ctx, number)
	})
}

// touchedAny is touched for several indexes.
func touchedAny(indexes []string) alters {
	return func(batch *delta.Batch) bool { return slices.ContainsFunc(indexes, batch.Touches) }
}

// robots answers GET /robots.txt.
func (d Deps) robots(c *fiber.Ctx) error {
	return sendText(c, contentText, encoded.New(d.Sitemap.Robots()))
}
