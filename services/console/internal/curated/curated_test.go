package curated

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page/pagetest"
)

const (
	tips  = "0192f0a0-0000-7000-8000-0000000000f1"
	jazz  = "0192f0a0-0000-7000-8000-0000000000b1"
	play  = "0192f0a0-0000-7000-8000-0000000000b2"
	fair  = "0192f0a0-0000-7000-8000-0000000000b3"
	night = "0192f0a0-0000-7000-8000-0000000000d1"
	root  = "/console/organization/" + pagetest.Org + "/lists"
)

func start(t *testing.T) *pagetest.Console {
	t.Helper()
	c := pagetest.Start(t, Mount)
	c.Answer("GET /api/admin/organization/"+pagetest.Org, 200, adminapi.Organization{OrganizationFields: adminapi.OrganizationFields{UUID: pagetest.Org, Name: "Speicher"}})
	c.Answer("GET /api/admin/lists", 200, adminapi.Lists{
		Lists: []adminapi.ListRow{
			{UUID: tips, Name: "Tipps <script>", Slug: "tipps", Public: true, Entries: 2, MayEdit: true}, {UUID: jazz, Name: "Read only", Slug: "other"},
		},
		Page: adminapi.Page{TotalCount: 2, Limit: 50},
	})
	entries := []adminapi.ListEntry{{EventUUID: jazz, Note: "Our tip"}, {EventUUID: play, DateUUID: night}}
	c.Answer("GET /api/admin/list/"+tips, 200, adminapi.List{
		UUID: tips, OrgUUID: value.Text(pagetest.Org), Slug: "tipps", Name: "Tipps", Public: true, Entries: entries,
		Titles: []adminapi.ListTitle{{Language: "da", Title: "Tips på dansk"}},
	})
	c.Answer("GET /api/admin/list/"+tips+"/entries", 200, adminapi.ListEntries{Entries: []adminapi.ShownListEntry{
		{ListEntry: entries[0], State: "public", Title: "Jazz <b>", StartDate: "2026-11-23", StartTime: "19:30", VenueName: "Speicher"},
		{ListEntry: entries[1], State: "hidden"},
	}})
	c.Answer("GET /api/events", 200, map[string]any{"data": publicapi.Events{Events: []publicapi.Listed{
		{DateCount: 2, Entry: publicapi.Entry{UUID: fair, DateUUID: night, Title: "Fair", StartDate: "2026-12-01"}},
		{DateCount: 1, Entry: publicapi.Entry{UUID: jazz, DateUUID: night, Title: "Jazz", StartDate: "2026-12-01"}},
	}}})
	return c
}

func wants(t *testing.T, body string, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing in %s", want, body)
		}
	}
}

func TestListsAreShown(t *testing.T) {
	c := start(t)
	all := c.Get(root)
	wants(t, all.Body, "Tipps &lt;script&gt;", "/list/tipps", "2 entries")
	one := c.Get(root + "/" + tips + "?search=fair")
	wants(t, one.Body, "Jazz &lt;b&gt;", "Our tip", "An event that is no longer there", "Not public: visitors do not see it", "Tips på dansk",
		`value="`+jazz+"/ up", `value="`+play+"/"+night+` down"`, "Only this date", "On the list")
	if strings.Count(one.Body, "Only this date") != 1 {
		t.Error("a date of an event with one is offered")
	}
	c.Member(permission.All &^ permission.EditOrganization)
	if got := c.Get(root); got.Status != http.StatusForbidden {
		t.Errorf("without the right: %d", got.Status)
	}
}

// TestTheOperatorsLists: below the administration, next to those of organizations, by the same
// pages.
func TestTheOperatorsLists(t *testing.T) {
	const root = "/console/administration/lists"
	c := start(t)
	if got := c.Get(root); got.Status != http.StatusForbidden {
		t.Errorf("to an owner of an organization: %d", got.Status)
	}
	open := 0
	c.Answer("GET /api/admin/user/attention", 200, adminapi.Attention{OpenReports: &open})
	c.Answer("GET /api/admin/lists", 200, adminapi.Lists{Lists: []adminapi.ListRow{
		{UUID: tips, Name: "Tipps", Slug: "tipps"}, {UUID: jazz, OrgUUID: value.Text(pagetest.Org), OrgName: "Speicher <b>", Name: "Other", Slug: "other"},
	}, Page: adminapi.Page{TotalCount: 2, Limit: 50}})
	wants(t, c.Get(root).Body, `href="`+root+"/"+tips, `href="/console/organization/`+pagetest.Org+"/lists/"+jazz, "Speicher &lt;b&gt;")
	if got := c.Get(root + "/" + tips); got.Status != http.StatusNotFound {
		t.Errorf("an organization's: %d", got.Status)
	}
	c.Answer("GET /api/admin/list/"+tips, 200, adminapi.List{UUID: tips, Slug: "tipps", Name: "Tipps"})
	c.Answer("PUT /api/admin/list/"+tips, 200, adminapi.WrittenList{})
	c.Answer("PUT /api/admin/list", http.StatusCreated, adminapi.WrittenList{List: adminapi.List{UUID: tips}})
	wants(t, c.Get(root+"/"+tips).Body, `action="`+root+"/"+tips+`/entries"`, "<title>Tipps · Lists")
	for path, form := range map[string]url.Values{"": {"name": {"Neu"}, "slug": {"neu"}}, "/" + tips: {"name": {"Neu"}}} {
		if got := c.Post(root+path, form); !strings.HasPrefix(got.Header.Get("Location"), root+"/"+tips) {
			t.Errorf("%s: %d to %q", path, got.Status, got.Header.Get("Location"))
		}
	}
	if body := string(c.Calls("PUT /api/admin/list")[0].Body); body != `{"name":"Neu","slug":"neu"}` {
		t.Error(body)
	}
}

