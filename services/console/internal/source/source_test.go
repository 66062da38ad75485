package source_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/source"
)

const (
	api    = "/api/admin/organization/" + pagetest.Org
	root   = "/console/organization/" + pagetest.Org + "/sources"
	id     = "0192f0a0-0000-7000-8000-0000000000e1"
	event  = "0192f0a0-0000-7000-8000-0000000000e2"
	script = `<script>alert(1)</script>`
)

// stored is a source that fails, had a refused row, and has a duplicate; hostile texts are in all
// of its words.
func stored() adminapi.ShownSource {
	since, never := pagetest.Now.Add(-time.Hour), fault.Violate("address", reason.HTTPStatus(503))
	s := adminapi.ShownSource{
		Source: adminapi.Source{
			UUID: id, OrgUUID: pagetest.Org, AnswersFor: "Anna " + script, NextReadAt: pagetest.Now, ReadAt: &since, SucceededAt: &since,
			Failures: 3, FailingSince: &since, Failure: &never, HeldDuplicates: 1,
			Report: &adminapi.SourceReport{
				At: since, Format: "ics", Counts: adminapi.ImportCounts{Rows: 3, Create: 1, Refuse: 1, Held: 1, Missing: 7}, Complete: true, HeldBack: true,
				Refused: []adminapi.SourceRow{{Title: "Film " + script, Start: "2026-12-24T20:00", Reasons: []adminapi.ImportReason{
					{Row: 17, Violation: fault.Violate("venue", reason.UnknownVenue)},
				}}},
				Notes: []adminapi.SourceRow{}, Missing: []adminapi.ImportMissing{{EventUUID: event, Title: "Gone " + script}},
			},
		},
		Duplicates: []adminapi.SourceDuplicate{{
			ExternalID: "4711 " + script, Entry: adminapi.SourceEntry{Title: "Theirs " + script, Start: "2026-12-24T20:00", VenueName: "Saal"},
			Event: adminapi.SourceEvent{UUID: event, Title: "Ours " + script, Start: "2026-12-24T20:00", OrgUUID: pagetest.Org, OrgName: "Speicher"},
		}},
	}
	s.Name, s.Address, s.IntervalMinutes, s.Missing = "Kalender "+script, "https://example.org/a.ics?"+script, 45, "cancel"
	s.Defaults = adminapi.ImportDefaults{ReleaseStatus: "released", VenueUUID: event, Languages: []string{"de", "da"}, EventTypes: []adminapi.EventType{{TypeID: 1, GenreID: 1003}}}
	s.Kinds = []adminapi.ImportKind{{Name: "Jam", TypeID: 1}}
	return s
}

func start(t *testing.T) *pagetest.Console {
	t.Helper()
	c := pagetest.Start(t, source.Mount)
	c.Answer("GET "+api, 200, adminapi.Organization{OrganizationFields: adminapi.OrganizationFields{UUID: pagetest.Org, Name: "Speicher"}})
	c.Answer("GET "+api+"/sources", 200, adminapi.Sources{Sources: []adminapi.Source{stored().Source}})
	c.Answer("GET "+api+"/sources/"+id, 200, stored())
	c.Answer("GET /api/admin/user/choosable-event-places", 200, adminapi.ChoosablePlaces{})
	return c
}

// sent decodes the body of the last request for an operation.
func sent[T any](t *testing.T, c *pagetest.Console, operation string) (body T) {
	t.Helper()
	calls := c.Calls(operation)
	if len(calls) == 0 {
		t.Fatalf("%s was not asked for", operation)
	}
	if err := json.Unmarshal(calls[len(calls)-1].Body, &body); err != nil {
		t.Fatal(err)
	}
	return body
}

func wantParts(t *testing.T, what, body string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(body, part) {
			t.Errorf("%s lacks %s", what, part)
		}
	}
	if strings.Contains(body, script) {
		t.Errorf("%s has a script of people's words", what)
	}
}

// TestHealthIsShown: in the list, and on the page of the source with the rows and both sides of the
// duplicate.
func TestHealthIsShown(t *testing.T) {
	c := start(t)
	wantParts(t, "the list", c.Get(root).Body, "has not worked since", "1 possible duplicate", "1 event refused", root+"/"+id)
	wantParts(t, "the page", c.Get(root+"/"+id).Body, "has not worked since", "503", "It failed 3 times", "Row 17", "Theirs", "Ours",
		`value="same"`, `value="different"`, "/console/event/"+event, "7 events are no longer in the source", "every 45 minutes")
	c.Member(permission.EditEvent)
	if page := c.Get(root); page.Status != 403 {
		t.Errorf("without the right to add events: %d", page.Status)
	}
}

