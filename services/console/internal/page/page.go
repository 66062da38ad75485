// Package page is the base of all handlers: routing, session, forms, calls to the services and the
// page layout.
package page

import (
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/language"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/session"
	"litfass/services/console/internal/view"
)

// Root is the path of the console, and of its start page.
const Root = "/console"

// Deps are the dependencies of the pages.
type Deps struct {
	Admin     *client.Client
	Query     *client.Client // the public API
	Lookup    *lookup.Cache
	Cookies   session.Cookies
	Refresher *session.Refresher
	Brand     view.Brand
	Log       *slog.Logger
	// Limits refuse addresses that ask for too much; nil refuses none.
	Limits         *limit.Limiter
	TrustedProxies []netip.Prefix
	// Language is that of pages for people who have chosen none, and whose browser names none.
	Language language.Code
	// Now is the clock, and Zone where "today" is.
	Now  func() time.Time
	Zone *time.Location
}

// Handler answers a request.
type Handler func(r *Request) error

// With returns a handler that reads something of a request, and answers with it.
func With[T any](read func(*Request) (T, error), answer func(T) error) Handler {
	return func(r *Request) error {
		of, err := read(r)
		if err != nil {
			return err
		}
		return answer(of)
	}
}

// Router adds pages by their paths below Root.
type Router struct {
	deps Deps
	app  fiber.Router
}

// NewRouter returns the router of the console's pages.
func NewRouter(app *fiber.App, d Deps) Router {
	group := app.Group(Root, refuseForeign)
	return Router{d, d.Limits.Router(group, Root, d.visitor)}
}

// Get adds a page for people who are logged in.
func (r Router) Get(path string, h Handler) { r.app.Get(path, r.deps.handle(loggedIn(h))) }

// Post adds the handler of a form for people who are logged in.
func (r Router) Post(path string, h Handler) { r.app.Post(path, r.deps.handle(loggedIn(h))) }

// OpenGet adds a page for everyone.
func (r Router) OpenGet(path string, h Handler) { r.app.Get(path, r.deps.handle(open(h))) }

// OpenPost adds the handler of a form for everyone.
func (r Router) OpenPost(path string, h Handler) { r.app.Post(path, r.deps.handle(h)) }

func (d Deps) visitor(c *fiber.Ctx) limit.Client {
	return limit.Address(web.ClientAddress(c, d.TrustedProxies))
}

// handle answers with a handler, and shows its failures.
func (d Deps) handle(h Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		r := d.request(c)
		d.head(c, r)
		if err := r.chooseLanguage(); err != nil {
			return err
		}
		if c.Method() == fiber.MethodPost {
			form, err := readForm(c)
			if err != nil {
				return r.inWords(err)
			}
			r.Form = form
		}
		if r.otherPerson() {
			return r.askPerson()
		}
		err := h(r)
		if fault.Is(err, fault.Unauthenticated) {
			return r.logIn()
		}
		return err
	}
}

// loggedIn refuses a request without a login.
func loggedIn(h Handler) Handler {
	return func(r *Request) error {
		if r.User == nil {
			return fault.New(fault.Unauthenticated, "", "log in first")
		}
		return h(r)
	}
}

// open answers a person whose login has ended as one without a login: the links of mails lead to
// their pages in every browser.
func open(h Handler) Handler {
	return func(r *Request) error {
		err := h(r)
		if !fault.Is(err, fault.Unauthenticated) || r.User == nil {
			return err
		}
		r.LogOut()
		return h(r)
	}
}

// head sets the headers of an answer: no cache stores a personal page.
func (d Deps) head(c *fiber.Ctx, r *Request) {
	c.Response().Header.SetContentType(fiber.MIMETextHTMLCharsetUTF8)
	c.Set(fiber.HeaderContentLanguage, r.Text.Code)
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set(fiber.HeaderContentSecurityPolicy, d.Brand.Policy())
	c.Set(fiber.HeaderXFrameOptions, "DENY")
	c.Set(fiber.HeaderReferrerPolicy, "same-origin")
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	c.Set("X-Robots-Tag", "noindex")
}

// ShowFailure writes the page that explains an error, or for a script the words of it.
func (d Deps) ShowFailure(c *fiber.Ctx, f web.Failure) error {
	if !strings.HasPrefix(c.Path(), Root) {
		return errors.New("not a page of the console")
	}
	r := d.request(c)
	d.head(c, r)
	if r.Script {
		r.toAlert()
		return r.ShowPart(view.Alert(r.Text, f))
	}
	failure := view.Failure(r.Text, f, withQuery(r.pageAddress()))
	err := r.Show(failure)
	if fault.Is(err, fault.Unauthenticated) {
		r.LogOut()
		err = r.Show(failure)
	}
	return err
}
