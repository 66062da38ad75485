package page

import (
	"maps"
	"net/url"
	"path"
	"slices"

	"github.com/gofiber/fiber/v2"
)

// pageAddress returns the path and the query of the page that the person is on, for links to it. A
// form is answered at a path that often takes no GET, so its page is the one that it was sent from;
// if that is not known, the nearest one above its path. The query has no notice: that was of an
// earlier answer.
func (r *Request) pageAddress() (string, url.Values) {
	address, query := r.Path, maps.Clone(r.Query)
	if r.c.Method() == fiber.MethodPost {
		address, query = r.sentFrom()
	}
	delete(query, "notice")
	return address, query
}

// sentFrom returns the address of the page that a form was sent from.
func (r *Request) sentFrom() (string, url.Values) {
	from, err := url.Parse(r.c.Get(fiber.HeaderReferer))
	if err == nil && from.Host == string(r.c.Request().Host()) {
		// A page that shows a refused form again has the path of the form.
		if page, err := url.Parse(Next(from.RequestURI())); err == nil && r.isPage(page.Path) {
			return page.Path, page.Query()
		}
	}
	for above := r.Path; above != Root && above != "/"; above = path.Dir(above) {
		if r.isPage(above) {
			return above, url.Values{}
		}
	}
	return Root + "/", url.Values{}
}

// isPage reports whether a path answers GET.
func (r *Request) isPage(path string) bool {
	return slices.ContainsFunc(r.c.App().GetRoutes(true), func(route fiber.Route) bool {
		return route.Method == fiber.MethodGet && fiber.RoutePatternMatch(path, route.Path)
	})
}

// withQuery writes an address of the console.
func withQuery(path string, query url.Values) string {
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}
