package curated

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/publicapi"
	siteList "litfass/services/site/internal/list"
	"litfass/services/site/internal/sitetest"
)

// TestList: the events of a list in its order, with the notes of its editor, described to search
// engines, in the language of the page.
func TestList(t *testing.T) {
	second, first := sitetest.Entry("Jazz <i>live</i>", "2026-11-23"), sitetest.Entry("Theater", "2026-11-24")
	first.UUID, first.DateUUID = "01920000-0000-7000-8000-0000000000e2", "01920000-0000-7000-8000-0000000000d2"
	list := publicapi.ListedEntries{
		List: publicapi.List{
			Slug: "tipps", Name: "Dieses Wochenende", Description: "Drei *Tipps*", Titles: map[string]string{"da": "Denne weekend"},
			Descriptions: map[string]string{},
		},
		Entries: []publicapi.ListEntry{{EventUUID: first.UUID, Note: "Unser <b>Tipp</b>"}, {EventUUID: second.UUID}},
	}
	events := []publicapi.Listed{first, second}
	api := &sitetest.ComputedAPI{Answers: map[string]func(url.Values) any{
		"/api/list/tipps": func(url.Values) any { return list },
		"/api/events":     func(url.Values) any { return publicapi.Events{Events: events} },
	}}
	ask := sitetest.Site(t, sitetest.Autumn, api, Mount)
	status, html := ask("/list/tipps?lang=de")
	if status != http.StatusOK {
		t.Fatal(status, html)
	}
	sitetest.Wants(t, html, "Dieses Wochenende</h1>", "Drei <em>Tipps</em>", "Unser &lt;b&gt;Tipp&lt;/b&gt;", `"@type":"ItemList"`, `"numberOfItems":2`,
		`"position":1,"url":"https://litfass.example/event/`+first.UUID+`","name":"Theater"`, `"name":"Jazz \u003ci\u003elive`,
		`rel="canonical" href="https://litfass.example/list/tipps`, `/api/events.ics?list=tipps&amp;not_over=true`, "/api/events.atom?list=tipps",
		`/embed/builder?lang=de&amp;list=tipps`, "/api/events.csv?list=tipps&amp;not_over=true", `href="/lists?lang=de"`)
	if strings.Index(html, `data-event="`+first.UUID) > strings.Index(html, `data-event="`+second.UUID) {
		t.Error("the events are in another order")
	}
	for _, query := range api.Queries("/api/events") {
		if query.Get("list") != "tipps" || query.Get("group") != "event" || query.Get("not_over") != "true" || query.Has("sort") {
			t.Errorf("asked for %v", query)
		}
	}
	if _, html = ask("/list/tipps?lang=da"); !strings.Contains(html, "Denne weekend</h1>") || !strings.Contains(html, "Drei <em>Tipps</em>") {
		t.Errorf("in Danish: %s", html)
	}
	api.Answers["/api/events/facets"] = func(url.Values) any { return sitetest.Counts() }
	search := sitetest.Site(t, sitetest.Autumn, api, siteList.Mount)
	if _, html = search("/?list=tipps&lang=da"); !strings.Contains(html, "Denne weekend") || strings.Count(html, `class="day"`) > 1 ||
		strings.Index(html, `data-event="`+first.UUID) > strings.Index(html, `data-event="`+second.UUID) {
		t.Errorf("as a filter: %s", html)
	}
	events = nil
	_, html = ask("/list/tipps?lang=de&again=1")
	sitetest.Wants(t, html, "steht gerade nichts bevor", "noindex")
	status, html = ask("/list/unknown?lang=de")
	if status != http.StatusNotFound {
		t.Error(status)
	}
	sitetest.Wants(t, html, "Diese Liste gibt es nicht")
}

// TestAllLists: those of which something is coming up, with the numbers of their dates.
func TestAllLists(t *testing.T) {
	var lists publicapi.PageOfLists
	for _, list := range []publicapi.List{
		{Slug: "leer", Name: "Empty"}, {Slug: "tipps", Name: "Tips <b>", Description: "Three *tips*", Titles: map[string]string{"de": "Tipps"}},
		{Slug: "one", Name: "One"},
	} {
		lists.Data = append(lists.Data, list.Short(1))
	}
	dates := map[string]int{"tipps": 3, "one": 1, "leer": 0}
	api := &sitetest.ComputedAPI{Answers: map[string]func(url.Values) any{
		"/api/lists": func(url.Values) any { return lists },
		"/api/events": func(query url.Values) any {
			total := dates[query.Get("list")]
			return publicapi.Events{Total: &total}
		},
	}}
	ask := sitetest.Site(t, sitetest.Autumn, api, Mount)
	_, html := ask("/lists")
	sitetest.Wants(t, html, "Selections</h1>", "Tips &lt;b&gt;", `href="/list/tipps"`, "Three tips", "3 dates", "One date")
	if strings.Contains(html, "/list/leer") || strings.Contains(html, "noindex") {
		t.Errorf("a list without anything to come is shown, or the page is hidden: %s", html)
	}
	for _, query := range api.Queries("/api/events") {
		if query.Get("not_over") != "true" || query.Get("total") != "true" {
			t.Errorf("asked for %v", query)
		}
	}
	if _, html = ask("/lists?lang=de"); !strings.Contains(html, ">Tipps</a>") || !strings.Contains(html, "3 Termine") {
		t.Errorf("in German: %s", html)
	}
	lists.NextCursor = "b&c"
	if _, html = ask("/lists?lang=de&cursor=a"); !strings.Contains(html, `rel="next" href="/lists?cursor=b%26c&amp;lang=de"`) || !strings.Contains(html, "noindex") {
		t.Errorf("the next page is not linked: %s", html)
	}
	if asked := api.Queries("/api/lists"); asked[0].Get("limit") == "" || asked[0].Has("cursor") || asked[len(asked)-1].Get("cursor") != "a" {
		t.Errorf("asked for %v", asked)
	}
	lists = publicapi.PageOfLists{}
	_, html = ask("/lists?lang=da")
	sitetest.Wants(t, html, "Der er ikke noget udvalg", "noindex")
}

// TestLabelsStandOnCards: by their names, or as they are where there is none.
func TestLabelsStandOnCards(t *testing.T) {
	event := sitetest.Entry("Jazz", "2026-11-23")
	api := &sitetest.ComputedAPI{Answers: map[string]func(url.Values) any{
		"/api/list/tipps": func(url.Values) any {
			return publicapi.ListedEntries{List: publicapi.List{Slug: "tipps", Name: "Tipps"}}
		},
		"/api/events": func(url.Values) any { return publicapi.Events{Events: []publicapi.Listed{event}} },
	}}
	if _, html := sitetest.Site(t, sitetest.Autumn, api, Mount)("/list/tipps"); strings.Contains(html, "tag-label") {
		t.Errorf("an event without labels has one: %s", html)
	}
	if asked := api.Queries("/api/choosable-labels"); len(asked) > 0 {
		t.Errorf("names were read for nothing: %v", asked)
	}
	event.Labels = []string{"tip", "new"}
	api.Answers["/api/choosable-labels"] = func(url.Values) any { return []publicapi.Item{{ID: "tip", Name: "Tip of the <b>week"}} }
	_, html := sitetest.Site(t, sitetest.Autumn, api, Mount)("/list/tipps?lang=en")
	sitetest.Wants(t, html, `<strong class="tag tag-label" dir="auto">Tip of the &lt;b&gt;week</strong>`, `<strong class="tag tag-label" dir="auto">new</strong>`)
}
