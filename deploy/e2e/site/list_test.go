package site

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
)

// TestList makes a list as an organizer does, and follows it through the API, feeds, pages and the
// sitemap, from its first edit until it is deleted.
func TestList(t *testing.T) {
	t.Parallel()
	s := &siteTest{System: harness.Ready(t, harness.Run(t, stack.Options{}))}
	organizer := s.SignUp(t, "list@example.org")
	org := organizer.Write(t, http.MethodPut, "/organization", `{"name": "Kirchspiel"}`)["uuid"]
	husum, _ := s.eventIn(t, organizer, fmt.Sprint(org), "Husum")
	tating, _ := s.eventIn(t, organizer, fmt.Sprint(org), "Tating")
	created, position := organizer.Change(t, http.MethodPut, "/list", fmt.Sprintf(`{"org_uuid": %q, "slug": "tipps", "name": "Tipps", "description": "Drei Tage",
		"entries": [{"event_uuid": %q, "note": "Unser Tipp"}, {"event_uuid": %q}]}`, org, tating, husum))
	path := "/list/" + fmt.Sprint(created["uuid"])
	if status, _ := s.ask(t, "", "/api/events?list=tipps", position); status != http.StatusBadRequest {
		t.Errorf("a list that is not public: %d", status)
	}
	_, position = organizer.Change(t, http.MethodPut, path, `{"public": true}`)
	s.wantInList(t, position, "", tating, husum)
	if _, html := s.ask(t, "", "/list/tipps", position); !strings.Contains(html, "Unser Tipp") || !strings.Contains(html, `"@type":"ItemList"`) {
		t.Errorf("the page: %s", html)
	}
	if _, file := s.ask(t, "", "/sitemap/lists.xml", position); !strings.Contains(file, "/list/tipps<") {
		t.Errorf("the sitemap: %s", file)
	}
	_, position = organizer.Change(t, http.MethodPut, path+"/entry", fmt.Sprintf(`{"event_uuid": %q, "place": 0}`, husum))
	s.wantInList(t, position, "", husum, tating)
	position = s.released(t, organizer, husum, "draft") // an edit of an event
	s.wantInList(t, position, husum, tating)
	position = s.released(t, organizer, husum, "released") // which the list has not lost
	s.wantInList(t, position, "", husum, tating)
	_, position = organizer.Change(t, http.MethodDelete, path+"/entry/"+tating, "")
	s.wantInList(t, position, tating, husum)
	_, position = organizer.Change(t, http.MethodDelete, path, fmt.Sprintf(`{"password": %q}`, harness.EditorPassword))
	for address, want := range map[string]int{
		"/api/events?list=tipps": http.StatusBadRequest, "/api/list/tipps": http.StatusNotFound, "/list/tipps": http.StatusNotFound,
	} {
		if status, _ := s.ask(t, "", address, position); status != want {
			t.Errorf("%s of a deleted list: %d, want %d", address, status, want)
		}
	}
	s.Verify(t)
}

// wantInList checks that the answers, feeds and pages of the list have these events in this
// order, and not the one that is out. Each is asked twice: the second answer may be a kept one.
func (s *siteTest) wantInList(t *testing.T, position uint64, out string, events ...string) {
	t.Helper()
	for _, address := range []string{
		"/api/events?list=tipps", "/api/events?list=tipps&group=event&total=true", "/api/events.json?list=tipps", "/api/events.csv?list=tipps",
		"/api/list/tipps", "/list/tipps", "/embed?list=tipps", "/?list=tipps",
	} {
		for range 2 {
			status, body := s.ask(t, "", address, position)
			if status != http.StatusOK || out != "" && strings.Contains(body, out) {
				t.Errorf("%s: %d %s", address, status, body)
			}
			last := -1
			for _, event := range events {
				at := strings.Index(body, event)
				if at <= last {
					t.Errorf("%s: %s is at %d, not after %d", address, event, at, last)
				}
				last = at
			}
		}
	}
}
