package place_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/place"
	"litfass/services/console/internal/venue"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

const (
	event, other = pagetest.Event, pagetest.Other
	hall, club   = pagetest.Hall, pagetest.Club
	hostile      = pagetest.Hostile
)

var at, base, safe = pagetest.EventAt, pagetest.Base, pagetest.Safe

func start(t *testing.T, e adminapi.Event) *pagetest.Console {
	t.Helper()
	return pagetest.StartPlaces(t, mount, e)
}

// mount adds the pages, with a page of an event that consists of the section.
func mount(r page.Router) {
	show := func(r *page.Request, drawn templ.Component) error {
		return r.Show(view.Page{Title: "x", Content: drawn})
	}
	r.Get("/event/:event", func(r *page.Request) error {
		e, tag, err := r.Event()
		if err != nil {
			return err
		}
		drawn, err := place.Section(r, e, tag, r.Permissions(e.OrgUUID))
		if err != nil {
			return err
		}
		return show(r, drawn)
	})
	place.Mount(r, func(r *page.Request, _, _ string, drawn templ.Component) error { return show(r, drawn) })
	venue.Mount(r)
}

func TestTheSectionShowsWhatIsChosen(t *testing.T) {
	c := start(t, at(hall, hostile))
	got := c.Get("/console/event/" + event)
	safe(t, got.Body)
	for _, want := range []string{
		`id="place"`, "Sandhafen 3, 24143 Kiel", "for 80 people", `name="space_uuid"`, "Remove the venue", `name="online_link"`,
	} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("%q is missing in %d %s", want, got.Status, got.Body)
		}
	}
}

func TestReadersChangeNothing(t *testing.T) {
	c := start(t, at(hall, "Hall"))
	c.Member(permission.AddVenue)
	body := c.Get("/console/event/" + event).Body
	for _, unwanted := range []string{`id="place-finder"`, `id="choose-"`, "hx-post"} {
		if strings.Contains(body, unwanted) {
			t.Errorf("%q is on the page", unwanted)
		}
	}
	if got := c.Get("/console/event/" + event + "/place"); got.Status != http.StatusForbidden {
		t.Errorf("the search: %d", got.Status)
	}
	c.Refuse("PUT /api/admin/event/"+event+"/place", http.StatusForbidden, adminapi.Error{Error: "you may not", Code: "forbidden"})
	form := url.Values{"venue_uuid": {club}, "base": {base(t, start(t, at(hall, "Hall")).Get("/console/event/"+event).Body, "place-space")}}
	for path, form := range map[string]url.Values{"": form, "/online": {"online_link": {"no address"}}, "/new": {"name": {""}}} {
		if got := c.Post("/console/event/"+event+"/place"+path, form); got.Status != http.StatusForbidden {
			t.Errorf("a forged form for %q: %d", path, got.Status)
		}
	}
}

func TestASearchFindsVenuesToChoose(t *testing.T) {
	c := start(t, at("", ""))
	whole := c.Get("/console/event/" + event + "/place?search=kiel&lat=54,3&lon=10.1")
	safe(t, whole.Body)
	call := c.Calls("GET /api/admin/venues")[0]
	if q := call.Query; q.Get("search") != "kiel" || q.Get("lat") != "54.3" || q.Get("lon") != "10.1" || q.Get("org_uuid") != pagetest.Org {
		t.Errorf("asked for %v", q)
	}
	for _, want := range []string{
		"<h1>", "2 venues", "1.2 km away", "one space", `id="choose-` + club + `"`, `data-chart="`, `href="#found-` + hall + `"`, "lat=54.31", "North",
		`/place/new?base=`, `&amp;name=kiel"`,
	} {
		if !strings.Contains(whole.Body, want) {
			t.Errorf("%q is missing in %s", want, whole.Body)
		}
	}
	part := c.Get("/console/event/"+event+"/place?search=kiel", pagetest.Script...)
	if !strings.HasPrefix(part.Body, `<div id="place-found"`) || strings.Contains(part.Body, "<html") {
		t.Errorf("a script gets %s", part.Body)
	}
}

