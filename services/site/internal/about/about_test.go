package about

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/sitetest"
)

func TestAbout(t *testing.T) {
	app, _ := sitetest.New(t, nil, Mount)
	sitetest.Wants(t, sitetest.Page(t, app, "/about"), "About Litfass", "https://litfass.example/imprint", "webcal://litfass.example/api/events.ics")
}

// TestListsAreLinked where there are some.
func TestListsAreLinked(t *testing.T) {
	lists := publicapi.PageOfLists{Data: []publicapi.ShortList{{List: publicapi.List{Slug: "tipps"}}}}
	api := &sitetest.ComputedAPI{Answers: map[string]func(url.Values) any{"/api/lists": func(url.Values) any { return lists }}}
	if _, html := sitetest.Site(t, sitetest.Autumn, api, Mount)("/about?lang=de"); !strings.Contains(html, `href="/lists?lang=de"`) {
		t.Errorf("they are not: %s", html)
	}
	lists.Data = nil
	if _, html := sitetest.Site(t, sitetest.Autumn, api, Mount)("/about?lang=de"); strings.Contains(html, "/lists") {
		t.Errorf("without a list: %s", html)
	}
}

// TestOrganizersAreLedIn: the header, the footer and this page lead to where organizers begin, in
// the language that the visitor chose, unless the operator hides it or names another website.
func TestOrganizersAreLedIn(t *testing.T) {
	for publish, want := range map[string]string{
		"/console/signup": `href="/console/signup?lang=da"`, "https://join.example/": `href="https://join.example/"`, "": "",
	} {
		deps := sitetest.Deps(t, http.NotFoundHandler(), sitetest.Monday)
		deps.Brand.Publish = publish
		html := sitetest.Page(t, sitetest.App(deps, slog.DiscardHandler, Mount), "/about?lang=da")
		if got := strings.Count(html, "Opret arrangement"); (got == 3) != (want != "") || (got == 0) != (want == "") {
			t.Errorf("%q: the page leads organizers in %d times", publish, got)
		}
		if got := strings.Count(html, want); want != "" && got != 3 {
			t.Errorf("%q: %s stands %d times", publish, want, got)
		}
	}
}
