package embed

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/site/internal/sitetest"
)

// embedSite is a site whose API finds the given entries, and refuses a parameter "veiw".
type embedSite struct {
	get func(path string) (status int, head http.Header, body string)

	mu       sync.Mutex
	requests []url.Values                        // of the event search
	find     func(url.Values) []publicapi.Listed // answers the event search
}

func newEmbedSite(t *testing.T, found ...publicapi.Listed) *embedSite {
	t.Helper()
	site := &embedSite{find: func(url.Values) []publicapi.Listed { return found }}
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { site.answer(w, r) })
	d := sitetest.Deps(t, api, time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC))
	d.Framed = Framed
	app := sitetest.App(d, slog.DiscardHandler, Mount)
	site.get = func(path string) (int, http.Header, string) {
		t.Helper()
		return sitetest.Ask(t, app, http.MethodGet, path, "")
	}
	return site
}

func (s *embedSite) answer(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var payload any
	switch r.URL.Path {
	case "/api/events":
		s.requests = append(s.requests, r.URL.Query())
		if r.URL.Query().Has("veiw") {
			w.WriteHeader(http.StatusBadRequest)
			payload = map[string]any{"error": "no", "code": "invalid", "details": []map[string]string{{"field": "veiw", "reason": "is not known"}}}
			break
		}
		payload = map[string]any{"data": publicapi.Events{Events: s.find(r.URL.Query())}}
	case "/api/choosable-categories":
		payload = []Choosable{{ID: 1, Name: "Culture"}, {ID: 2, Name: "Education"}}
	case "/api/choosable-event-types":
		payload = []Choosable{{ID: 7, Name: "Concert"}, {ID: 8, Name: "<b>Play</b>"}}
	default:
		payload = map[string]any{"data": map[string]any{}}
	}
	_ = json.NewEncoder(w).Encode(payload) // the test sees what is missing
}

// last returns the parameters of the last event search.
func (s *embedSite) last() url.Values {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[len(s.requests)-1]
}

func listed(title, status, start, end string) publicapi.Listed {
	startDay, startTime, _ := strings.Cut(start, "T")
	endDay, endTime, _ := strings.Cut(end, "T")
	return publicapi.Listed{Entry: publicapi.Entry{
		UUID: "01943aa0-bc00-75fc-acba-ab2e6a2c0e81", DateUUID: "01943aa0-bc00-70fd-93dc-9b60cbbed057", Title: title,
		ReleaseStatus: status, StartDate: startDay, StartTime: startTime, AllDay: startTime == "",
		EndDate: value.Text(endDay), EndTime: value.Text(endTime), VenueName: "Deutsches <b>Haus</b>", VenueCity: "Flensburg",
	}}
}

// embedEntries are hostile, cancelled, over midnight, and over several days.
func embedEntries() []publicapi.Listed {
	return []publicapi.Listed{
		listed(`</a><script>alert(1)</script>`, "released", "2026-11-19T20:00", "2026-11-20T02:00"),
		listed("Tango", "cancelled", "2026-11-20T19:30", ""),
		listed("Fair", "released", "2026-11-21", "2026-11-23"),
	}
}

// TestOnlyTheEmbedMayBeFramed, also when it explains an error.
func TestOnlyTheEmbedMayBeFramed(t *testing.T) {
	site := newEmbedSite(t)
	for path, framed := range map[string]bool{
		"/embed": true, "/embed?view=month": true, "/embed?veiw=1": true, "/embed?view=year": true, "/embed?format=fragment": true,
		"/": false, "/embed/builder": false, "/nowhere": false,
	} {
		_, head, _ := site.get(path)
		policy, deny := head.Get("Content-Security-Policy"), head.Get("X-Frame-Options")
		if framed && (!strings.HasSuffix(policy, "frame-ancestors *") || deny != "" || head.Get("Access-Control-Allow-Origin") != "*") {
			t.Errorf("%s cannot be shown: %q %q", path, policy, deny)
		}
		if !framed && (!strings.HasSuffix(policy, "frame-ancestors 'none'") || deny != "DENY" || head.Get("Access-Control-Allow-Origin") != "") {
			t.Errorf("%s can be framed: %q %q", path, policy, deny)
		}
	}
}

var (
	classes = regexp.MustCompile(`class="([^"]*)"`)
	anchors = regexp.MustCompile(`<a [^>]*>`)
)

