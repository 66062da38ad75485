package event

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page/pagetest"
)

const past = operation + "/history"

// withHistory runs the pages over a service that knows what was done to an event.
func withHistory(t *testing.T, e adminapi.Event, entries ...adminapi.HistoryEntry) *pagetest.Console {
	t.Helper()
	c := start(t, e)
	c.Answer("GET "+past, http.StatusOK, adminapi.EventHistory{
		Entries: entries, Page: adminapi.Page{Limit: 25, Offset: 25, TotalCount: 60},
	})
	return c
}

// written is a write with what was there before and after it.
func written(before, after string) adminapi.HistoryEntry {
	return adminapi.HistoryEntry{
		ID: 9, At: time.Date(2026, 11, 22, 18, 5, 0, 0, time.UTC), ActorName: "Edda", Action: "event.update",
		Before: json.RawMessage(before), After: json.RawMessage(after),
	}
}

func TestTheHistorySaysWhoDidWhat(t *testing.T) {
	outside, key, own := written(`{}`, `{}`), written(`{}`, `{}`), written("null", `{"title":"Jazz","subtitle":null}`)
	outside.ActorName, key.ActorName, key.WithKey, own.Own, own.Action = "", "", true, true, "event.create"
	c := withHistory(t, stored(), written(`{"occasion":0,"tags":["alt"],"labels":[]}`, `{"occasion":2,"tags":["hafen"],"labels":["tip"]}`), outside, key, own)
	if body := c.Get(address).Body; !strings.Contains(body, `href="`+address+`/history"`) {
		t.Error("the page does not lead to the history")
	}
	body := c.Get(address + "/history?page=2").Body
	for _, want := range []string{
		"Edda", "Someone outside the team", "A program with an API key", ">You<", "Event changed", "Event added",
		"22 November 2026, ", `datetime="2026-11-22T18:05:00Z"`, `<dt>Tags</dt>`, `<dt>Labels</dt>`, ">tip</ins>", ">alt</del>", ">hafen</ins>", ">nothing</del>",
		">Premiere</ins>", ">Jazz</ins>", `rel="next"`, `rel="prev"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is missing in %s", want, body)
		}
	}
	if strings.Contains(body, "<dt>Subtitle</dt>") {
		t.Error("a new event shows a field that it does not have")
	}
	if query := c.Calls("GET " + past)[0].Query; query.Get("limit") != "25" || query.Get("offset") != "25" {
		t.Errorf("the service is asked for %v", query)
	}
}

// TestTheHistoryNamesSeriesAndContributors: also after a decision that another organization made.
func TestTheHistoryNamesSeriesAndContributors(t *testing.T) {
	const fest, left, anna = "01920000-0000-7000-8000-0000000000f1", "01920000-0000-7000-8000-0000000000f2", "01920000-0000-7000-8000-0000000000c1"
	e := stored()
	e.Series = []adminapi.EventSeries{{SeriesUUID: fest, State: "accepted"}}
	e.NamedContributors = []adminapi.NamedContributor{{UUID: anna, Name: "Anna <b>"}}
	c := withHistory(t, e, written(
		`{"series":[{"series_uuid":"`+fest+`","state":"asked"},{"series_uuid":"`+left+`","state":"refused"}],"contributors":[]}`,
		`{"series":[{"series_uuid":"`+fest+`","state":"accepted"}],"contributors":[{"uuid":"`+anna+`","role":"dj"}]}`))
	c.Answer("GET /api/admin/user/choosable-series", 200, adminapi.ChoosableSeries{Series: []adminapi.SeriesChoice{{UUID: fest, Title: "Hafenfest"}}})
	body := c.Get(address + "/history").Body
	for _, want := range []string{
		"<dt>Series</dt>", ">Hafenfest (Waits for a decision); another series (Refused)</del>", ">Hafenfest (Belongs to it)</ins>",
		"<dt>Contributors</dt>", ">Anna &lt;b&gt; (dj)</ins>",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is missing in %s", want, body)
		}
	}
}

// TestRestoring sends what the page offers, and compares it with the body that the service gets.
func TestRestoring(t *testing.T) {
	e := stored()
	c := withHistory(t, e,
		written(`{"title":"Blues","subtitle":"mit Blick","release_status":"draft","venue_uuid":null,"org_uuid":"x"}`, `{"title":"Jazz am Hafen"}`),
		written("null", `{"title":"Blues"}`))
	body := c.Get(address + "/history").Body
	if got := regexp.MustCompile(`data-restore="([^"]*)"`).FindAllStringSubmatch(body, -1); len(got) != 1 || got[0][1] != "title" {
		t.Fatalf("the page restores %v", got)
	}
	_, form, _ := strings.Cut(body, `action="`+address+`/edit/title"`)
	match := regexp.MustCompile(`name="base" value="([^"]*)".*?name="undo" value="([^"]*)"`).FindStringSubmatch(form)
	if match == nil || match[2] != `{&#34;title&#34;:&#34;Blues&#34;}` || !strings.Contains(form, "Restore: Title\n") && !strings.Contains(form, "Restore: Title<") {
		t.Fatalf("the form is %v in %s", match, form)
	}
	c.Answer("PUT "+operation+"/header", http.StatusOK, adminapi.HeaderPart{Title: "Blues"})
	sent := url.Values{"base": {match[1]}, "undo": {`{"title":"Blues"}`}}
	got := c.Post(address+"/edit/title", sent)
	calls := c.Calls("PUT " + operation + "/header")
	if got.Status != http.StatusSeeOther || len(calls) != 1 || string(calls[0].Body) != `{"title":"Blues"}` {
		t.Errorf("%d, %d writes", got.Status, len(calls))
	}
	e.Title = "Rock"
	c.Answer("GET "+operation, http.StatusOK, e)
	if got := c.Post(address+"/edit/title", sent); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `class="conflict"`) {
		t.Errorf("a title that another person has changed: %d", got.Status)
	}
}

