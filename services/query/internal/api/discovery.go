package api

import (
	"context"
	"net/url"
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

// askedPages returns the sitemap of the host that is asked, without pages yet, and the slug of the
// portal that has this host; "" for the site, whose sitemap is whole. The error is a NotFound fault
// if there is no such portal.
func (d Deps) askedPages(c *fiber.Ctx) (pages *sitemap.Reader, portal string, err error) {
	slug, host := d.PortalHosts.Asked(c)
	if slug == "" {
		return d.Sitemap, "", nil
	}
	found, err := d.Portals.Find(c.UserContext(), slug)
	if err != nil {
		return nil, "", err
	}
	if found == nil {
		return nil, "", noPage()
	}
	return d.Sitemap.At(web.AddressOf(host, d.Site.URL), found.View.Languages), slug, nil
}

// pagesOf returns the sitemap of a portal with the pages of what its dates have.
func (d Deps) pagesOf(ctx context.Context, pages *sitemap.Reader, portal string) (*sitemap.Reader, error) {
	dates, err := d.Search.DatesIn(ctx, portal)
	if err != nil {
		return nil, err
	}
	names, err := d.Lists.Called(ctx, "", "", nil)
	if err != nil {
		return nil, err
	}
	organizations, err := d.Search.ValuesIn(ctx, portal, "org_uuids", names)
	if err != nil {
		return nil, err
	}
	venues, err := d.Search.ValuesIn(ctx, portal, "venue_uuids", names)
	if err != nil {
		return nil, err
	}
	contributors, err := d.Search.ValuesIn(ctx, portal, "contributor", names)
	if err != nil {
		return nil, err
	}
	return pages.Of(dates, organizations, venues, contributors), nil
}

// sendPages answers with a file of the sitemap of the host that is asked. That of a portal is not
// cached: what its dates have also depends on the portal, and on the places that its filter names.
func (d Deps) sendPages(c *fiber.Ctx, s source, load func(ctx context.Context, pages *sitemap.Reader) ([]byte, error)) error {
	pages, portal, err := d.askedPages(c)
	if err != nil {
		return err
	}
	if portal == "" {
		return d.sendText(c, contentXML, s, func(ctx context.Context) ([]byte, error) { return load(ctx, pages) })
	}
	if pages, err = d.pagesOf(c.UserContext(), pages, portal); err != nil {
		return err
	}
	file, err := load(c.UserContext(), pages)
	if err != nil {
		return err
	}
	return sendText(c, contentXML, encoded.New(file))
}

// sitemapIndex answers GET /sitemap.xml.
func (d Deps) sitemapIndex(c *fiber.Ctx) error {
	return d.sendPages(c, source{"sitemap", nil, cache.AllRecords(sitemap.Indexes...)},
		func(ctx context.Context, pages *sitemap.Reader) ([]byte, error) { return pages.Index(ctx) })
}

// minLanding is the number of events from which the site lets search engines index a list.
const minLanding = 3

// coming is the query of the events that the list of the site begins with.
const coming = "start=today&ongoing=true&not_over=true&group=event&by=city"

// sitemapLists answers GET /sitemap/lists.xml. Its counts are cached, and so is no answer: it lists
// what can be found now.
func (d Deps) sitemapLists(c *fiber.Ctx) error {
	pages, portal, err := d.askedPages(c)
	if err != nil {
		return err
	}
	q, err := params.Facets.FromURL(coming+"&portal="+url.QueryEscape(portal), d.today())
	if err == nil {
		q, err = d.withEnds(c, q)
	}
	if err != nil {
		return err
	}
	names, err := d.Lists.Called(c.UserContext(), q.Lang, q.TextLang, nil)
	if err != nil {
		return err
	}
	landings, err := d.Search.Landings(c.UserContext(), q, minLanding, sitemap.MaxLists, names)
	if err != nil {
		return err
	}
	lists, err := d.comingLists(c, portal)
	if err != nil {
		return err
	}
	if len(lists) > 0 {
		lists = append([]sitemap.List{sitemap.AllLists}, lists...)
	}
	programmes, err := d.pagesOfSeries(c, portal)
	if err != nil {
		return err
	}
	lists = append(lists, programmes...)
	for _, l := range landings {
		lists = append(lists, sitemap.List{City: l.City, Type: l.Type})
	}
	lists = lists[:min(len(lists), sitemap.MaxLists)]
	return sendText(c, contentXML, encoded.New(pages.Lists(lists)))
}

// maxAskedLists is the number of lists whose dates are looked for, each with a question of its own.
const maxAskedLists = 500

// comingLists returns the lists of editors with an event of a portal, "" for the site, that is not
// over.
func (d Deps) comingLists(c *fiber.Ctx, portal string) (lists []sitemap.List, err error) {
	known, err := d.Curated.Current(c.UserContext())
	if err != nil {
		return nil, err
	}
	asked := 0
	for _, list := range known.After("", nil) {
		if asked++; asked > maxAskedLists {
			break
		}
		picks, err := d.comingPicks(c, list.Slug, portal)
		if err != nil {
			return nil, err
		}
		if len(picks) > 0 {
			lists = append(lists, sitemap.List{Slug: list.Slug})
		}
	}
	return lists, nil
}

// pagesOfSeries returns the series of the site; a portal lists none.
func (d Deps) pagesOfSeries(c *fiber.Ctx, portal string) (lists []sitemap.List, err error) {
	if portal != "" {
		return nil, nil
	}
	known, err := d.Series.Current(c.UserContext())
	if err != nil {
		return nil, err
	}
	for _, one := range known.After("", nil) {
		if len(lists) == sitemap.MaxLists {
			break
		}
		lists = append(lists, sitemap.List{Series: one.Slug})
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
	return d.sendPages(c, from, func(ctx context.Context, pages *sitemap.Reader) ([]byte, error) {
		return pages.File(ctx, number)
	})
}

// robots answers GET /robots.txt.
func (d Deps) robots(c *fiber.Ctx) error {
	pages, _, err := d.askedPages(c)
	if err != nil {
		return err
	}
	return sendText(c, contentText, encoded.New(pages.Robots()))
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
