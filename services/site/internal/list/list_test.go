package list

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/site/internal/sitetest"
)

// TestListGroupsByDay: running events come first, then each day with its date.
func TestListGroupsByDay(t *testing.T) {
	running := sitetest.Entry("Exhibition", "2026-11-01")
	running.EndDate = value.Text("2026-12-31")
	app, api := sitetest.New(t, sitetest.Calendar(sitetest.Events(running, sitetest.Entry("Jazz", "2026-11-23"), sitetest.Entry("Rock", "2026-11-24"))), Mount)
	html := sitetest.Page(t, app, "/")
	sitetest.Wants(t, html, "31 events", "Already running", "Today, Monday, 23 November 2026", "Tomorrow, Tuesday, 24 November 2026",
		`data-event="01890000-0000-7000-8000-000000000001"`, `data-favourite="01890000-0000-7000-8000-000000000001"`,
		`webcal://litfass.example/api/events.ics?lang=en&amp;ongoing=true&amp;start=today`)
	if strings.Index(html, "Already running") > strings.Index(html, "Today, Monday") {
		t.Error("what runs already does not come first")
	}
	query := api.LastQuery("/api/events")
	if query.Get("group") != "event" || query.Get("start") != "today" || query.Get("ongoing") != "true" {
		t.Errorf("asked %v", query)
	}
}

// TestListFilters: the address is the filter of the API, of the form, and of the links that take it
// back.
func TestListFilters(t *testing.T) {
	app, api := sitetest.New(t, sitetest.Calendar(sitetest.Events(sitetest.Entry("Jazz", "2026-11-28"))), Mount)
	html := sitetest.Page(t, app, "/?categories=1&categories=6&city=kiel&on=weekend&price=20,EUR&tags=vinyl&age=&lang=en")
	sitetest.Wants(t, html,
		`<option value="Kiel" selected>`, `value="1" checked`, `value="6" checked`, `value="3">`,
		`<option value="20,EUR" selected>`, `<input type="hidden" form="filter" name="on" value="weekend">`,
		`<input type="hidden" form="filter" name="tags" value="vinyl">`, `<input type="hidden" form="filter" name="lang" value="en">`,
		`href="/?categories=6&amp;city=kiel&amp;lang=en&amp;on=weekend&amp;price=20%2CEUR&amp;tags=vinyl"`,   // without category 1
		`href="/?categories=1&amp;categories=6&amp;city=kiel&amp;lang=en&amp;price=20%2CEUR&amp;tags=vinyl"`, // without the weekend
		`href="/print?`, `href="/embed/builder?`, "Society", "up to €",
	)
	query := api.LastQuery("/api/events/facets")
	for name, want := range map[string]string{"city": "kiel", "on": "weekend", "group": "event", "by": counted, "start": "", "age": ""} {
		if got := query.Get(name); got != want {
			t.Errorf("%s: asked %q, want %q", name, got, want)
		}
	}
}

// TestListOffersGenres: genres are linked below the types that are chosen; chosen ones are fields,
// and lead back to their type. Neither address has both (RULES.md, Search).
func TestListOffersGenres(t *testing.T) {
	app, _ := sitetest.New(t, sitetest.Calendar(sitetest.Events(sitetest.Entry("Jazz", "2026-11-28"))), Mount)
	html := sitetest.Page(t, app, "/?event_types=2")
	sitetest.Wants(t, html, `name="event_types" value="2" checked`, `href="/?genres=21"`)
	sitetest.Lacks(t, html, `href="/?genres=51"`)
	html = sitetest.Page(t, app, "/?genres=21")
	sitetest.Wants(t, html, `name="genres" value="21" checked`, `href="/?event_types=2"`, "All of Concert")
	sitetest.Lacks(t, html, `name="event_types"`, `value="51"`)
}

// TestListPages: a full page leads to the next one by the cursor, every later page to the first.
func TestListPages(t *testing.T) {
	var entries []publicapi.Listed
	for i := range pageSize {
		entries = append(entries, sitetest.Entry(fmt.Sprint("Event ", i), "2026-11-24"))
	}
	app, _ := sitetest.New(t, sitetest.Calendar(sitetest.Events(entries...)), Mount)
	const next = "last_event_date_uuid=01890000-0000-7000-8000-0000000000d1&amp;last_event_start_at=2026-11-24T19%3A30"
	html := sitetest.Page(t, app, "/?city=Kiel")
	sitetest.Wants(t, html, `rel="next" href="/?city=Kiel&amp;`+next+`"`)
	sitetest.Lacks(t, html, `rel="start"`)
	html = sitetest.Page(t, app, "/?city=Kiel&"+strings.ReplaceAll(next, "&amp;", "&"))
	sitetest.Wants(t, html, `<a href="/?city=Kiel" rel="start">`, `<meta name="robots" content="noindex">`)
}

// TestEmptyListHelps: an empty answer leads on.
func TestEmptyListHelps(t *testing.T) {
	found := sitetest.Events()
	found.Hints = &publicapi.Hints{Search: "Jazz", Without: []publicapi.Relaxed{
		{Parameters: []string{"start", "ongoing"}, Count: 40}, {Parameters: []string{"city"}, Count: 1200},
		{Parameters: []string{"lon", "lat", "radius"}, Count: 3},
	}}
	app, _ := sitetest.New(t, sitetest.Calendar(found), Mount)
	html := sitetest.Page(t, app, "/?search=jaz&city=Kiel&lon=9.4&lat=54.8&radius=2500")
	sitetest.Wants(t, html, "Did you mean", `href="/?city=Kiel&amp;lat=54.8&amp;lon=9.4&amp;radius=2500&amp;search=Jazz"`,
		"without Kiel", "1,200 events", `href="/?lat=54.8&amp;lon=9.4&amp;radius=2500&amp;search=jaz"`,
		"without within 2.5 km", `href="/?city=Kiel&amp;search=jaz"`,
		"Past dates as well", `start=1900-01-01`)
}

