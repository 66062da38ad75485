package page

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

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
		if host := d.hostOf(slug); host != "" { // its addresses are there
			brand.Public, brand.Prefix = d.at(host), ""
		}
		return brand, "/" + page
	}
	if host := d.askedHost(c); d.Portals[host] != "" {
		brand.Portal, brand.Main, brand.Public = d.Portals[host], brand.Public, d.at(host)
	}
	return brand, path
}

// askedHost returns the host name of a request as the portals have it: with its port only if a
// portal has that.
func (d Deps) askedHost(c *fiber.Ctx) string {
	host := strings.ToLower(string(c.Request().Host()))
	if _, named := d.Portals[host]; !named {
		host, _, _ = strings.Cut(host, ":")
	}
	return host
}

// toHost sends readers of a portal below its path to the same page at the host name of its own, if
// it has one and they are not there. The styles of portals are answered where they are asked for,
// and so is what other websites show: a script of theirs cannot follow to another origin.
func (d Deps) toHost(c *fiber.Ctx) error {
	rest, _ := strings.CutPrefix(c.Path(), portalPath)
	slug, page, _ := strings.Cut(rest, "/")
	host := d.hostOf(slug)
	reads := c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead
	if !reads || host == "" || d.Portals[d.askedHost(c)] == slug || "/"+page == stylesPath || "/"+page == d.Framed.Path {
		return c.Next()
	}
	address := d.at(host) + "/" + strings.TrimLeft(page, "/")
	if query := string(c.Request().URI().QueryString()); query != "" {
		address += "?" + query
	}
	return c.Redirect(address, fiber.StatusPermanentRedirect)
}

// hostOf returns the first host name of a portal in alphabetical order, "" if it has none.
func (d Deps) hostOf(slug string) (host string) {
	for name, of := range d.Portals {
		if of == slug && (host == "" || name < host) {
			host = name
		}
	}
	return host
}

// at returns the address of a host, with the scheme of the site.
func (d Deps) at(host string) string {
	scheme, _, _ := strings.Cut(d.Brand.Public, "://")
	return scheme + "://" + host
}

// inPortal returns the request with the name, the languages and the look of its portal; a request
// outside of portals stays as it is. The errors are the API's: NotFound for an unknown portal.
func inPortal(ctx context.Context, api *client.Reads, r *Request) (*Request, error) {
	if r.Brand.Portal == "" {
		return r, nil
	}
	var portal publicapi.Portal
	if err := api.Data(ctx, "/api/portal/"+url.PathEscape(r.Brand.Portal), nil, &portal); err != nil {
		return nil, err
	}
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
	return &other, nil
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
		var portal publicapi.Portal
		err := r.API.Reads(0).Data(c.UserContext(), "/api/portal/"+url.PathEscape(c.Params("portal")), nil, &portal)
		if err != nil {
			return err
		}
		c.Response().Header.SetContentType("text/css; charset=utf-8")
		return c.SendString(Styles(portal))
	})
}
