package list

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/site/internal/sitetest"
)

// TestListGroupsByDay: what begins today comes first, then the strip of what began before, then
// each later day.
func TestListGroupsByDay(t *testing.T) {
	run := sitetest.Entry("Exhibition", "2026-11-01")
	run.EndDate = value.Text("2027-10-31")
	api := programOf(run, sitetest.Entry("Jazz", "2026-11-23"), sitetest.Entry("Rock", "2026-11-24"))
	_, html := sitetest.Site(t, sitetest.Monday, api, Mount)("/")
	sitetest.Wants(t, html, "31 events", "Already running", "On view until Sun 31 Oct 2027", "Today, Monday, 23 November 2026", "Tomorrow, Tuesday, 24 November 2026",
		`data-event="01890000-0000-7000-8000-000000000001"`, `data-favourite="01890000-0000-7000-8000-000000000001"`,
		`<span class="card-time">19:30</span>`, `webcal://litfass.example/api/events.ics?lang=en&amp;ongoing=true&amp;start=today`)
	today, runs, tomorrow := strings.Index(html, "Today, Monday"), strings.Index(html, "Already running"), strings.Index(html, "Tomorrow, Tuesday")
	if today > runs || runs > tomorrow {
		t.Errorf("today stands at %d, the runs at %d, tomorrow at %d", today, runs, tomorrow)
	}
	for _, want := range []string{"group=event&lang=en&limit=24&not_over=true&start=today", "group=event&lang=en&limit=6&not_over=true&ongoing=true&sort=start&start=today&starts_before=2026-11-22&total=true"} {
		if !slices.ContainsFunc(api.Queries("/api/events"), func(query url.Values) bool { return query.Encode() == want }) {
			t.Errorf("the API was not asked for %s but %v", want, api.Queries("/api/events"))
		}
	}
	if got := api.Queries("/api/events/facets")[0]; got.Get("not_over") != "true" || got.Get("ongoing") != "true" || got.Get("group") != "event" {
		t.Errorf("counted %v", got)
	}
}

// TestWhatIsOverIsFolded: an event of today that is over is folded below those that are not, and
// counted.
func TestWhatIsOverIsFolded(t *testing.T) {
	over, open := sitetest.Entry("Matinee", "2026-11-23"), sitetest.Entry("Jazz", "2026-11-23")
	over.UUID, over.EndTime = "01890000-0000-7000-8000-000000000002", "09:00"
	for _, path := range []string{"/", "/?on=today"} {
		_, html := sitetest.Site(t, sitetest.Monday, programOf(over, open), Mount)(path)
		sitetest.Wants(t, html, "1 earlier today")
		if jazz, fold, matinee := strings.Index(html, ">Jazz<"), strings.Index(html, "<details class=\"earlier\""), strings.Index(html, ">Matinee<"); jazz > fold || fold > matinee {
			t.Errorf("%s: Jazz at %d, the fold at %d, the matinee at %d", path, jazz, fold, matinee)
		}
	}
	_, html := sitetest.Site(t, sitetest.Monday, programOf(over, open), Mount)("/?on=tomorrow")
	sitetest.Lacks(t, html, "earlier today")
}

// TestListsSayWhenTheyExpire: others keep a list until the first of its answers expires at most.
func TestListsSayWhenTheyExpire(t *testing.T) {
	api, end := programOf(sitetest.Entry("Jazz", "2026-11-23")), sitetest.Monday.Add(time.Minute)
	app := sitetest.Over(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("not_over") {
			w.Header().Set("Expires", end.Format(http.TimeFormat))
		}
		api.ServeHTTP(w, r)
	}), sitetest.Monday, Mount)
	for path, want := range map[string]string{"/": end.Format(http.TimeFormat), "/?on=tomorrow": ""} {
		if _, head, _ := sitetest.Ask(t, app, http.MethodGet, path, ""); head.Get("Expires") != want {
			t.Errorf("%s expires %q, want %q", path, head.Get("Expires"), want)
		}
	}
}