// TestAFragmentIsSafeToInclude: it holds no script and no style, its links are absolute, and its
// classes are its own.
func TestAFragmentIsSafeToInclude(t *testing.T) {
	site := newEmbedSite(t, embedEntries()...)
	for _, shown := range []string{"list", "week", "month"} {
		_, _, html := site.get("/embed?format=fragment&lang=de&heading=%3Cscript%3E&city=Kiel&view=" + shown)
		for _, alien := range []string{"<!doctype", "<html", "<head", "<script", "<style", "style=", "onclick", "<h1", "target="} {
			if strings.Contains(strings.ToLower(html), alien) {
				t.Errorf("%s holds %s: %s", shown, alien, html)
			}
		}
		for _, link := range anchors.FindAllString(html, -1) {
			if !strings.Contains(link, `href="https://litfass.example/`) {
				t.Errorf("%s holds %s", shown, link)
			}
		}
		for _, found := range classes.FindAllStringSubmatch(html, -1) {
			for class := range strings.FieldsSeq(found[1]) {
				if !strings.HasPrefix(class, "litfass-") {
					t.Errorf("%s has the class %q", shown, class)
				}
			}
		}
		if !strings.Contains(html, `<strong class="litfass-status">Fällt aus</strong>`) || !strings.Contains(html, `<s dir="auto">Tango</s>`) {
			t.Errorf("%s does not say what is cancelled: %s", shown, html)
		}
	}
}

// TestLinksLeaveTheFrame but for those to other weeks and months.
func TestLinksLeaveTheFrame(t *testing.T) {
	site := newEmbedSite(t, embedEntries()...)
	for _, shown := range []string{"list", "week", "month"} {
		_, _, html := site.get("/embed?theme=dark&view=" + shown)
		for _, link := range anchors.FindAllString(html, -1) {
			if strings.Contains(link, `target="_top"`) == strings.Contains(link, `rel="`) {
				t.Errorf("%s holds %s", shown, link)
			}
		}
		if !strings.Contains(html, `data-theme="dark"`) || strings.Count(html, "<h1") != 1 {
			t.Errorf("%s is no page of its own: %s", shown, html)
		}
	}
}

// TestEachViewAsksForItsDays: a week or month around the day of the filter; only a list takes over
// its days and its limit.
func TestEachViewAsksForItsDays(t *testing.T) {
	site := newEmbedSite(t)
	for path, want := range map[string]string{
		"/embed":                                               "lang=en&limit=10&not_over=true&ongoing=true&start=today&starts_before=2026-11-18", // for the places that are left
		"/embed?limit=3&end=2026-12-01&lang=da":                "end=2026-12-01&lang=da&limit=3",
		"/embed?view=week&city=Kiel&limit=3":                   "city=Kiel&lang=en&limit=200&on=2026-11-16%2C2026-11-22",
		"/embed?view=month&start=2027-02-14":                   "lang=en&limit=200&on=2027-02-01%2C2027-02-28",
		"/embed?view=week&on=2027-01-03,2027-01-04&theme=auto": "lang=en&limit=200&on=2026-12-28%2C2027-01-03",
		"/embed?view=month&on=weekend&group=event":             "lang=en&limit=200&on=2026-11-01%2C2026-11-30",
	} {
		if status, _, html := site.get(path); status != http.StatusOK {
			t.Errorf("%s: %d %s", path, status, html)
		}
		if got := site.last().Encode(); got != want {
			t.Errorf("%s asks for %q, want %q", path, got, want)
		}
	}
}

// TestRunsTakeNoFirstPlace: a list begins with what begins today. What began before follows where
// there is room, with its last day; in a week it is one row above the days.
func TestRunsTakeNoFirstPlace(t *testing.T) {
	run, jazz := listed("Exhibition", "released", "2026-10-01", "2027-10-31"), listed("Jazz", "released", "2026-11-19T20:00", "")
	site := newEmbedSite(t)
	site.find = func(query url.Values) []publicapi.Listed {
		switch {
		case query.Get("starts_before") != "":
			return []publicapi.Listed{run}
		case query.Has("start"):
			return []publicapi.Listed{jazz}
		default:
			return []publicapi.Listed{run, jazz}
		}
	}
	_, _, html := site.get("/embed?lang=en")
	if first, last := strings.Index(html, "Jazz"), strings.Index(html, "Exhibition"); first < 0 || first > last {
		t.Errorf("Jazz stands at %d, the exhibition at %d", first, last)
	}
	sitetest.Wants(t, html, "On view until Sun 31 Oct 2027")
	if _, _, html = site.get("/embed?lang=en&limit=1"); strings.Contains(html, "Exhibition") {
		t.Error("a run takes the place of a date")
	}
	_, _, html = site.get("/embed?lang=en&view=week")
	if strings.Count(html, "Exhibition") != 1 || strings.Index(html, "litfass-runs") > strings.Index(html, "litfass-day") {
		t.Errorf("the run is not one row above the week: %s", html)
	}
}

func TestStepsLeadToOtherMonths(t *testing.T) {
	_, _, html := newEmbedSite(t).get("/embed?view=month&on=2026-12-24&city=Kiel&lang=de&start=today")
	for _, want := range []string{
		`rel="prev" href="/embed?city=Kiel&amp;lang=de&amp;on=2026-11-30&amp;view=month"`,
		`rel="next" href="/embed?city=Kiel&amp;lang=de&amp;on=2027-01-01&amp;view=month"`, "Dezember 2026",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("%s is missing in %s", want, html)
		}
	}
}

