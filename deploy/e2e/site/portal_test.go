package site

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litfass/deploy/e2e/browser"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
)

// portalHost is a host name that browsers resolve to this machine (RFC 6761).
const portalHost = "husum.localhost"

// TestPortal makes a portal as an operator does, and follows it through the API, feeds, pages and
// a browser at a host name of its own, from its first edit until it is deleted.
func TestPortal(t *testing.T) {
	t.Parallel()
	s := &siteTest{
		System:  harness.Ready(t, harness.Run(t, stack.Options{Env: []string{"PORTAL_HOSTS=" + portalHost + "=husum"}})),
		browser: browser.Start(t),
	}
	organizer := s.SignUp(t, "portal@example.org")
	org := organizer.Write(t, http.MethodPut, "/organization", `{"name": "Kirchspiel"}`)["uuid"]
	husum, _ := s.eventIn(t, organizer, fmt.Sprint(org), "Husum")
	tating, position := s.eventIn(t, organizer, fmt.Sprint(org), "Tating")
	if status, _ := s.ask(t, "", "/api/events?portal=husum", position); status != http.StatusBadRequest {
		t.Errorf("a portal that does not exist: %d", status)
	}

	portal := fmt.Sprintf(`{"org_uuid": %q, "slug": "husum", "name": "Husum",
		"titles": [{"language": "de", "title": "Kultur in Husum"}], "languages": ["de", "da"], "look": {"accent": "#0b5d3b"},
		"filter": {"city": "Husum"}}`, org)
	s.Account(t, "operator@example.org", harness.EditorPassword, "--admin") // only operators give a slug with a host name
	created, position := s.LogInAs(t, "operator@example.org").Change(t, http.MethodPut, "/portal", portal)
	path := "/portal/" + fmt.Sprint(created["uuid"])
	s.wantInPortal(t, position, husum, tating)
	s.wantOfPortal(t, position, husum, tating)
	s.browser.Run(t, browser.Journey{
		Name: "portal", Base: strings.Replace(s.URL(), "127.0.0.1", portalHost, 1),
		Args: map[string]any{"title": "Kultur in Husum", "accent": "rgb(11, 93, 59)", "event": husum, "other": tating},
	})

	_, position = organizer.Change(t, http.MethodPut, path, fmt.Sprintf(`{"include": {"event_uuids": [%q]}, "exclude": {"event_uuids": [%q]}}`, tating, husum))
	s.wantInPortal(t, position, tating, husum)
	_, position = organizer.Change(t, http.MethodPut, path, `{"include": null, "exclude": null, "filter": {"city": "T*"}}`)
	s.wantInPortal(t, position, tating, husum)
	position = s.released(t, organizer, tating, "draft") // an edit of an event
	s.wantInPortal(t, position, "", tating)
	s.released(t, organizer, tating, "released")
	_, position = organizer.Change(t, http.MethodDelete, path, fmt.Sprintf(`{"password": %q}`, harness.EditorPassword))
	for address, want := range map[string]int{
		"/api/events?portal=husum": http.StatusBadRequest, "/api/portal/husum": http.StatusNotFound,
	} {
		if status, _ := s.ask(t, "", address, position); status != want {
			t.Errorf("%s of a deleted portal: %d, want %d", address, status, want)
		}
	}
	if status, _ := s.ask(t, portalHost, "/", position); status != http.StatusNotFound {
		t.Errorf("the page of a deleted portal: %d", status)
	}
	s.Verify(t)
}

// wantOfPortal checks that the sitemap at the host of the portal has one event and lacks another,
// with addresses of that host, and that the page of an error there is one of the portal.
func (s *siteTest) wantOfPortal(t *testing.T, position uint64, in, out string) {
	t.Helper()
	_, robots := s.ask(t, portalHost, "/robots.txt", position)
	_, index := s.ask(t, portalHost, "/sitemap.xml", position)
	_, file := s.ask(t, portalHost, "/sitemap/3.xml", position) // after those of organizations and venues
	for _, one := range []struct{ body, has string }{
		{robots, "Sitemap: http://" + portalHost + "/sitemap.xml"}, {index, "<loc>http://" + portalHost + "/sitemap/3.xml</loc>"},
		{file, "<loc>http://" + portalHost + "/event/" + in + "</loc>"},
	} {
		if !strings.Contains(one.body, one.has) {
			t.Errorf("%s is missing in %s", one.has, one.body)
		}
	}
	if strings.Contains(file, out) {
		t.Errorf("the sitemap has an event of another town: %s", file)
	}
	if status, body := s.ask(t, portalHost, "/nothing", position); status != http.StatusNotFound || !strings.Contains(body, "Kultur in Husum</span>") {
		t.Errorf("the page of an error: %d %s", status, body)
	}
}

// eventIn makes an event in a town, and returns it and the position from which on it is public.
func (s *siteTest) eventIn(t *testing.T, organizer harness.Editor, org, city string) (event string, position uint64) {
	t.Helper()
	venue := organizer.Write(t, http.MethodPut, "/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "Halle", "city": %q, "lat": 54.4, "lon": 9}`, org, city))["uuid"]
	created := organizer.Write(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "venue_uuid": %q, "title": "Abend in %s",
		"event_types": [{"type_id": 1, "genre_id": 0}], "dates": [{"start_date": %q, "start_time": "20:00"}]}`, org, venue, city, harness.Day(3)))
	event = fmt.Sprint(created["uuid"])
	return event, s.released(t, organizer, event, "released")
}

// ask reads an address of a host, "" for that of the stack, complete up to a position.
func (s *siteTest) ask(t *testing.T, host, path string, position uint64) (status int, body string) {
	t.Helper()
	answer := s.ReadAt(t, host, path, position)
	return answer.Status, string(answer.Body)
}

// wantInPortal checks that the answers, feeds and pages of the portal have one event and lack
// another. Each is asked twice: the second answer may be a kept one.
func (s *siteTest) wantInPortal(t *testing.T, position uint64, in, out string) {
	t.Helper()
	for _, where := range []struct{ host, path string }{
		{"", "/api/events?portal=husum"}, {"", "/api/events.json?portal=husum"}, {"", "/api/events?portal=husum&group=event&total=true"},
		{"", "/embed?portal=husum"}, {portalHost, "/p/husum"}, {portalHost, "/?search=abend"}, {portalHost, "/"}, {portalHost, "/embed"},
	} {
		for range 2 {
			status, body := s.ask(t, where.host, where.path, position)
			if status != http.StatusOK || in != "" && !strings.Contains(body, in) || strings.Contains(body, out) {
				t.Errorf("%s%s: %d, with the one: %t, with the other: %t", where.host, where.path, status, strings.Contains(body, in), strings.Contains(body, out))
			}
		}
	}
}
