package venue_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page/pagetest"
)

// startAt runs the pages over a service that knows a venue with a space.
func startAt(t *testing.T, v adminapi.Venue) *pagetest.Console {
	t.Helper()
	c := start(t, at("", ""))
	v.UUID, v.OrgUUID = hall, pagetest.Org
	c.Answer("GET /api/admin/venue/"+hall, http.StatusOK, v)
	c.Answer("GET /api/admin/space/"+stage, http.StatusOK, adminapi.Space{UUID: stage, VenueUUID: hall, Name: "Stage"})
	c.Answer("GET /api/admin/organization/"+pagetest.Org+"/venues", http.StatusOK, adminapi.Venues{
		OrgUUID: pagetest.Org, OrgName: "Speicher", CanAddVenue: true, Page: adminapi.Page{TotalCount: 60, Limit: 25},
		Venues: []adminapi.VenueCard{{UUID: hall, Name: hostile, Upcoming: 3, Spaces: []adminapi.SpaceCard{{UUID: stage, Name: hostile, Upcoming: 1}}}},
	})
	c.Answer("GET /api/admin/organization/"+pagetest.Org+"/venue-guests", http.StatusOK, adminapi.VenueGuests{Dates: []adminapi.GuestDate{
		{EventUUID: event, EventTitle: hostile, OrgName: "Others", VenueUUID: hall, StartDate: "2026-12-24", StartTime: "15:00"},
		{EventUUID: event, EventTitle: "Elsewhere", VenueUUID: club, StartDate: "2026-12-24"},
	}})
	return c
}

func TestTheListOfVenues(t *testing.T) {
	c := startAt(t, adminapi.Venue{Name: "Hall"})
	got := c.Get("/console/organization/" + pagetest.Org + "/venues?page=2")
	safe(t, got.Body)
	for _, want := range []string{"3 upcoming dates", "one upcoming date", "/venues/new", `href="/console/space/` + stage + `"`, `class="pager"`} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("%q is missing in %d %s", want, got.Status, got.Body)
		}
	}
	if q := c.Calls("GET /api/admin/organization/" + pagetest.Org + "/venues")[0].Query; q.Get("offset") != "25" {
		t.Errorf("asked for %v", q)
	}
}

func TestThePageOfAVenue(t *testing.T) {
	c := startAt(t, adminapi.Venue{Name: hostile, City: value.Text(hostile)})
	got := c.Get("/console/venue/" + hall)
	safe(t, got.Body)
	for _, want := range []string{
		`id="accessibility_flags"`, "Not known yet", `id="part-position"`, "24 December 2026", "Add the space", "/delete", `id="opening_hours"`,
	} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("%q is missing in %d %s", want, got.Status, got.Body)
		}
	}
	if strings.Contains(got.Body, "Elsewhere") {
		t.Error("a date at another venue is on the page")
	}
}

func TestWhatAVenuesReadersSee(t *testing.T) {
	c := startAt(t, adminapi.Venue{Name: "Hall", AccessibilityFlags: new(value.Mask(1))})
	c.Member(permission.EditEvent)
	body := c.Get("/console/venue/" + hall).Body
	for _, unwanted := range []string{"hx-post", `id="space-new"`, hall + "/delete"} {
		if strings.Contains(body, unwanted) {
			t.Errorf("%q is on the page", unwanted)
		}
	}
	if !strings.Contains(body, "Wheelchair accessible: yes") || !strings.Contains(body, "Hearing loop: no") {
		t.Errorf("the facts are missing in %s", body)
	}
	for _, address := range []string{"/console/venue/" + hall + "/delete", "/console/organization/" + pagetest.Org + "/venues/new"} {
		if got := c.Get(address); got.Status != http.StatusForbidden {
			t.Errorf("%s: %d", address, got.Status)
		}
	}
	c.Refuse("PUT /api/admin/space", http.StatusForbidden, adminapi.Error{Error: "you may not", Code: "forbidden"})
	if got := c.Post("/console/venue/"+hall+"/spaces", url.Values{"name": {"Bar"}}); got.Status != http.StatusForbidden {
		t.Errorf("a forged form: %d", got.Status)
	}
}