// TestWordsThatFindNothing: a search that the service refuses is one without results.
func TestWordsThatFindNothing(t *testing.T) {
	c := start(t, at("", ""))
	c.Refuse("GET /api/admin/venues", http.StatusBadRequest, adminapi.Error{Error: "no words", Code: "invalid_parameters"})
	got := c.Get("/console/event/" + event + "/place?search=!!!&lat=NaN&lon=999&offset=-7")
	if got.Status != http.StatusOK || !strings.Contains(got.Body, "No venue found") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestChoosingStoresTheVenueAndWarns(t *testing.T) {
	e := at("", "")
	c := start(t, e)
	c.AnswerWith("PUT /api/admin/event/"+event+"/place", func(pagetest.Call) (int, any) {
		c.Answer("GET /api/admin/event/"+event, http.StatusOK, at(club, "The club"))
		return http.StatusOK, adminapi.WrittenPlace{
			PartOfEvent: adminapi.PartOfEvent{UUID: event, Checklist: []adminapi.ChecklistItem{}}, PlacePart: adminapi.PlacePart{VenueUUID: club},
			Warned: adminapi.Warned{Warnings: []adminapi.Warning{{Code: adminapi.WarnVenueTaken, Field: "dates[0]", UUID: other}}},
		}
	})
	form := url.Values{"venue_uuid": {club}, "base": {base(t, c.Get("/console/event/"+event).Body, "place-space")}}
	got := c.Post("/console/event/"+event+"/place", form, pagetest.Script...)
	if to := got.Header.Get("HX-Retarget"); to != "#place" {
		t.Errorf("the answer goes to %q", to)
	}
	for _, want := range []string{`id="place"`, ">The club<", "Already taken", "4 December 2026", `href="/event/` + other + `"`, `id="checklist"`, "Undo"} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("%q is missing in %d %s", want, got.Status, got.Body)
		}
	}
	var sent map[string]any
	call := c.Calls("PUT /api/admin/event/" + event + "/place")[0]
	if err := json.Unmarshal(call.Body, &sent); err != nil || len(sent) != 2 || sent["venue_uuid"] != club || sent["space_uuid"] != nil {
		t.Errorf("sent %s", call.Body)
	}
	if got := c.Post("/console/event/"+event+"/place", form); got.Status != http.StatusSeeOther || !strings.HasSuffix(got.Header.Get("Location"), "#place") {
		t.Errorf("without scripts: %d to %q", got.Status, got.Header.Get("Location"))
	}
}

// TestAPlaceIsSeenFromTheReleaseDateOn: before it, visitors see nothing of a released event.
func TestAPlaceIsSeenFromTheReleaseDateOn(t *testing.T) {
	for date, seen := range map[time.Time]bool{pagetest.Now.Add(-time.Hour): true, pagetest.Now.Add(time.Hour): false} {
		e := at("", "")
		e.ReleaseStatus, e.ReleaseDate = adminapi.StatusReleased, &date
		c := start(t, e)
		c.Answer("PUT /api/admin/event/"+event+"/place", http.StatusOK, adminapi.WrittenPlace{})
		form := url.Values{
			"online_link": {"https://example.org"}, "base": {version.ValuesOf(e).DigestOf("online_link")}, "public": {"1"},
		}
		got := c.Post("/console/event/"+event+"/place/online", form, pagetest.Script...)
		if !strings.Contains(got.Body, "data-saved") || strings.Contains(got.Body, "auto-seen") != seen {
			t.Errorf("from %s on: %s", date, got.Body)
		}
	}
}

// TestTwoPeopleChoose: the venue that another person chose in between is not overwritten silently.
func TestTwoPeopleChoose(t *testing.T) {
	c := start(t, at("", ""))
	seen := base(t, c.Get("/console/event/"+event).Body, "place-space")
	c.Answer("GET /api/admin/event/"+event, http.StatusOK, at(hall, "Hall"))
	c.Answer("GET /api/admin/venue/"+hall, http.StatusOK, adminapi.Venue{UUID: hall, Name: "Hall"})
	c.Answer("GET /api/admin/venue/"+club, http.StatusOK, adminapi.Venue{UUID: club, Name: "Club"})
	got := c.Post("/console/event/"+event+"/place", url.Values{"venue_uuid": {club}, "base": {seen}}, pagetest.Script...)
	for _, want := range []string{"Which version do you want to keep?", "Hall", "Club"} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("%q is missing in %s", want, got.Body)
		}
	}
	if calls := c.Calls("PUT /api/admin/event/" + event + "/place"); len(calls) > 0 {
		t.Errorf("stored %s", calls[0].Body)
	}
	whole := c.Post("/console/event/"+event+"/place", url.Values{"venue_uuid": {club}, "base": {seen}}).Body
	if want := `data-venue="` + club + `"`; !strings.Contains(whole, want) || !strings.Contains(whole, `<strong dir="auto">Club</strong>`) {
		t.Errorf("what was chosen has another name: %s", whole)
	}
}

