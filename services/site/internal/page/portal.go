package page

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/text"
	"litfass/services/site/internal/view"
)

// portalPath begins the paths of portals; their slug follows.
const portalPath = "/p/"

// brandOf returns the brand that a request is answered under, and its path among the pages: of the
// portal that its host name or its path names, else of the site.
func (d Deps) brandOf(c *fiber.Ctx) (view.Brand, string) {
	brand, path := d.Brand, "/"+strings.Trim(c.Path(), "/")
	if rest, named := strings.CutPrefix(path, portalPath); named {
		slug, page, _ := strings.Cut(rest, "/")
		brand.Portal, brand.Main, brand.Prefix = slug, brand.Public, portalPath+url.PathEscape(slug)
		if host := d.Portals.Of(slug); host != "" { // its addresses are there
			brand.Public, brand.Prefix = web.AddressOf(host, d.Brand.Public), ""
		}
		return brand, "/" + page
	}
	if slug, host := d.Portals.Asked(c); slug != "" {
		brand.Portal, brand.Main, brand.Public = slug, brand.Public, web.AddressOf(host, d.Brand.Public)
	}
	return brand, path
}

// toHost sends readers of a portal below its path to the same page at the host name of its own, if
// it has one and they are not there. The styles of portals are answered where they are asked for,
// and so is what other websites show: a script of theirs cannot follow to another origin.
func (d Deps) toHost(c *fiber.Ctx) error {
	rest, _ := strings.CutPrefix(c.Path(), portalPath)
	slug, page, _ := strings.Cut(rest, "/")
	host := d.Portals.Of(slug)
	asked, _ := d.Portals.Asked(c)
	reads := c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead
	if !reads || host == "" || asked == slug || "/"+page == stylesPath || "/"+page == d.Framed.Path {
		return c.Next()
	}
	address := web.AddressOf(host, d.Brand.Public) + "/" + strings.TrimLeft(page, "/")
	if query := string(c.Request().URI().QueryString()); query != "" {
		address += "?" + query
	}
	return c.Redirect(address, fiber.StatusPermanentRedirect)
}

// inPortal returns the request with the name, the languages and the look of its portal; a request
// outside of portals stays as it is. The errors are the API's: NotFound for an unknown portal.
func inPortal(ctx context.Context, api *client.Reads, r *Request) (*Request, error) {
	if r.Brand.Portal == "" {
		return r, nil
	}
	portal, err := api.Portal(ctx, r.Brand.Portal)
	if err != nil {
		return nil, err
	}
	return r.as(portal), nil
}

// as returns the request with the name, the languages and the look of a portal.
func (r *Request) as(portal publicapi.Portal) *Request {
	other := *r
	other.Brand.Languages = portal.Languages
	if spoken := other.Brand.Spoken(); !slices.Contains(spoken, r.Text.Code) {
		other.Text = text.Of(spoken[0])
	}
	if spoken := other.Brand.Spoken(); !slices.Contains(spoken, string(r.Brand.Language)) {
		other.Brand.Language = language.Code(spoken[0])
	}
	other.Brand.Name = portal.Name
	if title := portal.Titles[other.Text.Code]; title != "" {
		other.Brand.Name = title
	}
	if version := stylesVersion(portal); version != "" {
		other.Brand.Styles = portalPath + url.PathEscape(portal.Slug) + stylesPath + "?v=" + version
	}
	return &other
}

// failedIn returns a request that failed as the page of the error shows it: as those of its portal,
// and where there is no such portal, as those of the site. Where the reason is that too much is
// asked, or that the API does not answer, the portal is as it was read last.
func (d Deps) failedIn(ctx context.Context, r *Request, f web.Failure) *Request {
	if r.Brand.Portal == "" {
		return r
	}
	portal, known := d.API.LastPortal(r.Brand.Portal)
	if f.Status < fiber.StatusInternalServerError && f.Status != fiber.StatusTooManyRequests {
		read, err := d.API.Reads(0).Portal(ctx, r.Brand.Portal)
		if fault.Is(err, fault.NotFound) {
			return r.out(d.Brand)
		}
		if err == nil {
			portal, known = read, true
		}
	}
	if !known {
		return r
	}
	return r.as(portal)
}

// out returns a request in a portal that does not exist, with links that lead to the site.
func (r *Request) out(site view.Brand) *Request {
	other := *r
	other.Brand = site
	other.Brand.Public, other.Brand.Prefix = "", site.Public // no path leads there from another host
	return &other
}

// stylesPath is the path of the styles of a portal, after its own.
const stylesPath = "/portal.css"

// stylesVersion differs between looks; it is "" for the look of the site.
func stylesVersion(p publicapi.Portal) string {
	return strings.NewReplacer("#", "").Replace(strings.Trim(string(p.Accent)+"-"+string(p.AccentDark), "-"))
}

// The colours of the site where a portal has none: --accent and --link of pkg/ui/css/tokens.css, on
// light and on dark ground.
const (
	lightAccent, darkAccent = "#b3261e", "#ff8a75"
	lightLink, darkLink     = "#7a1f18", "#ffb4a4"
)

// Styles returns the styles of a portal: its colours in place of those of the site.
func Styles(p publicapi.Portal) string {
	light, lightLinks, dark, darkLinks := lightAccent, lightLink, darkAccent, darkLink
	if p.Accent != "" {
		light, lightLinks = string(p.Accent), string(p.Accent)
	}
	if p.AccentDark != "" {
		dark, darkLinks = string(p.AccentDark), string(p.AccentDark)
	}
	return ":root { --accent: light-dark(" + light + ", " + dark + "); --link: light-dark(" + lightLinks + ", " + darkLinks + "); }\n"
}

// MountStyles adds the styles of portals. Their addresses have a version.
func (r Router) MountStyles() {
	r.inPortal.Get(stylesPath, web.Cacheable(web.Caching{MaxAge: time.Hour}), func(c *fiber.Ctx) error {
		portal, err := r.API.Reads(0).Portal(c.UserContext(), c.Params("portal"))
		if err != nil {
			return err
		}
		c.Response().Header.SetContentType("text/css; charset=utf-8")
		return c.SendString(Styles(portal))
	})
}
