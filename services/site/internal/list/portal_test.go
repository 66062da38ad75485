package list

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/embed"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/sitetest"
)

// portalSite is a site with a portal named kiel, on a host of its own.
func portalSite(t *testing.T) (ask func(host, path string) (int, http.Header, string), api *sitetest.ComputedAPI) {
	t.Helper()
	api = portalAPI()
	app := portalApp(t, api, nil)
	return func(host, path string) (int, http.Header, string) {
		return sitetest.Ask(t, app, http.MethodGet, "http://"+host+path, "")
	}, api
}

// portalAPI is the API with two portals.
func portalAPI() *sitetest.ComputedAPI {
	api := programOf(sitetest.Entry("Jazz", "2026-11-23"))
	kiel := publicapi.Portal{
		Slug: "kiel", Name: "Kiel", Titles: map[string]string{"de": "Kultur in Kiel"}, Languages: []string{"de", "da"},
		Accent: "#0b5d3b",
	}
	api.Answers["/api/portal/kiel"] = func(url.Values) any { return kiel }
	api.Answers["/api/portal/open"] = func(url.Values) any { return publicapi.Portal{Slug: "open", Name: "Open air"} }
	return api
}

// portalApp is a site above an API, where the portal kiel has a host of its own.
func portalApp(t *testing.T, api http.Handler, limits *limit.Limiter) *fiber.App {
	t.Helper()
	deps := sitetest.Deps(t, api, sitetest.Monday)
	deps.Portals, deps.Framed, deps.Limits = map[string]string{"kultur.example": "kiel"}, embed.Framed, limits
	return sitetest.App(deps, slog.DiscardHandler, Mount, embed.Mount, page.Router.MountStyles)
}

// TestAPortalUnderItsHost: its title, languages, colours and dates, at addresses of its host.
func TestAPortalUnderItsHost(t *testing.T) {
	ask, api := portalSite(t)
	status, head, html := ask("kultur.example", "/?city=Kiel")
	if status != http.StatusOK || head.Get("Content-Language") != "de" {
		t.Fatalf("%d %v", status, head)
	}
	sitetest.Wants(t, html, "Kultur in Kiel</span>", `<html lang="de">`, `rel="canonical" href="https://kultur.example/?city=Kiel"`,
		`href="/p/kiel/portal.css?v=0b5d3b"`, `hreflang="da"`, "portal=kiel", `action="/"`, `data-suggest-portal="kiel"`)
	sitetest.Lacks(t, html, `hreflang="en"`, "litfass.example/?", "/p/kiel/?", "/p/kiel/month")
	for _, path := range []string{"/api/events", "/api/events/facets"} {
		for _, query := range api.Queries(path) {
			if query.Get("portal") != "kiel" || query.Get("city") != "Kiel" {
				t.Errorf("%s was asked for %v", path, query)
			}
		}
	}
	_, _, html = ask("litfass.example", "/")
	sitetest.Wants(t, html, "Litfass</span>", `hreflang="en"`)
	sitetest.Lacks(t, html, "portal=kiel", "portal.css")
}

// TestAPortalBelowItsPath: all its pages are there; one with a host name redirects to that.
func TestAPortalBelowItsPath(t *testing.T) {
	ask, _ := portalSite(t)
	status, _, html := ask("litfass.example", "/p/open/?tags=x")
	if status != http.StatusOK {
		t.Fatal(status)
	}
	sitetest.Wants(t, html, "Open air</span>", `rel="canonical" href="https://litfass.example/p/open/?tags=x"`, `action="/p/open/"`,
		`href="/p/open/month`, `href="/p/open/event/`, `href="/console/signup"`, `hreflang="en"`)
	sitetest.Lacks(t, html, "portal.css", `href="/month`)
	for path, want := range map[string]string{
		"/p/kiel": "/", "/p/kiel/month?city=Kiel&tags=a%26b": "/month?city=Kiel&tags=a%26b", "/p/kiel//x": "/x",
	} {
		status, head, _ := ask("litfass.example", path)
		if got := head.Get("Location"); status != http.StatusPermanentRedirect || got != "https://kultur.example"+want {
			t.Errorf("%s: %d to %q", path, status, got)
		}
	}
}

// TestAPortalIsEmbedded where a widget asks for it, with links to the host of the portal.
func TestAPortalIsEmbedded(t *testing.T) {
	ask, api := portalSite(t)
	for _, path := range []string{"/p/kiel/embed", "/p/kiel/embed?format=fragment"} {
		status, head, html := ask("litfass.example", path)
		if status != http.StatusOK || head.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %d %v", path, status, head)
		}
		sitetest.Wants(t, html, "https://kultur.example/event/")
	}
	for _, query := range api.Queries("/api/events") {
		if query.Get("portal") != "kiel" {
			t.Errorf("asked for %v", query)
		}
	}
}

// TestStylesOfAPortal: its colours stand in place of those of the site.
func TestStylesOfAPortal(t *testing.T) {
	ask, _ := portalSite(t)
	status, head, css := ask("litfass.example", "/p/kiel/portal.css?v=0b5d3b")
	if status != http.StatusOK || !strings.HasPrefix(head.Get("Content-Type"), "text/css") ||
		css != ":root { --accent: light-dark(#0b5d3b, #ff8a75); --link: light-dark(#0b5d3b, #ffb4a4); }\n" {
		t.Errorf("%d %v %s", status, head, css)
	}
	if status, _, _ := ask("kultur.example", "/p/unknown/portal.css"); status != http.StatusNotFound {
		t.Errorf("the styles of an unknown portal: %d", status)
	}
}