// TestRestoringLongTexts: of a long text the service sends the changed passage. The page shows it,
// and restores the whole.
func TestRestoringLongTexts(t *testing.T) {
	around := strings.Repeat("Musik am Hafen. ", 500)
	e := stored()
	e.Description = value.Text(around + "Blues" + around)
	passage := func(word string) string {
		encoded, err := json.Marshal(map[string]any{"description": adminapi.PassageOf(around+word+around, 8_000, 8_000, 100)})
		if err != nil {
			t.Fatal(err)
		}
		return string(encoded)
	}
	body := withHistory(t, e, written(passage("Jazz"), passage("Blues"))).Get(address + "/history").Body
	for _, want := range []string{">… Jazz …</del>", ">… Blues …</ins>", around + "Jazz" + around + `&#34;}"`} {
		if !strings.Contains(body, want) {
			t.Errorf("%.40s is missing in %s", want, body)
		}
	}
}

func TestViewersRestoreNothing(t *testing.T) {
	e := stored()
	e.ReleaseStatus = adminapi.StatusReleased
	c := withHistory(t, e, written(`{"title":"Blues","release_date":"2026-12-01T10:00:00Z"}`, `{"title":"Jazz am Hafen","release_date":null}`))
	c.Member(permission.EditEvent)
	if got := c.Get(address + "/history"); got.Status != http.StatusOK || strings.Contains(got.Body, `data-restore=`) {
		t.Errorf("a person who may not release events: %d, or something public to restore", got.Status)
	}
	c.Member(permission.ViewEventInsights)
	if body := c.Get(address).Body; strings.Contains(body, `/history"`) {
		t.Error("the history is offered to a viewer")
	}
	if got := c.Get(address + "/history"); got.Status != http.StatusForbidden || strings.Contains(got.Body, "data-restore") {
		t.Errorf("a viewer gets %d", got.Status)
	}
}

func TestTheHistoryEscapesWhatPeopleWrote(t *testing.T) {
	const hostile = `"><script>alert(1)</script>`
	quoted, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	entry := written(
		`{"title":`+string(quoted)+`,"event_links":[{"label":`+string(quoted)+`}],"images":7}`,
		`{"title":"Jazz","event_links":[],"description":"`+strings.Repeat("ä", 5_000)+`"}`)
	entry.ActorName, entry.Action = hostile, hostile
	body := withHistory(t, stored(), entry).Get(address + "/history").Body
	if strings.Contains(body, "<script>alert") || strings.Count(body, "&lt;script&gt;alert(1)") < 4 {
		t.Errorf("a text is not escaped in %s", body)
	}
	if count := strings.Count(body, "ä"); count != maxShown {
		t.Errorf("%d characters of a long text are shown", count)
	}
}
