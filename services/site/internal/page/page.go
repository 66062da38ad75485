// Package page is the frame of all pages: routing, the request, the layout and its headers, the
// page cache and the page of an error. The packages of the pages build on it.
package page

import (
	"bytes"
	"context"
	"errors"
	"net/netip"
	"net/url"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/web"
	uitext "litfass/pkg/ui/text"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/pagecache"
	"litfass/services/site/internal/text"
	"litfass/services/site/internal/view"
)

// Deps holds the dependencies of the pages.
type Deps struct {
	API *client.Client
	// Previews reads the events of preview links; nil without the admin service.
	Previews *client.Previews
	Cache    *pagecache.Cache
	Brand    view.Brand
	// Framed is the page that other websites may show in a frame.
	Framed FramePage
	// Caching is how long others may cache pages that change with the catalogue.
	Caching web.Caching
	// Limits limit the requests of each visitor; nil for no limits.
	Limits         *limit.Limiter
	TrustedProxies []netip.Prefix
	// Portals are the portals that have host names of their own.
	Portals web.PortalHosts
	// Now is the clock, and Zone where "today" is.
	Now  func() time.Time
	Zone *time.Location
}

// FramePage is the page that other websites may show in a frame, with its own page of an error.
type FramePage struct {
	Path    string
	Failure func(r *Request, f web.Failure) view.Page
}

// Render reads the data of a page and returns the page. The errors are the API's.
type Render func(ctx context.Context, api *client.Reads, r *Request) (view.Page, error)

// Handler answers a request that is not answered from the page cache.
type Handler func(c *fiber.Ctx, r *Request) error

// Router adds pages by their paths.
type Router struct {
	Deps
	app      fiber.Router
	inPortal fiber.Router // the same pages, below /p/{slug}
}

// NewRouter returns the router of the site's pages.
func NewRouter(app *fiber.App, d Deps) Router {
	return Router{
		d, d.Limits.Router(app.Group("/"), "", d.visitor),
		d.Limits.Router(app.Group(portalPath+":portal", d.toHost), portalPath+":portal", d.visitor),
	}
}

// Page adds a page, which is cached.
func (r Router) Page(path string, render Render) {
	show := r.handle(func(c *fiber.Ctx, request *Request) error { return r.cached(c, request, render) })
	r.app.Get(path, web.Cacheable(r.Caching), show)
	r.inPortal.Get(path, web.Cacheable(r.Caching), show)
}

// File adds a file that does not depend on the catalogue.
func (r Router) File(path string, maxAge time.Duration, h fiber.Handler) {
	r.app.Get(path, web.Cacheable(web.Caching{MaxAge: maxAge}), h)
}

// Get adds a page that is not cached.
func (r Router) Get(path string, h Handler) {
	r.app.Get(path, r.handle(h))
	r.inPortal.Get(path, r.handle(h))
}

// Post adds the handler of a form, whose answers are not cached.
func (r Router) Post(path string, h Handler) {
	handle := r.handle(h)
	send := func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderCacheControl, "no-store")
		return handle(c)
	}
	r.app.Post(path, send)
	r.inPortal.Post(path, send)
}

func (d Deps) visitor(c *fiber.Ctx) limit.Client {
	return limit.Address(web.ClientAddress(c, d.TrustedProxies))
}

// handle reads the request for a handler.
func (d Deps) handle(h Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		r, err := d.request(c)
		if err != nil {
			return err
		}
		r.UUID = c.Params("uuid")
		return h(c, r)
	}
}

// positionError is an error of a page with the position up to which that is true.
type positionError struct {
	error
	position uint64
}

func (p positionError) Unwrap() error { return p.error }

// cached answers with a page, from the cache while it is valid.
func (d Deps) cached(c *fiber.Ctx, r *Request, render Render) error {
	key := r.Text.Code + " " + r.Today.Format(time.DateOnly) + " " + r.Brand.Public + " " + string(c.Request().URI().RequestURI())
	cached, err := d.Cache.Get(c.UserContext(), key, r.Position, func(ctx context.Context) (*pagecache.Page, error) {
		reads := d.API.Reads(r.Position).In(r.Brand.Portal).Speaking(r.Text.Code)
		r, err := inPortal(ctx, reads, r)
		var page view.Page
		if err == nil {
			page, err = render(ctx, reads, r)
		}
		if err != nil {
			return nil, positionError{err, reads.Position()}
		}
		html, err := d.html(ctx, r, page)
		if err != nil {
			return nil, err
		}
		return &pagecache.Page{
			Text: encoded.New(html), Status: fiber.StatusOK, Reads: reads.Sources(), Partial: page.Partial,
			NoIndex: page.NoIndex, Language: r.Text.Code,
		}, nil
	})
	var failed positionError
	if errors.As(err, &failed) {
		web.SetPosition(c, failed.position)
	}
	if err != nil {
		return err
	}
	if cached.Partial {
		c.Set(fiber.HeaderCacheControl, "no-store")
	} else {
		web.SetPosition(c, cached.Position)
	}
	if expires := cached.Expires(); !expires.IsZero() {
		web.Expire(c, expires, d.Now())
	}
	if cached.NoIndex {
		c.Set(robotsHeader, noIndex)
	}
	c.Status(cached.Status)
	d.head(c, r)
	c.Set(fiber.HeaderContentLanguage, cached.Language)
	return web.SendText(c, cached.Text)
}

