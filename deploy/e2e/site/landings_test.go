package site

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litfass/deploy/e2e/harness"
)

// testLandings: the list of a town with three events is linked, indexed and in the sitemap, from
// the release of the third on and until it is withdrawn.
func (s *siteTest) testLandings(t *testing.T) {
	organizer := s.SignUp(t, "landing@example.org")
	org := organizer.Write(t, http.MethodPut, "/organization", `{"name": "Kirchspiel Tating"}`)["uuid"]
	venue := organizer.Write(t, http.MethodPut, "/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "Haubarg", "city": "Tating", "lat": 54.32, "lon": 8.7}`, org))["uuid"]
	var event string
	for n := range 3 {
		created := organizer.Write(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "venue_uuid": %q, "title": "Abend %d",
			"event_types": [{"type_id": 1, "genre_id": 0}], "dates": [{"start_date": %q, "start_time": "20:00"}]}`, org, venue, n, harness.Day(3+n)))
		event = fmt.Sprint(created["uuid"])
		position := s.released(t, organizer, event, "released")
		s.wantLanding(t, position, n == 2)
	}
	s.wantLanding(t, s.released(t, organizer, event, "draft"), false)
}

// released sets the status of an event and returns the position from which on pages know it.
func (s *siteTest) released(t *testing.T, organizer harness.Editor, event, status string) (position uint64) {
	t.Helper()
	_, position = organizer.Change(t, http.MethodPut, "/event/"+event+"/release-status", fmt.Sprintf(`{"release_status": %q}`, status))
	return position
}

// wantLanding checks whether search engines are led to the lists of the town and of its concerts.
func (s *siteTest) wantLanding(t *testing.T, position uint64, want bool) {
	t.Helper()
	read := func(path string) string {
		status, body := s.ask(t, "", path, position)
		if status != http.StatusOK {
			t.Fatalf("%s: %d", path, status)
		}
		return body
	}
	for path, link := range map[string]string{"/?city=Tating": "/", "/?city=Tating&event_types=1": "/?city=Tating"} {
		written := strings.ReplaceAll(path, "&", "&amp;")
		if got := strings.Contains(read("/sitemap/lists.xml"), "<loc>"+s.URL()+written+"</loc>"); got != want {
			t.Errorf("%s is in the sitemap: %t", path, got)
		}
		if got := !strings.Contains(read(path), `<meta name="robots" content="noindex">`); got != want {
			t.Errorf("%s is indexed: %t", path, got)
		}
		if got := strings.Contains(read(link), `<a href="`+written+`" dir="auto">`); got != want {
			t.Errorf("%s links %s: %t", link, path, got)
		}
	}
}