func TestTheOnlineLinkIsAnAddress(t *testing.T) {
	c := start(t, at("", ""))
	c.Answer("PUT /api/admin/event/"+event+"/place", http.StatusOK, adminapi.WrittenPlace{})
	seen := base(t, c.Get("/console/event/"+event).Body, "place-online")
	for typed, want := range map[string]int{
		"javascript:alert(1)": http.StatusUnprocessableEntity, "not a link": http.StatusUnprocessableEntity,
		"stream.example.org/jazz": http.StatusSeeOther, "": http.StatusSeeOther,
	} {
		got := c.Post("/console/event/"+event+"/place/online", url.Values{"online_link": {typed}, "base": {seen}})
		if got.Status != want {
			t.Errorf("%q: %d %s", typed, got.Status, got.Body)
		}
		if want == http.StatusUnprocessableEntity && !strings.Contains(got.Body, `value="`+typed+`"`) {
			t.Errorf("%q is not on the page: %s", typed, got.Body)
		}
	}
	for _, call := range c.Calls("PUT /api/admin/event/" + event + "/place") {
		if body := string(call.Body); body != `{"online_link":"https://stream.example.org/jazz"}` && body != `{"online_link":null}` {
			t.Errorf("stored %s", body)
		}
	}
}

// TestASearchKeepsWhatWasSeen: another person chose a venue before the search, which the page of
// this one does not show yet.
func TestASearchKeepsWhatWasSeen(t *testing.T) {
	c := start(t, at("", ""))
	seen := base(t, c.Get("/console/event/"+event).Body, "place-finder")
	c.Answer("GET /api/admin/event/"+event, http.StatusOK, at(hall, "Hall"))
	c.Answer("GET /api/admin/venue/"+hall, http.StatusOK, adminapi.Venue{UUID: hall, Name: "Hall"})
	c.Answer("GET /api/admin/venue/"+club, http.StatusOK, adminapi.Venue{UUID: club, Name: "Club"})
	found := c.Get("/console/event/"+event+"/place?search=club&base="+seen, pagetest.Script...).Body
	if links := strings.Count(found, "/place?base="+seen); links < 5 {
		t.Errorf("%d links keep it", links)
	}
	c.Answer("GET /api/admin/event/"+event+"/history", http.StatusOK, adminapi.EventHistory{Entries: []adminapi.HistoryEntry{
		{ActorName: "Bo Kruse", After: []byte(`{"title":"Jazz"}`)}, {ActorName: "Edda Ebert", After: []byte(`{"venue_uuid":"` + hall + `"}`)},
	}})
	form := url.Values{"venue_uuid": {club}, "base": {base(t, found, "choose-"+club)}}
	got := c.Post("/console/event/"+event+"/place", form, pagetest.Script...)
	if len(c.Calls("PUT /api/admin/event/"+event+"/place")) > 0 || !strings.Contains(got.Body, "Edda Ebert changed this on ") {
		t.Errorf("the venue of another person is overwritten: %s", got.Body)
	}
}

func TestAddingTakesThePermission(t *testing.T) {
	c := start(t, at("", ""))
	c.Member(permission.EditEvent)
	if got := c.Get("/console/event/" + event + "/place?search=x"); strings.Contains(got.Body, "/place/new") {
		t.Error("the page offers to add a venue")
	}
	if got := c.Post("/console/event/"+event+"/place/new", url.Values{"name": {"x"}}); got.Status != http.StatusForbidden {
		t.Errorf("a forged form: %d", got.Status)
	}
}

// TestAVenueOfOthersIsShownAsVisitorsSeeIt: its page in the console is for its members.
func TestAVenueOfOthersIsShownAsVisitorsSeeIt(t *testing.T) {
	for id, want := range map[string]string{club: `href="/venue/` + club, hall: `href="/console/venue/` + hall} {
		c := start(t, at(value.Text(id), "Club"))
		body := c.Get("/console/event/" + event).Body
		if !strings.Contains(body, want) || strings.Contains(body, "Others") != (id == club) {
			t.Errorf("no %s in %s", want, body)
		}
	}
}

// TestNoButtonWithoutAField: a venue without spaces leaves nothing to choose.
func TestNoButtonWithoutAField(t *testing.T) {
	e := at("", "")
	e.ReleaseStatus = adminapi.StatusReleased
	body := start(t, e).Get("/console/event/" + event).Body
	_, form, found := strings.Cut(body, `<form id="place-space"`)
	form, _, _ = strings.Cut(form, "</form>")
	if !found || strings.Contains(form, "<button") {
		t.Errorf("the form is %s", form)
	}
}
