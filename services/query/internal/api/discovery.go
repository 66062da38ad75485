package api

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/web"
	"litfass/services/query/internal/api/openapi"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/llm"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/sitemap"
)

// mountDiscovery adds the operations by which other programs find pages: sitemaps, robots.txt,
// llms.txt and oEmbed.
func (d Deps) mountDiscovery(app fiber.Router) {
	caching := web.Cacheable(d.Caching)
	app.Get("/sitemap.xml", caching, d.sitemapIndex)
	app.Get("/sitemap/lists.xml", caching, d.sitemapLists)
	app.Get("/sitemap/:file", caching, d.sitemapFile)
	app.Get("/robots.txt", caching, d.robots)
	app.Get("/llms.txt", caching, d.guide(llm.NewGuide(openapi.JSON(), d.aboutSite())))
	app.Get("/oembed", caching, d.oembed)
}

const (
	contentXML  = "application/xml; charset=utf-8"
	contentText = "text/plain; charset=utf-8"
)

// sitemapIndex answers GET /sitemap.xml.
func (d Deps) sitemapIndex(c *fiber.Ctx) error {
	return d.sendText(c, contentXML, source{"sitemap", nil, cache.AllRecords(sitemap.Indexes...)}, d.Sitemap.Index)
}

// minLanding is the number of events from which the site lets search engines index a list.
const minLanding = 3

// coming is the query of the events that the list of the site begins with.
const coming = "start=today&ongoing=true&not_over=true&group=event&by=city"

// sitemapLists answers GET /sitemap/lists.xml. Its counts are cached, and so is no answer: it lists
// what can be found now.
func (d Deps) sitemapLists(c *fiber.Ctx) error {
	q, err := params.Facets.FromURL(coming, d.today())
	if err == nil {
		q, err = d.withEnds(c, q)
	}
	if err != nil {
		return err
	}
	names, err := d.Lists.Called(c.UserContext(), q.Lang, nil)
	if err != nil {
		return err
	}
	landings, err := d.Search.Landings(c.UserContext(), q, minLanding, sitemap.MaxLists, names)
	if err != nil {
		return err
	}
	lists, err := d.comingLists(c)
	if err != nil {
		return err
	}
	for _, l := range landings {
		lists = append(lists, sitemap.List{City: l.City, Type: l.Type})
	}
	lists = lists[:min(len(lists), sitemap.MaxLists)]
	return sendText(c, contentXML, encoded.New(d.Sitemap.Lists(lists)))
}

// comingLists returns the lists of editors with an event that is not over.
func (d Deps) comingLists(c *fiber.Ctx) (lists []sitemap.List, err error) {
	known, err := d.Curated.Current(c.UserContext())
	if err != nil {
		return nil, err
	}
	for _, list := range known.All() {
		picks, err := d.comingPicks(c, list.View.Slug)
		if err != nil {
			return nil, err
		}
		if len(picks) > 0 {
			lists = append(lists, sitemap.List{Slug: list.View.Slug})
		}
	}
	return lists, nil
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
	from := source{"sitemap-file", []any{number}, cache.AllRecords(sitemap.Indexes...)} // the numbers of records decide which are in a file
	return d.sendText(c, contentXML, from, func(ctx context.Context) ([]byte, error) {
		return d.Sitemap.File(ctx, number)
	})
}

// robots answers GET /robots.txt.
func (d Deps) robots(c *fiber.Ctx) error {
	return sendText(c, contentText, encoded.New(d.Sitemap.Robots()))
}

// guide returns a handler that answers GET /llms.txt.
func (d Deps) guide(of llm.Guide) fiber.Handler {
	return func(c *fiber.Ctx) error {
		var names []string
		if last, _, err := d.Dumps.Latest(); err == nil { // else there is none, or none yet
			for _, file := range last.Files {
				names = append(names, file.Name)
			}
		}
		return sendText(c, contentText, encoded.New(of.Text(names)))
	}
}
