package site

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/pkg/chassis/lane"
)

// sitePages are the paths of all pages of the site, by their content.
func sitePages() map[string]string {
	return map[string]string{
		"list": "/", "list, empty": "/?search=serenade&city=Flensburg&price=free", "month": "/month?month=" + harness.Day(12)[:len("2006-01")],
		"map": "/map", "favourites": "/favourites?event_uuids=" + serenade + "," + hostileEvent, "print": "/print?search=serenade",
		"about": "/about", "event": "/event/" + serenade, "report": "/event/" + serenade + "/report", "venue": "/venue/" + husum,
		"organization": "/organization/" + plainOrg, "region": "/region/" + region, "regions": "/regions", "builder": "/embed/builder",
		"embed": "/embed", "developers": "/developers", "curated list": "/list/auswahl", "curated lists": "/lists",
		"series": "/series/fest", "contributor": "/contributor/" + trio,
	}
}

// siteStates are further paths of these pages, by their content.
func siteStates() map[string]string {
	return map[string]string{
		"list in German": "/?lang=de", "developers in German": "/developers?lang=de", "list, filtered": "/?city=Husum&event_types=1&languages=de&sort=start&search=serenade",
		"list, page 2": "/?offset=24", "map, in a box": "/map?bbox=8.5,54.2,9.6,55", "favourites, none": "/favourites", "print, all": "/print",
		"event, cancelled date": "/event/" + serenade + "?date=" + serenadeDates[1], "event, online": "/event/" + reading,
		"event, long run": "/event/" + exhibition, "event, right to left": "/event/" + rightToLeft,
		"embed, week": "/embed?view=week&on=" + harness.Day(3), "embed, month": "/embed?view=month&on=" + harness.Day(3),
		"hostile list": "/list/hostile", "hostile series": "/series/hostile-fest", "hostile contributor": "/contributor/" + hostileTrio, "list of a contributor": "/?contributor=" + trio + "," + hostileTrio, "list of a series": "/?series_uuids=" + siteID(40), "list of a list": "/?list=auswahl", "embed of a list": "/embed?list=auswahl",
		"hostile event": "/event/" + hostileEvent, "hostile venue": "/venue/" + hostileVenue, "hostile organization": "/organization/" + hostileOrg,
		"hostile report": "/event/" + hostileEvent + "/report", "hostile month": "/month?month=" + harness.Day(3)[:len("2006-01")] + "&org_uuids=" + hostileOrg,
		"hostile map": "/map?org_uuids=" + hostileOrg, "hostile print": "/print?org_uuids=" + hostileOrg,
		"hostile search":  "/?" + url.Values{"search": {harness.Payloads[:40]}, "city": {harness.Payloads[:90]}, "tags": {harness.Payloads[:90]}}.Encode(),
		"hostile builder": "/embed/builder?" + url.Values{"search": {harness.Payloads[:40]}, "heading": {harness.Payloads}}.Encode(),
		"hostile embed":   "/embed?" + url.Values{"heading": {harness.Payloads}, "org_uuids": {hostileOrg}}.Encode(),
	}
}

// siteFailures are paths of pages that explain an error, with its status.
func siteFailures() map[string]int {
	return map[string]int{
		"/nowhere": http.StatusNotFound, "/event/" + siteID(9999): http.StatusNotFound, "/venue/" + siteID(9999): http.StatusNotFound,
		"/organization/x": http.StatusNotFound, "/region/x,y,z": http.StatusNotFound,
		"/?" + url.Values{harness.Payloads[:60]: {harness.Payloads}, "start": {harness.Payloads}}.Encode(): http.StatusBadRequest, "/month?month=x": http.StatusBadRequest,
		"/map?bbox=x": http.StatusBadRequest, "/embed?view=x": http.StatusBadRequest,
	}
}

// testEveryPage checks every page with axe: light and dark, narrow and wide, and further states
// briefly. The lane of the merge looks briefly at all but two. No page runs scripts from a hostile
// text, or shifts its layout.
func (s *siteTest) testEveryPage(t *testing.T) {
	pages := slices.Sorted(maps.Values(sitePages()))
	states := slices.Concat(slices.Sorted(maps.Values(siteStates())), slices.Sorted(maps.Keys(siteFailures())))
	inEveryLook := []string{"/", "/nowhere"}
	if lane.Long() {
		inEveryLook = append(inEveryLook, pages...)
	} else {
		states = append(states, pages...)
	}
	s.look(t, inEveryLook, false)
	s.look(t, states, true)
}

// look looks at pages in turn in one browser.
func (s *siteTest) look(t *testing.T, paths []string, brief bool) {
	t.Helper()
	for page, shift := range s.walk(t, "look", true, map[string]any{"paths": paths, "brief": brief}).Shifts {
		if shift > maxShift {
			t.Errorf("%s has moved by %g", page, shift)
		}
	}
}

// testHeaders: every page limits what it may load and which sites may frame it, and sets no cookie.
func (s *siteTest) testHeaders(t *testing.T) {
	for _, pages := range []map[string]string{sitePages(), siteStates()} {
		for name, path := range pages {
			s.wantHeaders(t, name, path, http.StatusOK)
		}
	}
	for path, status := range siteFailures() {
		s.wantHeaders(t, path, path, status)
	}
}

func (s *siteTest) wantHeaders(t *testing.T, name, path string, status int) {
	t.Helper()
	answer, err := s.Client.Do(t.Context(), http.MethodGet, path, http.Header{"Accept": {"text/html"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Status != status || answer.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("%s: %d %s %.300s", name, answer.Status, answer.Header.Get("Content-Type"), answer.Body)
	}
	policy := directives(answer)
	frames, scripts := "'none'", "'self'"
	if strings.HasPrefix(path, "/embed?") || path == "/embed" {
		frames = "*"
	}
	if policy["frame-ancestors"] != frames || policy["script-src"] != scripts || policy["default-src"] != "'none'" {
		t.Errorf("%s: the policy is %v", name, policy)
	}
	if answer.Header.Get("X-Content-Type-Options") != "nosniff" || answer.Header.Get("Referrer-Policy") == "" || len(answer.Header["Set-Cookie"]) > 0 {
		t.Errorf("%s: %v", name, answer.Header)
	}
}

// directives returns the Content-Security-Policy of an answer by its directives.
func directives(a client.Answer) map[string]string {
	policy := map[string]string{}
	for directive := range strings.SplitSeq(a.Header.Get("Content-Security-Policy"), ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), " ")
		policy[name] = value
	}
	return policy
}