// TestEntriesAreMoved: the buttons send all entries with their notes, in their new order.
func TestEntriesAreMoved(t *testing.T) {
	first, second := jazz+"/", play+"/"+night
	for move, want := range map[string]string{
		"": "jazz:A play:B", first + " up": "jazz:A play:B", first + " down": "play:B jazz:A", second + " up": "play:B jazz:A",
		second + " down": "jazz:A play:B", first + " remove": "play:B", "nonsense up": "jazz:A play:B",
	} {
		c := start(t)
		c.Answer("PUT /api/admin/list/"+tips, 200, adminapi.WrittenList{})
		form := url.Values{"tag": {`"3"`}, "entry": {first, second}, "note": {"A", " B "}, "move": {move}}
		if got := c.Post(root+"/"+tips+"/entries", form); got.Status != http.StatusSeeOther {
			t.Fatalf("%s: %d %s", move, got.Status, got.Body)
		}
		call := c.Calls("PUT /api/admin/list/" + tips)[0]
		var sent adminapi.List
		if err := json.Unmarshal(call.Body, &sent); err != nil || call.Header.Get("If-Match") != `"3"` || strings.Contains(string(call.Body), "name") {
			t.Fatal(err, call.Header, string(call.Body))
		}
		var got []string
		for _, entry := range sent.Entries {
			name := map[string]string{jazz: "jazz", play: "play"}[entry.EventUUID]
			if (name == "play") != (entry.DateUUID == night) {
				t.Errorf("%+v", entry)
			}
			got = append(got, name+":"+string(entry.Note))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", move, got, want)
		}
	}
	c := start(t)
	c.Refuse("PUT /api/admin/list/"+tips, http.StatusPreconditionFailed, adminapi.Error{Code: "stale", Error: "x"})
	if got := c.Post(root+"/"+tips+"/entries", url.Values{"entry": {first}, "note": {""}}); !strings.Contains(got.Body, "Someone else has changed this list") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if got := c.Post(root+"/"+tips+"/entries", url.Values{"entry": {first}}); got.Status != http.StatusBadRequest {
		t.Errorf("without notes: %d", got.Status)
	}
}

func TestAListIsSaved(t *testing.T) {
	c := start(t)
	c.Answer("PUT /api/admin/list/"+tips, 200, adminapi.WrittenList{})
	form := url.Values{"tag": {`"3"`}, "name": {"Neu"}, "slug": {"neu"}, "title-de": {"Tipps"}, "description-de": {"Drei"}}
	if got := c.Post(root+"/"+tips, form); got.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	const want = `{"description":null,"name":"Neu","public":false,"slug":"neu","titles":[{"language":"de","title":"Tipps","description":"Drei"}]}`
	if got := string(c.Calls("PUT /api/admin/list/" + tips)[0].Body); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	c.Refuse("PUT /api/admin/list/"+tips, http.StatusConflict, adminapi.Error{Code: "x", Error: "x", Details: []fault.Violation{{Field: "slug", Reason: "is taken", Code: "slug_taken"}}})
	got := c.Post(root+"/"+tips, form)
	wants(t, got.Body, `value="Neu"`, `href="#slug"`)
	c.Answer("GET /api/admin/list/"+tips, 200, adminapi.List{UUID: tips, OrgUUID: jazz})
	if got := c.Get(root + "/" + tips); got.Status != http.StatusNotFound {
		t.Errorf("another organization's: %d", got.Status)
	}
}

// TestEventsAreAdded: from a search, and from the page of an event to a list that may be edited.
func TestEventsAreAdded(t *testing.T) {
	c := start(t)
	c.Answer("PUT /api/admin/list/"+tips+"/entry", 200, adminapi.WrittenList{})
	c.Post(root+"/"+tips+"/add", url.Values{"event": {fair}, "date": {night}})
	e := adminapi.Event{Dates: []adminapi.Date{{}, {}}}
	e.UUID, e.OrgUUID, e.Title = fair, pagetest.Org, "Fair"
	c.Answer("GET /api/admin/event/"+fair, 200, e)
	page := c.Get("/console/event/" + fair + "/lists")
	wants(t, page.Body, "Tipps &lt;script&gt;", "All dates")
	if strings.Contains(page.Body, "Read only") {
		t.Error("a list that may not be edited is offered")
	}
	if got := c.Post("/console/event/"+fair+"/lists", url.Values{"list": {jazz}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("to a list that may not be edited: %d", got.Status)
	}
	c.Post("/console/event/"+fair+"/lists", url.Values{"list": {tips}, "note": {"Tip"}})
	c.Answer("GET /api/admin/lists", 200, adminapi.Lists{})
	if got := c.Post("/console/event/"+fair+"/lists", url.Values{"list": {tips}}); got.Status != http.StatusForbidden {
		t.Errorf("without a list that may be edited: %d", got.Status)
	}
	var sent []string
	for _, call := range c.Calls("PUT /api/admin/list/" + tips + "/entry") {
		sent = append(sent, string(call.Body))
	}
	want := `{"date_uuid":"` + night + `","event_uuid":"` + fair + `"} {"date_uuid":null,"event_uuid":"` + fair + `","note":"Tip"}`
	if got := strings.Join(sent, " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