// programOf answers for a catalogue of these entries, in order of their start, as the public API
// does: it understands start, starts_before, ongoing and not_over, at the time of the tests.
func programOf(entries ...publicapi.Listed) *sitetest.ComputedAPI {
	const today, now = "2026-11-23", "10:00"
	return &sitetest.ComputedAPI{Answers: map[string]func(url.Values) any{
		"/api/events/facets": func(url.Values) any { return sitetest.Counts() },
		"/api/events": func(query url.Values) any {
			var found []publicapi.Listed
			start := strings.Replace(query.Get("start"), "today", today, 1)
			for _, entry := range entries {
				begin, end := entry.StartDate, cmp.Or(string(entry.EndDate), entry.StartDate)
				over := end < today || end == today && entry.EndTime != "" && string(entry.EndTime) <= now
				if query.Get("ongoing") == "true" {
					begin = end
				}
				if begin < start || entry.StartDate > cmp.Or(query.Get("starts_before"), "9") || query.Get("not_over") == "true" && over {
					continue
				}
				found = append(found, entry)
			}
			return sitetest.Events(found...)
		},
	}}
}

// TestListFilters: the address is the filter of the API, of the form, and of the links that take it
// back.
func TestListFilters(t *testing.T) {
	app, api := sitetest.New(t, sitetest.Calendar(sitetest.Events(sitetest.Entry("Jazz", "2026-11-28"))), Mount)
	html := sitetest.Page(t, app, "/?categories=1&categories=6&city=kiel&on=weekend&price=20,EUR&tags=vinyl&age=&lang=en")
	sitetest.Wants(t, html,
		`<option value="Kiel" selected>`, `value="1" checked`, `value="6" checked`, `value="3">`, `name="price_types" value="free"`,
		`<option value="20,EUR" selected>`, `<input type="hidden" form="filter" name="on" value="weekend">`,
		`<input type="hidden" form="filter" name="tags" value="vinyl">`, `<input type="hidden" form="filter" name="lang" value="en">`,
		`href="/?categories=6&amp;city=Kiel&amp;lang=en&amp;on=weekend&amp;price=20%2CEUR&amp;tags=vinyl"`,   // without category 1
		`href="/?categories=1&amp;categories=6&amp;city=Kiel&amp;lang=en&amp;price=20%2CEUR&amp;tags=vinyl"`, // without the weekend
		`href="/print?`, `href="/embed/builder?`, "Society", "up to €",
	)
	query := api.LastQuery("/api/events/facets")
	for name, want := range map[string]string{"city": "kiel", "on": "weekend", "group": "event", "by": "city,categories,event_types,price_type,languages,accessibility,label,availability,contributor", "start": "", "age": ""} {
		if got := query.Get(name); got != want {
			t.Errorf("%s: asked %q, want %q", name, got, want)
		}
	}
}

// TestATypeOfPriceThatNoEventHas is named in the form as any other, and takes the place of one that
// the address has in the other parameter.
func TestATypeOfPriceThatNoEventHas(t *testing.T) {
	data := sitetest.Calendar(sitetest.Events(sitetest.Entry("Jazz", "2026-11-28")))
	data["/api/choosable-price-types"] = `[{"id":"donation","name":"Pay what you want"},{"id":"tiered_prices","name":"Tiers"}]`
	app, _ := sitetest.New(t, data, Mount)
	for _, query := range []string{"price=donation", "price=donation&price_types=tiered_prices"} {
		html := sitetest.Page(t, app, "/?lang=en&"+query)
		sitetest.Wants(t, html, `value="donation" checked> <span dir="auto">Pay what you want</span>`)
		sitetest.Lacks(t, html, `<option value="donation"`, `value="tiered_prices" checked`)
	}
}