// TestASourceIsAddedAfterALook: the preview stores nothing, and keeps the form.
func TestASourceIsAddedAfterALook(t *testing.T) {
	c := start(t)
	c.Answer("POST "+api+"/sources/preview", 200, adminapi.ImportReport{
		DryRun: true, Counts: adminapi.ImportCounts{Create: 1, Held: 1}, Events: []adminapi.ImportEvent{
			{Number: 1, Action: adminapi.ImportCreate, Title: "Jazz " + script}, {Number: 2, Action: adminapi.ImportHeld, Title: "Chor"},
		},
	})
	c.Answer("POST "+api+"/sources", 201, adminapi.WrittenSource{Source: stored().Source})
	form := url.Values{
		"name": {"Programm"}, "address": {"https://example.org/a.ics"}, "interval": {"60"}, "place": {event + "/" + id}, "release": {"review"},
		"missing": {"draft"}, "action": {"preview"},
	}
	wantParts(t, "the preview", c.Post(root+"/new", form).Body, "Jazz", "Possibly here already", `value="Programm"`, `value="save"`)
	if calls := c.Calls("POST " + api + "/sources"); len(calls) > 0 {
		t.Error("the preview has added it")
	}
	form.Set("action", "save")
	if answer := c.Post(root+"/new", form); answer.Status != 303 {
		t.Errorf("saved: %d", answer.Status)
	}
	body := sent[adminapi.SourceBody](t, c, "POST "+api+"/sources")
	if body.Name != "Programm" || body.IntervalMinutes != 60 || body.Missing != "draft" || body.Defaults.ReleaseStatus != "review" ||
		body.Defaults.VenueUUID != event || body.Defaults.SpaceUUID != id {
		t.Errorf("sent %+v", body)
	}
	c.Refuse("POST "+api+"/sources/preview", 400, adminapi.Error{Code: "address_not_public", Details: []fault.Violation{
		fault.Violate("address", reason.NotPublicAddress),
	}})
	form.Set("action", "preview")
	if answer := c.Post(root+"/new", form); answer.Status != 422 || !strings.Contains(answer.Body, `aria-invalid="true"`) {
		t.Errorf("a private address: %d", answer.Status)
	}
	form.Del("name")
	if answer := c.Post(root+"/new", form); answer.Status != 422 || !strings.Contains(answer.Body, "Please enter a name.") {
		t.Errorf("without a name: %d", answer.Status)
	}
}

// TestWhatTheFormLacksStays: when a source is saved.
func TestWhatTheFormLacksStays(t *testing.T) {
	c := start(t)
	operation := "PUT " + api + "/sources/" + id
	c.Answer(operation, 200, adminapi.WrittenSource{})
	form := url.Values{
		"name": {"Neu"}, "address": {"https://example.org/b.ics"}, "interval": {"45"}, "place": {event}, "language": {"de"}, "type": {"1"},
		"release": {"released"}, "missing": {"cancel"}, "paused": {"true"},
	}
	c.Post(root+"/"+id, form)
	body := sent[adminapi.SourceBody](t, c, operation)
	if body.Name != "Neu" || !body.Paused || len(body.Kinds) != 1 || len(body.Defaults.Languages) != 2 || body.Defaults.EventTypes[0].GenreID != 1003 {
		t.Errorf("sent %+v", body)
	}
	c.Member(permission.AddEvent | permission.ChooseAsEventOrganization | permission.EditEvent)
	form.Del("release")
	form.Del("missing")
	c.Post(root+"/"+id, form)
	if body := sent[adminapi.SourceBody](t, c, operation); body.Missing != "cancel" || body.Defaults.ReleaseStatus != "released" {
		t.Errorf("by a member who may not release: %+v", body)
	}
}

// TestActionsOfASource: reading, confirming, deciding and deleting.
func TestActionsOfASource(t *testing.T) {
	c := start(t)
	c.Answer("POST "+api+"/sources/"+id+"/read", 200, stored())
	c.Answer("PUT "+api+"/sources/"+id+"/duplicate", 200, stored())
	c.Answer("DELETE "+api+"/sources/"+id, 200, adminapi.Deleted{})
	c.Post(root+"/"+id+"/read", url.Values{})
	if body := sent[adminapi.SourceReading](t, c, "POST "+api+"/sources/"+id+"/read"); body.Missing {
		t.Error("reading confirms what is missing")
	}
	c.Post(root+"/"+id+"/read", url.Values{"missing": {"true"}})
	if body := sent[adminapi.SourceReading](t, c, "POST "+api+"/sources/"+id+"/read"); !body.Missing {
		t.Error("what is missing is not confirmed")
	}
	c.Post(root+"/"+id+"/duplicate", url.Values{"external_id": {"4711"}, "decision": {"same"}})
	if body := sent[adminapi.SourceDecision](t, c, "PUT "+api+"/sources/"+id+"/duplicate"); body != (adminapi.SourceDecision{ExternalID: "4711", Decision: "same"}) {
		t.Errorf("decided %+v", body)
	}
	if answer := c.Post(root+"/"+id+"/delete", url.Values{}); answer.Status != 303 || len(c.Calls("DELETE "+api+"/sources/"+id)) != 1 {
		t.Errorf("deleted: %d", answer.Status)
	}
	c.Refuse("POST "+api+"/sources/"+id+"/read", 409, adminapi.Error{Code: "source_busy"})
	if answer := c.Post(root+"/"+id+"/read", url.Values{}); answer.Status != 422 || !strings.Contains(answer.Body, "A source of the organization is being read.") {
		t.Errorf("busy: %d", answer.Status)
	}
}