func TestAVenueIsSavedInGroups(t *testing.T) {
	c := startAt(t, adminapi.Venue{Name: "Hall"})
	c.AnswerWith("PUT /api/admin/venue/"+hall, func(call pagetest.Call) (int, any) {
		var body map[string]any
		_ = json.Unmarshal(call.Body, &body)
		return http.StatusOK, body
	})
	page := c.Get("/console/venue/" + hall).Body
	for part, form := range map[string]url.Values{
		"position":      {"lat": {"54,5"}, "lon": {"9.5"}},
		"contact":       {"web_link": {"example.org"}, "contact_email": {"a@example.org"}, "contact_phone": {""}, "wikidata_id": {"Q64"}},
		"accessibility": {"accessibility_flags": {"16"}, "accessibility_flags_state": {"known"}, "accessibility_summary": {"Ask at the door"}},
	} {
		form.Set("base", base(t, page, "part-"+part))
		if got := c.Post("/console/venue/"+hall+"/"+part, form, pagetest.Script...); got.Status != http.StatusOK || !strings.Contains(got.Body, "data-saved") {
			t.Errorf("%s: %d %s", part, got.Status, got.Body)
		}
	}
	want := map[string]bool{
		`{"lat":54.5,"lon":9.5}`: true,
		`{"contact_email":"a@example.org","contact_phone":null,"osm_id":null,"web_link":"https://example.org","wikidata_id":"Q64"}`: true,
		`{"accessibility_flags":"65536","accessibility_summary":"Ask at the door"}`:                                                 true,
	}
	for _, call := range c.Calls("PUT /api/admin/venue/" + hall) {
		if !want[string(call.Body)] {
			t.Errorf("stored %s", call.Body)
		}
	}
}

func TestWhatIsWrongWithAVenueStaysOnThePage(t *testing.T) {
	c := startAt(t, adminapi.Venue{Name: "Hall"})
	page := c.Get("/console/venue/" + hall).Body
	for part, form := range map[string]url.Values{
		"name": {"name": {"  "}}, "position": {"lat": {"northern"}, "lon": {""}}, "tickets": {"ticket_link": {"javascript:alert(1)"}},
	} {
		form.Set("base", base(t, page, "part-"+part))
		got := c.Post("/console/venue/"+hall+"/"+part, form)
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "data-failed") {
			t.Errorf("%s: %d %s", part, got.Status, got.Body)
		}
		if part == "position" && !strings.Contains(got.Body, `value="northern"`) {
			t.Errorf("what was typed is gone: %s", got.Body)
		}
	}
	if calls := c.Calls("PUT /api/admin/venue/" + hall); len(calls) > 0 {
		t.Errorf("stored %s", calls[0].Body)
	}
	if got := c.Post("/console/venue/"+hall+"/nonsense", nil); got.Status != http.StatusNotFound {
		t.Errorf("a part that is none: %d", got.Status)
	}
}

func TestDeletingAVenueNamesWhatIsLost(t *testing.T) {
	c := startAt(t, adminapi.Venue{Name: hostile})
	address := "/console/venue/" + hall + "/delete"
	got := c.Get(address)
	safe(t, got.Body)
	if !strings.Contains(got.Body, "These spaces will be deleted with it") {
		t.Errorf("the spaces are missing in %s", got.Body)
	}
	c.Refuse("DELETE /api/admin/venue/"+hall, http.StatusConflict, adminapi.Error{Error: "2 events take place there", Code: "venue_in_use"})
	if got := c.Post(address, url.Values{"password": {"x"}}); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "Move them first.") {
		t.Errorf("in use: %d %s", got.Status, got.Body)
	}
	c.Refuse("DELETE /api/admin/venue/"+hall, http.StatusForbidden, adminapi.Error{Error: "wrong", Code: "wrong_password"})
	if got := c.Post(address, url.Values{"password": {"x"}}); !strings.Contains(got.Body, "This is not your password") {
		t.Errorf("a wrong password: %d %s", got.Status, got.Body)
	}
	for _, test := range []struct {
		status, want int
		code, words  string
	}{
		{http.StatusTooManyRequests, http.StatusUnprocessableEntity, "too_many_attempts", "<span>Too many attempts. Try again later.</span>"},
		{http.StatusForbidden, http.StatusForbidden, "permission_missing", "You may not do this"},
	} {
		c.Refuse("DELETE /api/admin/venue/"+hall, test.status, adminapi.Error{Error: "try later", Code: test.code})
		got := c.Post(address, url.Values{"password": {"x"}})
		if got.Status != test.want || !strings.Contains(got.Body, test.words) || strings.Contains(got.Body, `aria-invalid="true"`) {
			t.Errorf("%s: %d %s", test.code, got.Status, got.Body)
		}
	}
	before := len(c.Calls("DELETE /api/admin/venue/" + hall))
	if got := c.Post(address, nil); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "Enter your password.") {
		t.Errorf("without a password: %d %s", got.Status, got.Body)
	}
	if len(c.Calls("DELETE /api/admin/venue/"+hall)) != before {
		t.Error("the service is asked without a password")
	}
	c.Answer("DELETE /api/admin/venue/"+hall, http.StatusOK, adminapi.Deleted{UUID: hall})
	got = c.Post(address, url.Values{"password": {"right"}})
	if got.Status != http.StatusSeeOther || !strings.Contains(got.Header.Get("Location"), "/venues?notice=venue_deleted") {
		t.Errorf("deleted: %d to %q", got.Status, got.Header.Get("Location"))
	}
}