// TestListOffersContributors: those with the most dates, and chosen ones. Notes distinguish
// namesakes.
func TestListOffersContributors(t *testing.T) {
	const chosen = "01890000-0000-7000-8000-0000000000c1"
	data := sitetest.Calendar(sitetest.Events(sitetest.Entry("Jazz", "2026-11-28")))
	counts := sitetest.Counts()
	for i := range 30 {
		counts.Facets["contributor"] = append(counts.Facets["contributor"], publicapi.Facet{
			Value: fmt.Sprintf("01890000-0000-7000-8000-0000000000d%02d", i), Name: fmt.Sprintf("Trio %d", i), Count: 40 - i,
		})
	}
	const here, there = "01890000-0000-7000-8000-0000000000d03", "01890000-0000-7000-8000-0000000000d07"
	counts.Facets["contributor"][3].Name, counts.Facets["contributor"][7].Name = "Bo", "BO"
	data["/api/contributor/"+here] = publicapi.Contributor{UUID: here, Name: "Bo", Note: "Harp"}
	data["/api/contributor/"+there] = publicapi.Contributor{UUID: there, Name: "BO"}
	data["/api/events/facets"] = counts
	data["/api/contributor/"+chosen] = publicapi.Contributor{UUID: chosen, Name: "Anna", Note: "Kiel"}
	app, _ := sitetest.New(t, data, Mount)
	html := sitetest.Page(t, app, "/?lang=en&contributor="+chosen)
	sitetest.Wants(t, html, "Trio 0<", "Trio 23<", "Bo (Harp)<", "BO<", `value="`+chosen+`" checked> <span dir="auto">Anna (Kiel)</span>`, `<span class="chip-name" dir="auto">Anna (Kiel)</span>`)
	sitetest.Lacks(t, html, "Trio 24<", `type="hidden" form="filter" name="contributor"`)
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

// TestListsWorthFinding: search engines index the list of everything, and lists of a town, a kind
// or both with some events; a shared list shows an image.
func TestListsWorthFinding(t *testing.T) {
	entry := sitetest.Entry("Jazz", "2026-11-24")
	entry.ImageUUID = "01890000-0000-7000-8000-0000000000b1"
	few := sitetest.Calendar(sitetest.Events(entry))
	counts := sitetest.Counts()
	counts.Total = 2
	few["/api/events/facets"] = counts
	many := sitetest.Calendar(sitetest.Events(entry))
	for query, want := range map[string][2]bool{ // whether few and many are indexed
		"": {true, true}, "?lang=de": {true, true}, "?city=Kiel": {false, true}, "?event_types=2": {false, true},
		"?city=Kiel&event_types=2": {false, true}, "?city=Kiel&city=Husum": {}, "?event_types=2,5": {}, "?tags=jazz": {},
		"?city=Kiel&tags=jazz": {}, "?search=jazz": {}, "?on=today": {},
		"?city=K*": {},
	} {
		for i, data := range []map[string]any{few, many} {
			app, _ := sitetest.New(t, data, Mount)
			html := sitetest.Page(t, app, "/"+query)
			if got := !strings.Contains(html, `name="robots"`); got != want[i] {
				t.Errorf("%q: indexed %t, want %t", query, got, want[i])
			}
			sitetest.Wants(t, html, `property="og:image"`)
		}
	}
}

// TestListsAreNamedAsPeopleSearch: title, heading and description name the town and the kind.
func TestListsAreNamedAsPeopleSearch(t *testing.T) {
	app, _ := sitetest.New(t, sitetest.Calendar(sitetest.Events(sitetest.Entry("Jazz", "2026-11-24"))), Mount)
	for query, want := range map[string][3]string{
		"":                         {"<title>Litfass</title>", `<span class="found-from">from today</span>`, `content="31 events from today: `},
		"?city=Kiel":               {"<title>Events in Kiel – Litfass</title>", `<span class="found-from">in Kiel</span>`, `content="31 events in Kiel from today: `},
		"?event_types=2":           {"<title>Concert: upcoming events – Litfass</title>", `<span class="found-from">· Concert</span>`, `content="31 events: Concert"`},
		"?city=Kiel&event_types=2": {"<title>Concert in Kiel – Litfass</title>", `<span class="found-from">· Concert in Kiel</span>`, `content="31 events: Concert in Kiel"`},
		"?city=Kiel&lang=da":       {"<title>Arrangementer i Kiel – Litfass</title>", `<span class="found-from">i Kiel</span>`, `content="31 arrangementer i Kiel fra i dag: `},
	} {
		sitetest.Wants(t, sitetest.Page(t, app, "/"+query), want[:]...)
	}
	sitetest.Wants(t, sitetest.Page(t, app, "/?city=KIEL"), `rel="canonical" href="https://litfass.example/?city=Kiel"`, "<title>Events in Kiel –")
	html := sitetest.Page(t, app, "/?city=Kiel&tags=jazz")
	sitetest.Wants(t, html, "<title>Kiel · jazz – Litfass</title>")
	sitetest.Lacks(t, html, "found-from")
}

// TestListsLinkEachOther: the list of everything links those of towns and kinds with some events,
// that of a town its kinds, that of a kind its towns, and any other list none.
func TestListsLinkEachOther(t *testing.T) {
	data := sitetest.Calendar(sitetest.Events(sitetest.Entry("Jazz", "2026-11-24")))
	counts := sitetest.Counts()
	counts.Facets["city"] = append(counts.Facets["city"], publicapi.Facet{Value: "Husum", Count: 2})
	data["/api/events/facets"] = counts
	app, _ := sitetest.New(t, data, Mount)
	towns := []string{"/?city=Kiel", "/?city=Flensburg"}
	kinds := []string{"/?event_types=2", "/?event_types=5"}
	for path, want := range map[string][]string{
		"/": append(towns, kinds...), "/?city=Kiel": {"/?city=Kiel&event_types=2", "/?city=Kiel&event_types=5"},
		"/?event_types=2&lang=de":   {"/?city=Kiel&event_types=2&lang=de", "/?city=Flensburg&event_types=2&lang=de"},
		"/?city=Kiel&event_types=2": nil, "/?search=jazz": nil, "/?on=today": nil,
	} {
		_, links, found := strings.Cut(sitetest.Page(t, app, path), `<nav class="landings`)
		links, _, _ = strings.Cut(links, "</nav>")
		if got := sitetest.Attributes(links, "href"); found != (want != nil) || !slices.Equal(got, want) {
			t.Errorf("%s links %q, want %q", path, got, want)
		}
	}
}

// TestEmptyListHelps: an empty answer leads on.
func TestEmptyListHelps(t *testing.T) {
	found := sitetest.Events()
	found.Hints = &publicapi.Hints{Search: "Jazz", Without: []publicapi.Relaxed{
		{Parameters: []string{"start", "ongoing"}, Count: 40}, {Parameters: []string{"city"}, Count: 1200},
		{Parameters: []string{"lon", "lat", "radius"}, Count: 3}, {Parameters: []string{"not_over"}, Count: 2},
	}}
	app, _ := sitetest.New(t, sitetest.Calendar(found), Mount)
	html := sitetest.Page(t, app, "/?search=jaz&city=Kiel&lon=9.4&lat=54.8&radius=2500&exact=true")
	sitetest.Wants(t, html, "Did you mean", `href="/?city=Kiel&amp;lat=54.8&amp;lon=9.4&amp;radius=2500&amp;search=Jazz"`,
		"without Kiel", "1,200 events", `href="/?lat=54.8&amp;lon=9.4&amp;radius=2500&amp;search=jaz"`,
		"without within 2.5 km", `href="/?city=Kiel&amp;search=jaz"`,
		"Include past dates", `start=1900-01-01`, "2 earlier today", `not_over=false`, `href="/console/signup"`)
}

// TestSearchForgives: words without results are replaced by the API's spelling of them, with a way
// back to the words as they were typed. Those are searched as they are.
func TestSearchForgives(t *testing.T) {
	api := programOf()
	api.Answers["/api/events"] = func(query url.Values) any {
		if query.Get("search") == "Jazz Konzert" {
			return sitetest.Events(sitetest.Entry("Jazz am Hafen", "2026-11-28"))
		}
		found := sitetest.Events()
		found.Hints = &publicapi.Hints{Search: "Jazz Konzert"}
		return found
	}
	get := sitetest.Site(t, sitetest.Monday, api, Mount)
	_, html := get("/?search=jaz+konzert&city=Kiel&lang=en")
	sitetest.Wants(t, html, "Jazz am Hafen", "No events match “jaz konzert”. These are the results for “Jazz Konzert”.",
		`href="/?city=Kiel&amp;exact=true&amp;lang=en&amp;search=jaz+konzert"`, `value="jaz konzert"`,
		`events.ics?city=Kiel&amp;lang=en&amp;ongoing=true&amp;search=Jazz+Konzert&amp;start=today`)
	if counted := api.Queries("/api/events/facets"); counted[len(counted)-1].Get("search") != "Jazz Konzert" {
		t.Errorf("counted %v", counted)
	}
	_, html = get("/?search=jaz+konzert&city=Kiel&lang=en&exact=true")
	sitetest.Wants(t, html, "Did you mean", "No events match this search.")
	sitetest.Lacks(t, html, "Jazz am Hafen")
	for _, query := range api.Queries("/api/events") {
		if query.Has("exact") {
			t.Errorf("the API was asked %v", query)
		}
	}
}

// TestTheMenuCarriesTheFilter: the list, the calendar and the map of a filter lead to each other;
// the calendar without days.
func TestTheMenuCarriesTheFilter(t *testing.T) {
	_, html := sitetest.Site(t, sitetest.Monday, programOf(), Mount)("/?city=Kiel&on=weekend&lang=en&sort=start")
	sitetest.Wants(t, html, `href="/?city=Kiel&amp;lang=en&amp;on=weekend"`, `href="/month?city=Kiel&amp;lang=en"`, `href="/map?city=Kiel&amp;lang=en&amp;on=weekend"`,
		`<a class="skip" href="#found">Skip to the results</a>`)
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
	sitetest.Wants(t, html, "<code>colour</code> <span>This is unknown.</span>", `<code>age</code> <span lang="en">must be an age</span>`, `href="/?age=x&amp;city=Kiel&amp;lang=en"`, `role="search"`)
	sitetest.Lacks(t, html, "<script>")

	status, html = sitetest.Get(t, app, "/nothing-here")
	if status != http.StatusNotFound {
		t.Errorf("status %d", status)
	}
	sitetest.Wants(t, html, "Page not found", `role="search"`)

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
	sitetest.Wants(t, string(html), "We do not understand this search")
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

// TestSeveralDaysFromTodayOn: a date of several days that begins on the day below which it stands
// says when it begins and ends, and not that it is still on. A cancelled one has no price.
func TestSeveralDaysFromTodayOn(t *testing.T) {
	festival := sitetest.Entry("Festival", "2026-11-23")
	festival.EndDate = value.Text("2026-11-29")
	off := sitetest.Entry("Rock", "2026-11-24")
	off.ReleaseStatus = "cancelled"
	get := sitetest.Site(t, sitetest.Monday, programOf(festival, off), Mount)
	_, cards := get("/?lang=en")
	sitetest.Wants(t, cards, `<span class="card-time">19:30</span> <span class="card-until">until Sun 29 Nov</span>`)
	_, sheet := get("/print?lang=en")
	sitetest.Wants(t, sheet, `<span class="print-hours">19:30 until Sun 29 Nov</span>`)
	for address, page := range map[string]string{"/": cards, "/print": sheet} {
		if prices := strings.Count(page, `"tag">free<`) + strings.Count(page, `"print-price">free<`); prices != 1 {
			t.Errorf("%s has %d prices, want only that of the festival", address, prices)
		}
		sitetest.Lacks(t, page, "On view until")
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