// TestListInOrderOfRelevance: words order by relevance, without days.
func TestListInOrderOfRelevance(t *testing.T) {
	app, _ := sitetest.New(t, sitetest.Calendar(sitetest.Events(sitetest.Entry("Jazz", "2026-11-28"))), Mount)
	html := sitetest.Page(t, app, "/?search=jazz")
	sitetest.Wants(t, html, `href="/?search=jazz&amp;sort=start"`, `<h2 class="visually-hidden">Results</h2>`)
	sitetest.Lacks(t, html, `class="leaf"`)
	sitetest.Wants(t, sitetest.Page(t, app, "/?search=jazz&sort=start"), `class="leaf"`)
}

// TestFailuresLeadOn: an error names each parameter with a link that leaves it out.
func TestFailuresLeadOn(t *testing.T) {
	data := sitetest.Calendar(sitetest.Events())
	data["/api/events"] = sitetest.Failure{Status: http.StatusBadRequest, Body: `{"error":"the parameters are not valid","code":"invalid_parameters",
		"details":[{"field":"colour","reason":"is not known","code":"unknown","params":{}},{"field":"age","reason":"must be an age"}]}`}
	app, _ := sitetest.New(t, data, Mount)
	status, html := sitetest.Get(t, app, "/?colour=%3Cscript%3E&age=x&city=Kiel&lang=en")
	if status != http.StatusBadRequest {
		t.Errorf("status %d", status)
	}
	sitetest.Wants(t, html, "<code>colour</code> <span>This is not known here.</span>", `<code>age</code> <span lang="en">must be an age</span>`, `href="/?age=x&amp;city=Kiel&amp;lang=en"`, `role="search"`)
	sitetest.Lacks(t, html, "<script>")

	status, html = sitetest.Get(t, app, "/nothing-here")
	if status != http.StatusNotFound {
		t.Errorf("status %d", status)
	}
	sitetest.Wants(t, html, "There is nothing here", `role="search"`)

	data["/api/events"] = sitetest.Failure{Status: http.StatusServiceUnavailable, Body: "{}"}
	if status, html = sitetest.Get(t, app, "/?city=Kiel"); status != http.StatusServiceUnavailable {
		t.Errorf("status %d", status)
	}
	sitetest.Wants(t, html, `href="/?city=Kiel">Try again</a>`)
}

// TestFailureOfUnreadRequest: a request that is refused before it is read gets a page, too.
func TestFailureOfUnreadRequest(t *testing.T) {
	app, _ := sitetest.New(t, sitetest.Calendar(sitetest.Events()), Mount)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- app.Listener(listener) }()
	answer, err := http.Get("http://" + listener.Addr().String() + "/?search=" + strings.Repeat("a", 1<<18))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	html, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("status %d (%v)", answer.StatusCode, err)
	}
	sitetest.Wants(t, string(html), "This search cannot be understood")
	if err := app.Shutdown(); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// TestFavourites: the address names the events; without any, the page explains how to mark them.
func TestFavourites(t *testing.T) {
	app, api := sitetest.New(t, sitetest.Calendar(sitetest.Events(sitetest.Entry("Jazz", "2026-11-23"))), Mount)
	sitetest.Wants(t, sitetest.Page(t, app, "/favourites"), "No favourites yet", "<noscript>", "data-favourites")
	const one, two = "01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002"
	html := sitetest.Page(t, app, "/favourites?event_uuids="+one+","+two)
	sitetest.Wants(t, html, "Jazz", "1 favourite has no upcoming dates.", `href="/print?event_uuids=`+url.QueryEscape(one+","+two)+`"`)
	if query := api.LastQuery("/api/events").Get("event_uuids"); query != one+","+two {
		t.Errorf("asked for %q", query)
	}
	many := make([]string, maxFavourites+1)
	for i := range many {
		many[i] = fmt.Sprintf("01890000-0000-7000-8000-%012d", i)
	}
	for _, address := range []string{"/favourites?city=Kiel", "/favourites?event_uuids=" + strings.Join(many, ",")} {
		if status, _ := sitetest.Get(t, app, address); status != http.StatusBadRequest {
			t.Errorf("%.40s answers %d", address, status)
		}
	}
}

// TestPrintSheet: the sheet lists dates in the order of their start, with their streets.
func TestPrintSheet(t *testing.T) {
	app, api := sitetest.New(t, sitetest.Calendar(sitetest.Events(sitetest.Entry("Jazz", "2026-11-23"))), Mount)
	html := sitetest.Page(t, app, "/print?city=Kiel&search=jazz")
	sitetest.Wants(t, html, "Today, Monday, 23 November 2026", "Kulturhof, Flensburg, Hafen 3", "https://litfass.example/?city=Kiel&amp;search=jazz",
		"“jazz” · Kiel", "data-print", "free")
	query := api.LastQuery("/api/events")
	if query.Get("limit") != strconv.Itoa(sheetSize) || query.Has("group") || query.Get("sort") != "start" {
		t.Errorf("asked %v", query)
	}
}
