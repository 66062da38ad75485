package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/emersion/go-ical"

	"litfass/deploy/e2e/harness"
	"litfass/pkg/media/imaging/imagingtest"
)

// testChanges: an event that its organizer releases appears, as its preview showed it, on pages
// that were shown without it before, and a date that is cancelled is struck through.
func (s *siteTest) testChanges(t *testing.T) {
	organizer := s.SignUp(t, "site@example.org")
	event, dates := s.draft(t, organizer)
	listed := fmt.Sprintf(`.results [data-event=%q]`, event)
	path, list, embed := "/event/"+event, "/?search=Polarlichternacht", "/embed?search=Polarlichternacht"
	month := "/month?search=Polarlichternacht&month=" + harness.Day(10)[:len("2006-01")]

	s.wantChanged(t, watched{path, nil, []string{"article"}}, watched{list, nil, []string{listed}}, watched{month, nil, []string{attribute("event", event)}})
	preview := s.previewed(t, organizer, event)
	organizer.Write(t, http.MethodPut, "/event/"+event+"/release-status", `{"release_status": "released"}`)
	s.wantChanged(t,
		watched{path, []string{"article" + attribute("event", event), `article img[src*="/api/image/"]`}, nil},
		watched{list, []string{listed + " img"}, nil}, watched{month, []string{attribute("event", event)}, nil},
		watched{embed, []string{attribute("date", dates[0])}, []string{attribute("date", dates[0]) + " s"}})
	s.wantAsPreviewed(t, organizer, event, preview)

	organizer.Write(t, http.MethodPut, "/event/"+event+"/date/"+dates[0], `{"release_status": "cancelled"}`)
	struck := attribute("date", dates[0]) + " s"
	s.wantChanged(t,
		watched{path, []string{"#dates " + struck}, []string{"#dates " + attribute("date", dates[1]) + " s"}},
		watched{path + "?date=" + dates[0], []string{".ticket s", ".callout-cancelled"}, nil},
		watched{list, []string{listed + ".card-cancelled"}, nil}, watched{month, []string{".month-cancelled" + attribute("date", dates[0])}, nil},
		watched{embed, []string{struck}, []string{attribute("date", dates[1]) + " s"}})
	s.onHost(t, "changes", true, map[string]any{"pages": []watched{{"/changing", []string{struck}, nil}}})
	s.wantCancelled(t, event, dates)
}

// watched is a page with selectors of elements that must be on it, and of elements that must not.
type watched struct {
	Path  string   `json:"path"`
	There []string `json:"there,omitempty"`
	Gone  []string `json:"gone,omitempty"`
}

// attribute returns the selector of the elements that show an event or a date.
func attribute(kind, uuid string) string { return fmt.Sprintf("[data-%s=%q]", kind, uuid) }

// wantChanged loads pages until they are as they should be.
func (s *siteTest) wantChanged(t *testing.T, pages ...watched) {
	t.Helper()
	s.walk(t, "changes", true, map[string]any{"pages": pages})
}

// draft creates an organization, a venue and the draft of an event with an image and two dates.
func (s *siteTest) draft(t *testing.T, organizer harness.Editor) (event string, dates []string) {
	t.Helper()
	org := organizer.Write(t, http.MethodPut, "/organization", `{"name": "Sternwarte Ost"}`)["uuid"]
	venue := organizer.Write(t, http.MethodPut, "/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "Kuppelsaal", "city": "Kiel", "lat": 54.34, "lon": 10.12}`, org))["uuid"]
	created := organizer.Write(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "venue_uuid": %q, "title": "Polarlichternacht",
		"dates": [{"start_date": %q, "start_time": "21:00"}, {"start_date": %q, "start_time": "21:00"}]}`, org, venue, harness.Day(10), harness.Day(11)))
	event = fmt.Sprint(created["uuid"])
	for _, date := range created["dates"].([]any) {
		dates = append(dates, fmt.Sprint(date.(map[string]any)["uuid"]))
	}
	form, contentType := harness.ImageForm(t, imagingtest.JPEG(t, imagingtest.Corners(900, 600), 0), map[string]string{"alt_text": "Der Himmel"})
	s.Admin(t, organizer.Token, http.MethodPost, "/event/"+event+"/image/1", contentType, bytes.NewReader(form))
	return event, dates
}

// wantCancelled checks what the feeds say of two dates, of which the first is cancelled.
func (s *siteTest) wantCancelled(t *testing.T, event string, dates []string) {
	t.Helper()
	for _, path := range []string{"/api/event/" + event + ".ics", "/api/events.ics?search=Polarlichternacht"} {
		status := map[string]string{}
		for _, entry := range calendarEvents(t, s.feed(t, path)) {
			status[property(entry, ical.PropUID)] = property(entry, ical.PropStatus)
		}
		if len(status) != 2 || status[dates[0]] != "CANCELLED" || status[dates[1]] != "CONFIRMED" {
			t.Errorf("%s: %v", path, status)
		}
	}
	var linked struct {
		Graph []struct {
			Identifier  string
			EventStatus string
		} `json:"@graph"`
	}
	if err := json.Unmarshal(s.feed(t, "/api/events.jsonld?search=Polarlichternacht"), &linked); err != nil {
		t.Fatal(err)
	}
	for _, date := range linked.Graph {
		if got := strings.HasSuffix(date.EventStatus, "EventCancelled"); got != (date.Identifier == dates[0]) {
			t.Errorf("the JSON-LD of %s is %s", date.Identifier, date.EventStatus)
		}
	}
}
