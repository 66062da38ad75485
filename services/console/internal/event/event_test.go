package event

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/version"
)

const (
	uuid      = "0192f0a0-0000-7000-8000-0000000000e1"
	address   = "/console/event/" + uuid
	operation = "/api/admin/event/" + uuid
)

// stored returns an event as the service answers it.
func stored() adminapi.Event {
	e := adminapi.Event{
		PartOfEvent: adminapi.PartOfEvent{UUID: uuid, Checklist: []adminapi.ChecklistItem{
			{Field: "dates", Required: true, Message: "is empty", Kind: "event", UUID: uuid},
			{Field: "summary", Message: "is missing", Kind: "event", UUID: uuid},
		}},
		HeaderPart: adminapi.HeaderPart{OrgUUID: pagetest.Org, Title: "Jazz am Hafen", Subtitle: "mit Blick"},
		OrgName:    "Speicher",
	}
	e.ReleaseStatus, e.PriceType = adminapi.StatusDraft, "not_specified"
	e.EventTypes, e.Tags, e.Languages = []adminapi.EventType{{TypeID: 1, GenreID: 1003}}, []string{"hafen"}, []string{"de"}
	return e
}

// start runs the pages over a service that knows an event.
func start(t *testing.T, e adminapi.Event) *pagetest.Console {
	t.Helper()
	return startIn(t, time.UTC, e)
}

// startIn is start for a console in a zone.
func startIn(t *testing.T, zone *time.Location, e adminapi.Event) *pagetest.Console {
	t.Helper()
	c := pagetest.StartIn(t, zone, func(r page.Router) { Mount(r) })
	c.Answer("GET "+operation, http.StatusOK, e)
	for path, items := range map[string][]publicapi.Item{
		"categories": {{ID: 1, Name: "Culture"}}, "event-occasions": {{ID: 0, Name: "None"}, {ID: 2, Name: "Premiere"}},
		"price-types": {{ID: "not_specified", Name: "Not specified"}, {ID: "free", Name: "Free"}, {ID: "regular_price", Name: "Regular"}},
		"currencies":  {{ID: "AFN", Name: "Afghani"}, {ID: "EUR", Name: "Euro"}},
		"languages":   {{ID: "de", Name: "German"}, {ID: "fr", Name: "French"}}, "link-types": {{ID: "website", Name: "Website"}},
		"space-types": {}, "countries": {}, "labels": {},
	} {
		c.Answer("GET /api/choosable-"+path, http.StatusOK, items)
	}
	c.Answer("GET /api/visitor-info/flags", http.StatusOK, []publicapi.Flag{{ID: "3", Name: "Queer friendly", TopicID: "1", TopicName: "Audience"}})
	c.Answer("GET /api/accessibility/flags", http.StatusOK, []publicapi.Flag{})
	c.Answer("GET /api/event/type-genre-lookup", http.StatusOK, map[string]any{"data": map[string]publicapi.Types{
		"en": {Types: map[string]publicapi.Type{
			"1": {Name: "Concert", Genres: map[string]string{"1003": "Jazz", "1002": "Rock"}}, "3": {Name: "Party"},
		}},
	}})
	return c
}

// base returns the digest that a form of a page sends.
func base(t *testing.T, body, form string) string {
	t.Helper()
	_, after, found := strings.Cut(body, `<form id="`+form+`"`)
	match := regexp.MustCompile(`name="base" value="([^"]*)"`).FindStringSubmatch(after)
	if !found || match == nil {
		t.Fatalf("there is no form %s in %s", form, body)
	}
	return match[1]
}