// TestChoicesOfAPreviewAreSaved: of columns and of venues that are not known, also in the form of a
// stored source, which keeps those that the preview does not show.
func TestChoicesOfAPreviewAreSaved(t *testing.T) {
	c := start(t)
	report := adminapi.ImportReport{
		DryRun: true, Format: "csv", Fields: []string{"title", "start_date"},
		Columns: []adminapi.ImportColumn{{Name: "Was", Field: "title", GuessedBy: "header"}, {Name: "Wann " + script}},
		Venues:  []adminapi.ImportVenue{{Name: "Mühle " + script, City: "Kiel", Events: 2}},
	}
	c.Answer("POST "+api+"/sources/preview", 200, report)
	c.Answer("PUT "+api+"/sources/"+id, 200, adminapi.WrittenSource{})
	known := stored()
	known.Venues = []adminapi.ImportPlace{{Name: "Speicher", VenueUUID: event}}
	c.Answer("GET "+api+"/sources/"+id, 200, known)
	form := url.Values{
		"name": {"Programm"}, "address": {"https://example.org/a.csv"}, "interval": {"60"}, "action": {"preview"},
		"release": {"draft"}, "missing": {"keep"}, "format": {"guess"},
	}
	for _, at := range []string{root + "/new", root + "/" + id} {
		wantParts(t, at, c.Post(at, form).Body, `name="column"`, `name="field.1"`, `name="venue.0.choice"`, `value="create"`, `name="date_order"`)
	}
	if calls := c.Calls("PUT " + api + "/sources/" + id); len(calls) > 0 {
		t.Error("the preview has saved it")
	}
	form.Del("action")
	for name, text := range map[string]string{
		"column": "Wann", "field.0": "start_date", "date_order": "mdy", "venue": "Mühle", "venue.0.city": "Kiel", "venue.0.choice": "create", "tag": `"3"`,
	} {
		form.Set(name, text)
	}
	c.Post(root+"/"+id, form)
	body := sent[adminapi.SourceBody](t, c, "PUT "+api+"/sources/"+id)
	if len(body.Mapping) != 1 || body.Mapping[0] != (adminapi.ImportMapping{Column: "Wann", Field: "start_date"}) || body.DateOrder != "mdy" {
		t.Errorf("columns: %+v, %s", body.Mapping, body.DateOrder)
	}
	if len(body.Venues) != 2 || body.Venues[0].Name != "Speicher" || body.Venues[1] != (adminapi.ImportPlace{Name: "Mühle", City: "Kiel", Create: true}) {
		t.Errorf("venues: %+v", body.Venues)
	}
	calls := c.Calls("PUT " + api + "/sources/" + id)
	if match := calls[0].Header.Get("If-Match"); match != `"3"` {
		t.Errorf("If-Match is %s", match)
	}
	c.Refuse("PUT "+api+"/sources/"+id, 412, adminapi.Error{Code: "precondition"})
	if page := c.Post(root+"/"+id, form); page.Status != 422 || !strings.Contains(page.Body, "Someone else has changed this source") ||
		!strings.Contains(page.Body, `value="Programm"`) {
		t.Errorf("saved by another: %d", page.Status)
	}
}

// TestAnotherLitfassIsChosen: and stays chosen.
func TestAnotherLitfassIsChosen(t *testing.T) {
	c := start(t)
	c.Answer("POST "+api+"/sources", 201, adminapi.WrittenSource{Source: stored().Source})
	form := url.Values{"name": {"Kiel"}, "address": {"https://litfass.example/?city=Kiel"}, "interval": {"60"}, "format": {"litfass"}, "action": {"save"}}
	c.Post(root+"/new", form)
	if body := sent[adminapi.SourceBody](t, c, "POST "+api+"/sources"); body.Format != adminapi.ImportLitfass {
		t.Errorf("sent %+v", body)
	}
}