// Send answers with a page that is not cached.
func (d Deps) Send(c *fiber.Ctx, r *Request, page view.Page) error {
	html, err := d.html(c.UserContext(), r, page)
	if err != nil {
		return err
	}
	d.head(c, r)
	return c.Send(html)
}

// request reads a request, also one that was refused before it was routed. The error is an Invalid
// fault.
func (d Deps) request(c *fiber.Ctx) (*Request, error) {
	position, err := web.WantedPosition(c)
	if err != nil {
		return nil, err
	}
	// A query that cannot be read in part is read as far as it can be, as browsers do.
	parameters, _ := url.ParseQuery(string(c.Request().URI().QueryString()))
	now := d.Now().In(d.Zone)
	brand, path := d.brandOf(c)
	return &Request{
		Path: path, Parameters: parameters, Text: d.textsOf(c, parameters.Get("lang")),
		Today: time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, d.Zone), Position: position,
		Brand: brand,
	}, nil
}

// textsOf returns the texts of the language that the address names, else of the best one for the
// browser, else of the site's.
func (d Deps) textsOf(c *fiber.Ctx, lang string) *text.Texts {
	return text.Of(uitext.Match(d.Brand.Language, c.Get(fiber.HeaderAcceptLanguage), lang))
}

// html renders a page within the layout of the site.
func (d Deps) html(ctx context.Context, r *Request, page view.Page) ([]byte, error) {
	page.Brand, page.Text = r.Brand, r.Text
	page.Path, page.Link, page.In, page.Private = r.Path, r.Link, r.In, r.private()
	page.Address = r.Brand.Public + r.address()
	var html bytes.Buffer
	component := view.Layout(page)
	if page.Bare {
		component = page.Content
	}
	err := component.Render(ctx, &html)
	return html.Bytes(), err
}

// The header that keeps an answer from search engines, also where it has no head for the element.
const (
	robotsHeader = "X-Robots-Tag"
	noIndex      = "noindex"
)

// The websites that may show a page in a frame.
const (
	frameNever    = "'none'"
	frameAnywhere = "*"
)

// head sets the headers of an HTML answer. Frames and scripts of any origin may show the framed
// page, and no other page.
func (d Deps) head(c *fiber.Ctx, r *Request) {
	c.Response().Header.SetContentType(fiber.MIMETextHTMLCharsetUTF8)
	c.Set(fiber.HeaderContentLanguage, r.Text.Code)
	frames := frameNever
	if r.Path == d.Framed.Path {
		frames = frameAnywhere
		c.Response().Header.Del(fiber.HeaderXFrameOptions)
		c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
		c.Set("Cross-Origin-Resource-Policy", "cross-origin") // else pages that isolate themselves cannot show it
	}
	c.Set(fiber.HeaderContentSecurityPolicy, d.Brand.Policy(frames))
	c.Set(fiber.HeaderReferrerPolicy, "strict-origin-when-cross-origin")
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Vary(fiber.HeaderAcceptLanguage)
	if r.private() {
		c.Set(fiber.HeaderCacheControl, "no-store")
		c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
		c.Set(robotsHeader, noIndex)
	}
}

// ShowFailure writes the page that explains an error, and how to go on.
func (d Deps) ShowFailure(c *fiber.Ctx, f web.Failure) error {
	r, err := d.request(c)
	if err != nil { // which is the failure
		r = &Request{Text: d.textsOf(c, ""), Path: "/"}
		r.Brand, _ = d.brandOf(c)
	}
	if r.Path == d.Framed.Path {
		return d.Send(c, r, d.Framed.Failure(r, f))
	}
	r = d.failedIn(c.UserContext(), r, f)
	return d.Send(c, r, view.Failure(r.Text, f, ways(r, f)))
}

// ways returns the links of the page of an error.
func ways(r *Request, f web.Failure) view.Ways {
	ways := view.Ways{Home: r.Link("/", nil), Without: map[string]string{}}
	if r.Parameters == nil { // the request could not be read
		return ways
	}
	ways.Again = r.Link(r.Path, r.Parameters)
	for _, detail := range f.Details {
		if r.Parameters.Has(detail.Field) {
			ways.Without[detail.Field] = r.LinkWithout(detail.Field)
		}
	}
	return ways
}