func TestThePageHasAllSectionsInOrder(t *testing.T) {
	c := start(t, stored())
	got := c.Get(address)
	if got.Status != http.StatusOK {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	last := 0
	for _, name := range slices.Concat(shortForm, folded) {
		at := strings.Index(got.Body, `<section id="`+name+`"`)
		if at <= last {
			t.Errorf("the section %s is at %d, behind %d", name, at, last)
		}
		last = at
	}
	for _, want := range []string{
		`<h1 id="event-title" dir="auto">Jazz am Hafen</h1>`, `href="` + address + `#dates"`, `href="` + address + `#summary"`,
		`value="mit Blick"`, `value="1:1003" checked`, `name="tags" value="hafen" checked`,
	} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("the page has no %s", want)
		}
	}
}

func TestPeopleWhoMayNotEditSeeLockedForms(t *testing.T) {
	c := start(t, stored())
	c.Member(permission.ViewEventInsights)
	body := c.Get(address).Body
	if strings.Contains(body, "auto-button") || strings.Contains(body, `name="add_type"`) {
		t.Error("a viewer is offered to save")
	}
	if forms, locked := strings.Count(body, `class="auto"`), strings.Count(body, "auto-fields\" disabled"); forms == 0 || forms != locked {
		t.Errorf("%d of %d forms are locked", locked, forms)
	}
	for _, write := range []string{"/header"} {
		c.Refuse("PUT "+operation+write, http.StatusForbidden, adminapi.Error{Error: "needs EditEvent", Code: "permission_missing"})
	}
	for path, form := range map[string]url.Values{
		"/edit/title":               {"title": {"Rock"}, "base": {base(t, body, "edit-title")}},
		"/edit/ages":                {"min_age": {"many"}},
		"/link":                     {"url": {"no address"}},
		"/link/" + link + "/delete": {},
		"/duplicate":                {"dates": {"shift"}, "count": {"many"}},
		"/delete":                   {"password": {""}},
		"/release/review":           {},
		"/release/cancelled":        {},
	} {
		if got := c.Post(address+path, form); got.Status != http.StatusForbidden {
			t.Errorf("a forged form for %s: %d", path, got.Status)
		}
	}
	for _, path := range []string{"/history", "/duplicate", "/delete", "/release/cancelled"} {
		if got := c.Get(address + path); got.Status != http.StatusForbidden {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
}

// TestWhatFormsSay compares what each form sends with the body that the service gets.
func TestWhatFormsSay(t *testing.T) {
	for name, test := range map[string]struct {
		form url.Values
		path string
		want string
	}{
		"title":        {url.Values{"title": {" Rock "}, "subtitle": {""}}, "header", `{"subtitle":null,"title":"Rock"}`},
		"source":       {url.Values{"source_link": {"example.org/rock"}}, "header", `{"source_link":"https://example.org/rock"}`},
		"video":        {url.Values{"video_link": {"youtu.be/dQw4w9WgXcQ"}}, "header", `{"video_link":"https://youtu.be/dQw4w9WgXcQ"}`},
		"types":        {url.Values{"type": {"1"}, "genre": {"1:1002", "1:1003", "9:1"}, "add_type": {"26"}, "categories": {"5", "6"}}, "types", `{"categories":[5,6,1],"event_types":[{"type_id":1,"genre_id":1002},{"type_id":1,"genre_id":1003},{"type_id":26,"genre_id":0}]}`},
		"tags":         {url.Values{"tags": {"a,b"}, "add_tags": {"#rock, open air ,"}}, "tags", `{"tags":["a,b","rock","open air"]}`},
		"occasion":     {url.Values{"occasion": {"2"}}, "participation-infos", `{"occasion":2}`},
		"ages":         {url.Values{"min_age": {"6"}}, "participation-infos", `{"max_age":null,"min_age":6}`},
		"attendees":    {url.Values{"max_attendees": {"1,200"}}, "participation-infos", `{"max_attendees":1200}`},
		"visitor-info": {url.Values{"flag": {"0", "3"}}, "participation-infos", `{"visitor_info_flags":"9"}`},
		"price":        {url.Values{"price_type": {"regular_price"}, "min_price": {"12.50"}, "currency": {"EUR"}}, "participation-infos", `{"currency":"EUR","max_price":null,"min_price":12.5,"price_type":"regular_price"}`},
		"tariffs": {
			url.Values{
				"tariff_name": {" Parkett ", "", "Rang", ""}, "tariff_min": {"24", "", "12.50", ""}, "tariff_max": {"38", "", "", ""},
				"tariff_condition": {"", "", "bis 26", ""}, "tariff_currency": {"EUR"},
			}, "participation-infos",
			`{"tariffs":[{"name":"Parkett","min_price":24,"max_price":38,"currency":"EUR","condition":null},{"name":"Rang","min_price":12.5,"max_price":null,"currency":"EUR","condition":"bis 26"}]}`,
		},
		"tickets":     {url.Values{"ticket_flags": {"advance_ticket"}}, "participation-infos", `{"ticket_flags":["advance_ticket"]}`},
		"summary":     {url.Values{"summary": {"Two\r\nlines"}}, "summary", `{"summary":"Two\nlines"}`},
		"description": {url.Values{"description": {"# Much"}}, "description", `{"description":"# Much"}`},
		"languages":   {url.Values{"languages": {"de"}, "add_language": {"fr"}}, "languages", `{"languages":["de","fr"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			c := start(t, stored())
			test.form.Set("base", base(t, c.Get(address).Body, "edit-"+name))
			c.Answer("PUT "+operation+"/"+test.path, http.StatusOK, map[string]any{"checklist": []adminapi.ChecklistItem{}})
			got := c.Post(address+"/edit/"+name, test.form)
			if want := address + "?notice=saved#edit-" + name; got.Status != http.StatusSeeOther || got.Header.Get("Location") != want {
				t.Errorf("%d to %q, want %q", got.Status, got.Header.Get("Location"), want)
			}
			calls := c.Calls("PUT " + operation + "/" + test.path)
			if len(calls) != 1 || string(calls[0].Body) != test.want || calls[0].Header.Get("If-Match") != `"1"` {
				t.Fatalf("the service gets %+v, want %s", calls, test.want)
			}
		})
	}
}

func TestWhatIsWrongStaysAsItWasTyped(t *testing.T) {
	for name, form := range map[string]url.Values{
		"ages": {"min_age": {"twelve"}}, "attendees": {"max_attendees": {"0"}}, "source": {"source_link": {"javascript:alert(1)"}},
		"price": {"price_type": {"regular_price"}, "min_price": {"12,50,"}, "currency": {"EUR"}},
	} {
		c := start(t, stored())
		form.Set("base", base(t, c.Get(address).Body, "edit-"+name))
		for field, typed := range form {
			if field == "price_type" || field == "currency" || field == "base" {
				continue
			}
			got := c.Post(address+"/edit/"+name, form)
			if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `value="`+typed[0]+`"`) ||
				!strings.Contains(got.Body, `data-field="`+field+`"`) {
				t.Errorf("%s: %d %s", field, got.Status, got.Body)
			}
			got = c.Post(address+"/edit/"+name, form, pagetest.Script...)
			if got.Status != http.StatusOK || !strings.Contains(got.Body, `data-field="`+field+`"`) || strings.Contains(got.Body, "<html") {
				t.Errorf("%s by a script: %d %s", field, got.Status, got.Body)
			}
		}
	}
}

// TestHostileTextsAreShownAsText: what organizers write is no markup anywhere on the page.
func TestHostileTextsAreShownAsText(t *testing.T) {
	e := stored()
	hostile := `"><script>alert(1)</script>`
	e.Title, e.OrgName, e.Tags = hostile, hostile, []string{hostile}
	e.Summary, e.Description, e.SourceLink = "<script>alert(1)</script>", "[x](javascript:alert(1))", "javascript:alert(1)"
	body := start(t, e).Get(address).Body
	if strings.Contains(body, "<script>") || strings.Contains(body, `href="javascript`) {
		t.Error("markup of an organizer is on the page")
	}
}

// TestASavedPartBringsWhatChangesBesideIt: a script gets the checklist, the title and the looks.
func TestASavedPartBringsWhatChangesBesideIt(t *testing.T) {
	c := start(t, stored())
	body := c.Get(address).Body
	written := adminapi.WrittenHeader{HeaderPart: adminapi.HeaderPart{OrgUUID: pagetest.Org, Title: "Rock"}}
	written.Checklist = []adminapi.ChecklistItem{}
	c.Answer("PUT "+operation+"/header", http.StatusOK, written)
	got := c.Post(address+"/edit/title", url.Values{"title": {"Rock"}, "base": {base(t, body, "edit-title")}}, pagetest.Script...)
	for _, want := range []string{"data-saved", `hx-swap-oob="true">Rock</h1>`, `id="checklist"`, `name="undo"`} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("the answer has no %s: %s", want, got.Body)
		}
	}
	var values version.Values
	encoded, err := json.Marshal(written)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(encoded, &values); err != nil {
		t.Fatal(err)
	}
	if want := values.DigestOf("title", "subtitle"); !strings.Contains(got.Body, `name="base" value="`+want+`"`) {
		t.Errorf("the next save would begin with another digest than %s", want)
	}
}

// TestASavedPartIsReadOnce: people wait for it after each field.
func TestASavedPartIsReadOnce(t *testing.T) {
	c := start(t, stored())
	body := c.Get(address).Body
	before := len(c.Calls(""))
	c.Answer("PUT "+operation+"/header", http.StatusOK, adminapi.WrittenHeader{})
	c.Post(address+"/edit/title", url.Values{"title": {"Rock"}, "base": {base(t, body, "edit-title")}}, pagetest.Script...)
	if calls := c.Calls("")[before:]; len(calls) != 2 {
		t.Errorf("the service is asked %d times, want to be read and written once: %+v", len(calls), calls)
	}
}

// TestFoldedSections: a section below the short form says in a line what is filled in, a save
// replaces the line, and a form that is refused without scripts is open.
func TestFoldedSections(t *testing.T) {
	c := start(t, stored())
	body := c.Get(address).Body
	if !strings.Contains(body, `id="filled-kind" class="filled" dir="auto">`) || strings.Contains(body, `<details class="sheet-fold" open`) {
		t.Errorf("the folded sections do not say what they have: %s", body)
	}
	refused := c.Post(address+"/edit/ages", url.Values{"min_age": {"x"}, "base": {base(t, body, "edit-ages")}})
	if open := strings.Index(refused.Body, `<details class="sheet-fold" open`); open < 0 || open > strings.Index(refused.Body, `id="audience"`) {
		t.Error("the section of the refused form is folded up")
	}
	c.Answer("PUT "+operation+"/languages", http.StatusOK, map[string]any{"languages": []string{"da"}, "checklist": []adminapi.ChecklistItem{}})
	got := c.Post(address+"/edit/languages", url.Values{"languages": {"da"}, "base": {base(t, body, "edit-languages")}}, pagetest.Script...)
	if !strings.Contains(got.Body, `id="filled-languages" class="filled" dir="auto" hx-swap-oob="true">`) {
		t.Errorf("the line of the section stays: %s", got.Body)
	}
}

// TestARegularPriceIsOneAmount: styles hide the highest price while its placeholder shows.
func TestARegularPriceIsOneAmount(t *testing.T) {
	body := start(t, stored()).Get(address).Body
	for _, want := range []string{`<span class="label-alone">Amount</span> <span class="label-range">Price from</span>`, `id="max_price" name="max_price" type="text" value="" aria-describedby="max_price-error" inputmode="decimal" placeholder=" "`} {
		if !strings.Contains(body, want) {
			t.Errorf("the page has no %s", want)
		}
	}
}