var dayOfMonth = regexp.MustCompile(`<td(?: class="[^"]*")?>[^<].*?</td>|<td(?: class="[^"]*")?><a.*?</td>`)

// TestADateIsOnEachOfItsDays but not in the night in which it ends.
func TestADateIsOnEachOfItsDays(t *testing.T) {
	_, _, html := newEmbedSite(t, embedEntries()...).get("/embed?view=month")
	fields := dayOfMonth.FindAllString(html, -1)
	if len(fields) != 30 || strings.Count(html, "<td></td>") != 12 { // the 1st is a Sunday, the 30th a Monday
		t.Fatalf("%d days: %s", len(fields), html)
	}
	for day, title := range map[int]string{19: "alert(1)", 20: "Tango", 21: "Fair", 22: "Fair", 23: "Fair"} {
		if field := fields[day-1]; !strings.Contains(field, title) || strings.Count(field, "data-date") != 1 {
			t.Errorf("%d November: %s", day, field)
		}
	}
	if !strings.Contains(fields[18], "litfass-today") || strings.Count(html, "litfass-today") != 1 {
		t.Error("today is not marked alone")
	}
}

// TestHeadingsFitThePageAround: the days of a week are one level below the heading.
func TestHeadingsFitThePageAround(t *testing.T) {
	site := newEmbedSite(t, embedEntries()...)
	for level, want := range map[string][2]string{"": {"h2", "h3"}, "3": {"h3", "h4"}, "5": {"h5", "h6"}} {
		_, _, html := site.get("/embed?format=fragment&view=week&lang=en&heading=Kiel&heading_level=" + level)
		heading := "<" + want[0] + ` class="litfass-heading" dir="auto">Kiel</` + want[0] + ">"
		if !strings.Contains(html, heading) || strings.Count(html, "<"+want[1]+` class="litfass-day-name"`) != 7 {
			t.Errorf("level %q: %s", level, html)
		}
	}
}

func TestTheLookIsChecked(t *testing.T) {
	site := newEmbedSite(t)
	status, _, html := site.get("/embed?view=year&theme=blue&format=xml&heading_level=1")
	for _, field := range []string{"view", "theme", "format", "heading_level"} {
		if status != http.StatusBadRequest || !strings.Contains(html, "<code>"+field+"</code>") {
			t.Errorf("%s is not named: %d %s", field, status, html)
		}
	}
	status, _, html = site.get("/embed?veiw=week&format=fragment")
	if status != http.StatusBadRequest || !strings.HasPrefix(html, `<div class="litfass-events"`) || !strings.Contains(html, "veiw") {
		t.Errorf("a parameter that the API refuses: %d %s", status, html)
	}
	for _, wrong := range []string{"rows=0", "rows=51", "rows=x", "embed_lang=fr"} {
		if status, _, _ := site.get("/embed/builder?" + wrong); status != http.StatusBadRequest {
			t.Errorf("%s: %d", wrong, status)
		}
	}
}

// TestTheBuilderCarriesTheFilterOn: into its fields, or next to them where it has none.
func TestTheBuilderCarriesTheFilterOn(t *testing.T) {
	site := newEmbedSite(t, embedEntries()...)
	_, _, html := site.get("/embed/builder?city=Kiel&categories=2&event_types=8&lon=9&lat=54&radius=1000&view=month&heading=%22%3E%3Cscript%3E&limit=5&lang=en&offset=40")
	for _, want := range []string{
		`name="city" type="text" value="Kiel"`, `name="categories" value="2" checked`, `<option value="8" selected>&lt;b&gt;Play`,
		`name="radius" value="1000"`, `<a href="/embed/builder?categories=2&amp;city=Kiel&amp;event_types=8&amp;heading=%22%3E%3Cscript%3E&amp;lang=en&amp;limit=5&amp;offset=40&amp;view=month"`,
		`<litfass-events categories="2" city="Kiel" event_types="8" heading="&#34;&gt;&lt;script&gt;" lat="54" limit="5" lon="9" radius="1000" view="month">`,
		`<s dir="auto">Tango</s>`, `<option value="month" selected>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("%s is missing in %s", want, html)
		}
	}
	if strings.Contains(html, `name="offset"`) || strings.Contains(html, `"><script>`) {
		t.Errorf("the page holds what it must not: %s", html)
	}
	if _, _, html := site.get("/embed/builder?event_types=7,8"); strings.Contains(html, "<select id=\"builder-event_types\"") ||
		!strings.Contains(html, `name="event_types" value="7,8"`) {
		t.Errorf("two types in a field for one: %s", html)
	}
}

// TestThePreviewIsInTheLanguageOfTheCode and the page in its own.
func TestThePreviewIsInTheLanguageOfTheCode(t *testing.T) {
	_, _, html := newEmbedSite(t, embedEntries()...).get("/embed/builder?lang=en&embed_lang=da")
	if !strings.Contains(html, "Events on your website") || !strings.Contains(html, "Aflyst") || strings.Contains(html, "Cancelled") {
		t.Errorf("got %s", html)
	}
}