// TestARefusedDeletionSaysItsLanguage: a reason that exists only in English is marked as English.
func TestARefusedDeletionSaysItsLanguage(t *testing.T) {
	c := startAt(t, adminapi.Venue{Name: "Hall"})
	address := "/console/venue/" + hall + "/delete"
	c.Get(address + "?lang=de")
	for refusal, want := range map[[2]string]string{
		{"venue_in_use", "2 events"}: "<span>An diesem Ort finden Veranstaltungen statt.", {"odd", "quite unheard of"}: `<span lang="en">quite unheard of</span>`,
	} {
		c.Refuse("DELETE /api/admin/venue/"+hall, http.StatusConflict, adminapi.Error{Code: refusal[0], Error: refusal[1]})
		got := c.Post(address, url.Values{"password": {"x"}})
		if !strings.Contains(got.Body, want) || strings.Contains(got.Body, "\u2063") {
			t.Errorf("%d, %s is not in %s", got.Status, want, got.Body)
		}
	}
}

// TestANullIsNothing: also for a text that reads like one.
func TestANullIsNothing(t *testing.T) {
	c := startAt(t, adminapi.Venue{Name: "null"})
	if got := c.Get("/console/venue/" + hall); !strings.Contains(got.Body, `<h1 dir="auto">null</h1>`) || strings.Count(got.Body, `value="null"`) != 1 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestThePageOfASpace(t *testing.T) {
	c := startAt(t, adminapi.Venue{Name: "Hall"})
	got := c.Get("/console/space/" + stage)
	for _, want := range []string{`id="accessibility_flags"`, ">Hall<", `name="total_capacity"`, `value="hall"`} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("%q is missing in %d %s", want, got.Status, got.Body)
		}
	}
	form := url.Values{"total_capacity": {"many"}, "base": {base(t, got.Body, "part-capacity")}}
	if got := c.Post("/console/space/"+stage+"/capacity", form); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "Must be a whole number") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

// TestTooManyChangesAreSavedLater: the form stays as it is, and says when it is to be sent again.
func TestTooManyChangesAreSavedLater(t *testing.T) {
	c := startAt(t, adminapi.Venue{Name: "Hall"})
	c.Refuse("PUT /api/admin/venue/"+hall, http.StatusTooManyRequests, adminapi.Error{Error: "wait", Code: "too_many_requests", RetryAfter: 7})
	form := url.Values{"name": {"Large hall"}, "base": {base(t, c.Get("/console/venue/"+hall).Body, "part-name")}}
	got := c.Post("/console/venue/"+hall+"/name", form, pagetest.Script...)
	if !strings.Contains(got.Body, `data-retry="7"`) || strings.Contains(got.Body, "data-saved") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if got := c.Post("/console/venue/"+hall+"/name", form); !strings.Contains(got.Body, `value="Large hall"`) {
		t.Errorf("without scripts: %d %s", got.Status, got.Body)
	}
}
