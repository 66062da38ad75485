// Package page answers the pages of the site: it reads what a page shows from the public API, has
// it rendered, and keeps the result as long as it holds. There is one file for each page.
package page

import (
	"bytes"
	"context"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/web"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/kept"
	"litfass/services/site/internal/text"
	"litfass/services/site/internal/view"
)

// Deps is what the pages are made with.
type Deps struct {
	API *client.Client
	// Previews are the events of preview links; nil for none.
	Previews *client.Previews
	Pages    *kept.Pages
	Brand    view.Brand
	// Caching is how long others may keep pages that change with the catalogue.
	Caching web.Caching
	// Limits refuse visitors who ask for too much; nil refuses none.
	Limits         *limit.Limiter
	TrustedProxies []netip.Prefix
	// Now is the clock, and Zone where "today" is.
	Now  func() time.Time
	Zone *time.Location
}

// render reads what a page shows, and returns it with its head. The errors are the API's.
type render func(ctx context.Context, api *client.Reads, r *Request) (view.Page, error)

// Mount adds the pages to app.
func Mount(app *fiber.App, d Deps) {
	limited := d.Limits.Router(app.Group("/"), "", d.visitor)
	page := func(path string, render render) { limited.Get(path, web.Cacheable(d.Caching), d.page(render)) }
	d.mountLand(limited)
	d.mountPages(page)
	d.mountPreviews(limited)
	limited.Post("/event/:uuid/report", d.takeReport)
}

func (d Deps) visitor(c *fiber.Ctx) limit.Client {
	return limit.Address(web.ClientAddress(c, d.TrustedProxies))
}

// page answers with a page: the kept one as long as it holds.
func (d Deps) page(render render) fiber.Handler {
	return func(c *fiber.Ctx) error {
		r, err := d.routed(c)
		if err != nil {
			return err
		}
		key := r.Text.Code + " " + r.Today.Format(time.DateOnly) + " " + string(c.Request().URI().RequestURI())
		found, err := d.Pages.Get(c.UserContext(), key, r.Position, func(ctx context.Context) (*kept.Page, error) {
			return d.make(ctx, r, render)
		})
		if err != nil {
			return err
		}
		if found.Partial {
			c.Set(fiber.HeaderCacheControl, "no-store")
		} else {
			web.SetPosition(c, found.Position)
		}
		c.Status(found.Status)
		d.head(c, r)
		return web.SendText(c, found.Text)
	}
}

// request reads what is asked for, also by a request that was refused before it had a route. The
// error is an Invalid fault.
func (d Deps) request(c *fiber.Ctx) (*Request, error) {
	position, err := web.WantedPosition(c)
	if err != nil {
		return nil, err
	}
	// A query that cannot be read in part is read as far as it can be, as browsers do.
	parameters, _ := url.ParseQuery(string(c.Request().URI().QueryString()))
	now := d.Now().In(d.Zone)
	path := "/" + strings.Trim(c.Path(), "/")
	return &Request{
		Path: path, Parameters: parameters, Text: text.Of(languageOf(c, parameters)),
		Today: time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, d.Zone), Now: now, Position: position,
	}, nil
}

// routed is request for one that has reached its page.
func (d Deps) routed(c *fiber.Ctx) (*Request, error) {
	r, err := d.request(c)
	if err == nil {
		r.UUID = c.Params("uuid")
	}
	return r, err
}

// make renders a page.
func (d Deps) make(ctx context.Context, r *Request, render render) (*kept.Page, error) {
	reads := d.API.Reads(r.Position)
	page, err := render(ctx, reads, r)
	if err != nil {
		return nil, err
	}
	html, err := d.html(ctx, r, page)
	if err != nil {
		return nil, err
	}
	return &kept.Page{Text: encoded.New(html), Status: fiber.StatusOK, Reads: reads.Made(), Partial: page.Partial}, nil
}

// html renders a page within the layout of the site.
func (d Deps) html(ctx context.Context, r *Request, page view.Page) ([]byte, error) {
	page.Brand, page.Text = d.Brand, r.Text
	page.Path, page.Link, page.In, page.Private = r.Path, r.Link, r.In, r.private()
	page.Address = d.Brand.Public + r.Link(r.Path, r.Parameters)
	var html bytes.Buffer
	component := view.Layout(page)
	if page.Bare {
		component = page.Content
	}
	err := component.Render(ctx, &html)
	return html.Bytes(), err
}

// frameNever and frameAnywhere say who may show a page in a frame.
const (
	frameNever    = "'none'"
	frameAnywhere = "*"
)

// head sets the headers of an HTML answer. The page for other websites is for frames and scripts of
// any origin, every other page for none.
func (d Deps) head(c *fiber.Ctx, r *Request) {
	c.Response().Header.SetContentType(fiber.MIMETextHTMLCharsetUTF8)
	c.Set(fiber.HeaderContentLanguage, r.Text.Code)
	frames := frameNever
	if r.Path == embedPath {
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
		hide(c)
	}
}

// ShowFailure writes the page that explains an error, and how to go on.
func (d Deps) ShowFailure(c *fiber.Ctx, f web.Failure) error {
	r, err := d.request(c)
	if err != nil { // that is the error
		r = &Request{Text: text.Of(languageOf(c, nil)), Path: "/"}
	}
	page := view.Failure(r.Text, f, ways(r, f))
	if r.Path == embedPath {
		page = view.Page{Bare: true, Content: view.EmbedFailure(r.Text, f, r.fragment())}
	}
	html, err := d.html(c.UserContext(), r, page)
	if err != nil {
		return err
	}
	d.head(c, r)
	return c.Send(html)
}

// ways returns the addresses that lead on from an error.
func ways(r *Request, f web.Failure) view.Ways {
	ways := view.Ways{Home: r.Link("/", nil), Without: map[string]string{}}
	if r.Parameters == nil { // the request could not be read
		return ways
	}
	ways.Again = r.Link(r.Path, r.Parameters)
	for _, detail := range f.Details {
		if r.Parameters.Has(detail.Field) {
			ways.Without[detail.Field] = r.without(detail.Field)
		}
	}
	return ways
}
