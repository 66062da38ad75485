package month

import (
	"cmp"
	"fmt"
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

// calendarOf answers for a catalogue of these dates, as the public API does.
func calendarOf(dates ...publicapi.Entry) *sitetest.ComputedAPI {
	in := func(parameters url.Values) (found []publicapi.Listed, first, last string) {
		first, last, _ = strings.Cut(parameters.Get("on"), ",")
		last = cmp.Or(last, first)
		for _, date := range dates {
			begins := date.StartDate >= parameters.Get("start") && date.StartDate <= cmp.Or(parameters.Get("starts_before"), "9")
			if begins && date.StartDate <= cmp.Or(last, "9") && max(date.StartDate, string(date.EndDate)) >= first {
				found = append(found, publicapi.Listed{Entry: date})
			}
		}
		return found, first, last
	}
	return &sitetest.ComputedAPI{Answers: map[string]func(url.Values) any{
		"/api/events": func(parameters url.Values) any {
			found, _, _ := in(parameters)
			total := len(found)
			if limit, err := strconv.Atoi(parameters.Get("limit")); err == nil {
				found = found[:min(limit, total)]
			}
			return publicapi.Events{Events: found, Total: &total}
		},
		"/api/events/facets": func(parameters url.Values) any {
			found, first, last := in(parameters)
			counts := publicapi.Facets{Total: len(found), Facets: map[string][]publicapi.Facet{"day": nil}}
			day, _ := time.Parse(time.DateOnly, first)
			for ; day.Format(time.DateOnly) <= last; day = day.AddDate(0, 0, 1) {
				on, _, _ := in(url.Values{"on": {day.Format(time.DateOnly) + "," + day.Format(time.DateOnly)}})
				counts.Facets["day"] = append(counts.Facets["day"], publicapi.Facet{Value: day.Format(time.DateOnly), Count: len(on)})
			}
			return counts
		},
	}}
}

// dateOn is a date from a first to a last day.
func dateOn(title, first, last string) publicapi.Entry {
	return publicapi.Entry{
		UUID: "event-" + title, DateUUID: "date-" + title, Title: title, StartDate: first, StartTime: "19:30", EndDate: value.Text(last),
		ReleaseStatus: "released",
	}
}

// daysCounted returns the days of a calendar with dates, as "2026-11-20: 3".
func daysCounted(page string) (days []string) {
	counts := sitetest.Attributes(page, "data-count")
	for i, day := range sitetest.Attributes(page, "data-day") {
		if counts[i] != "0" {
			days = append(days, day+": "+counts[i])
		}
	}
	return days
}

func TestTheMonthCountsTheDatesOfItsDays(t *testing.T) {
	api := calendarOf(
		dateOn("Jazz", "2026-11-20", ""), dateOn("Show", "2026-10-30", "2026-11-02"), dateOn("Ball", "2026-11-30", "2026-12-01"),
		dateOn("Walk", "2026-12-01", ""),
	)
	status, page := sitetest.Site(t, sitetest.Autumn, api, Mount)("/month?month=2026-11&city=Kiel&on=2026-11-03&group=event&lang=en")
	if status != http.StatusOK {
		t.Fatalf("answered %d: %s", status, page)
	}
	want := []string{"2026-11-01: 1", "2026-11-02: 1", "2026-11-20: 1", "2026-11-30: 1"}
	if got := daysCounted(page); !slices.Equal(got, want) {
		t.Errorf("the days are %v, want %v", got, want)
	}
	query := api.Queries("/api/events/facets")
	if !slices.ContainsFunc(query, func(q url.Values) bool {
		return q.Encode() == "by=day&city=Kiel&group=event&on=2026-11-01%2C2026-11-30"
	}) {
		t.Errorf("asked %v", query)
	}
	sitetest.Wants(t, page, `<time class="month-date" datetime="2026-11-20"`, `>Jazz<`, `>Show<`, `>Ball<`, "<caption", "November 2026",
		`<span class="found-count">3 events</span>`)
	sitetest.Lacks(t, page, ">Walk<")
	links := sitetest.Attributes(page, "href")
	for _, link := range []string{
		"/?city=Kiel&lang=en&on=2026-11-20", "/month?city=Kiel&lang=en&month=2026-10", "/month?city=Kiel&lang=en&month=2026-12",
		"/month?lang=en&month=2026-11", "/event/event-Jazz?date=date-Jazz&lang=en",
	} {
		if !slices.Contains(links, link) {
			t.Errorf("there is no link %s in %v", link, links)
		}
	}
}

// TestASharedMonthShowsAnImage of what is still to come, or else of a run.
func TestASharedMonthShowsAnImage(t *testing.T) {
	over, next, run := dateOn("Jazz", "2026-11-19", ""), dateOn("Ball", "2026-11-30", ""), dateOn("Show", "2026-10-30", "2026-12-02")
	over.ImageUUID, next.ImageUUID, run.ImageUUID = "image-over", "image-next", "image-run"
	for want, dates := range map[string][]publicapi.Entry{
		"image-next": {over, next, run}, "image-run": {over, run}, "": {over},
	} {
		_, page := sitetest.Site(t, sitetest.Autumn, calendarOf(dates...), Mount)("/month?month=2026-11")
		_, image, _ := strings.Cut(page, `<meta property="og:image" content="`)
		image, _, _ = strings.Cut(image, `"`)
		if found := strings.Contains(image, "/"+cmp.Or(want, "image")); found != (want != "") {
			t.Errorf("the image of %d dates is %q, want %q", len(dates), image, want)
		}
	}
}

// TestTheTableOfAMonth: each month begins on its weekday, from Monday on, and has all of its days.
func TestTheTableOfAMonth(t *testing.T) {
	get := sitetest.Site(t, sitetest.Autumn, calendarOf(), Mount)
	for _, c := range []struct {
		month             string
		days, rows, blank int
	}{
		{"2026-11", 30, 6, 12}, // begins on a Sunday
		{"2026-06", 30, 5, 5},  // begins on a Monday
		{"2027-02", 28, 4, 0},  // four whole weeks
		{"2028-02", 29, 5, 6},  // a leap year
		{"2100-02", 28, 4, 0},  // none
		{"2000-02", 29, 5, 6},
		{"1900-01", 31, 5, 4}, // the first one
		{"2199-12", 31, 6, 11},
	} {
		status, page := get("/month?month=" + c.month)
		days := sitetest.Attributes(page, "data-day")
		if status != http.StatusOK || len(days) != c.days || days[len(days)-1] != fmt.Sprintf("%s-%d", c.month, c.days) {
			t.Errorf("%s: %d with the days %v", c.month, status, days)
		}
		_, body, _ := strings.Cut(page, "<tbody>")
		if rows, blank := strings.Count(body, "<tr>"), strings.Count(body, "month-other"); rows != c.rows || blank != c.blank {
			t.Errorf("%s: %d rows with %d blank cells, want %d with %d", c.month, rows, blank, c.rows, c.blank)
		}
	}
}

func TestTheFirstAndTheLastMonthLeadNowhereElse(t *testing.T) {
	get := sitetest.Site(t, sitetest.Autumn, calendarOf(), Mount)
	_, first := get("/month?month=1900-01")
	sitetest.Lacks(t, first, "1899")
	_, last := get("/month?month=2199-12")
	sitetest.Lacks(t, last, "2200")
	sitetest.Wants(t, first, "month=1900-02")
	sitetest.Wants(t, last, "month=2199-11")
}

// TestTodayIsThatOfTheSite: the month and the day follow the site's time zone.
func TestTodayIsThatOfTheSite(t *testing.T) {
	moment := time.Date(2026, 10, 31, 23, 30, 0, 0, time.UTC)
	for zone, want := range map[string]string{"UTC": "2026-10-31", "Europe/Berlin": "2026-11-01", "America/New_York": "2026-10-31"} {
		location, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		_, page := sitetest.Site(t, moment.In(location), calendarOf(), Mount)("/month")
		_, cell, _ := strings.Cut(page, `data-day="`+want)
		if before, _, _ := strings.Cut(cell, ">"); !strings.Contains(before, `aria-current="date"`) {
			t.Errorf("%s: %s is not marked: %s", zone, want, before)
		}
		if n := strings.Count(page, `aria-current="date"`); n != 1 {
			t.Errorf("%s: %d days are marked", zone, n)
		}
	}
}

func TestAnotherMonthMarksNoDay(t *testing.T) {
	_, page := sitetest.Site(t, sitetest.Autumn, calendarOf(), Mount)("/month?month=2026-12")
	sitetest.Lacks(t, page, `aria-current="date"`)
	sitetest.Wants(t, page, `href="/month"`)
}

func TestAMonthThatIsNone(t *testing.T) {
	api := calendarOf()
	get := sitetest.Site(t, sitetest.Autumn, api, Mount)
	for _, month := range []string{"2026-13", "2026-00", "2026", "11-2026", "2026-1", "x", "1899-12", "2200-01", "2026-11-20", "%00"} {
		if status, page := get("/month?month=" + month); status != http.StatusBadRequest || !strings.Contains(page, "<code>month</code>") {
			t.Errorf("%s: %d", month, status)
		}
	}
	if len(api.Requests()) > 0 {
		t.Errorf("the API was asked %v", api.Requests())
	}
}

// TestAMonthOfManyDates: each day names its first three events, also beyond the dates of an answer
// and where an answer ends amid a day.
func TestAMonthOfManyDates(t *testing.T) {
	for _, early := range []int{maxDates, maxDates - 1} {
		var dates []publicapi.Entry
		for i := range early {
			dates = append(dates, dateOn(fmt.Sprintf("early-%d", i), "2026-11-20", ""))
		}
		for i := range 5 {
			dates = append(dates, dateOn(fmt.Sprintf("late-%d", i), "2026-11-28", ""))
		}
		_, page := sitetest.Site(t, sitetest.Autumn, calendarOf(dates...), Mount)("/month?lang=en")
		if got := daysCounted(page); !slices.Equal(got, []string{fmt.Sprintf("2026-11-20: %d", early), "2026-11-28: 5"}) {
			t.Errorf("the days are %v", got)
		}
		want := []string{"event-early-0", "event-early-1", "event-early-2", "event-late-0", "event-late-1", "event-late-2"}
		if got := sitetest.Attributes(page, "data-event"); !slices.Equal(got, want) {
			t.Errorf("named with %d dates on an earlier day are %v", early, got)
		}
		sitetest.Wants(t, page, fmt.Sprintf("%d events", early+5), fmt.Sprintf("%d more", early-3), "2 more")
	}
}

// TestRunsAreOneRow: what began before the month is one row above it, with its last day.
func TestRunsAreOneRow(t *testing.T) {
	var dates []publicapi.Entry
	for i := range maxRuns + 2 {
		dates = append(dates, dateOn(fmt.Sprint("run-", i), "2026-10-01", "2027-10-31"))
	}
	_, page := sitetest.Site(t, sitetest.Autumn, calendarOf(append(dates, dateOn("Jazz", "2026-11-20", ""))...), Mount)("/month?month=2026-11&lang=en")
	if got := strings.Count(page, `class="run"`); got != maxRuns || strings.Count(page, "event-run-0") != 2 {
		t.Errorf("%d runs are shown", got)
	}
	sitetest.Wants(t, page, "On view until Sun 31 Oct 2027", `href="/?lang=en&amp;on=2026-11-01%2C2026-11-30&amp;starts_before=2026-10-31">2 more`)
}

func TestAnEmptyMonth(t *testing.T) {
	api := calendarOf()
	status, page := sitetest.Site(t, sitetest.Autumn, api, Mount)("/month?month=2026-12&lang=de")
	if status != http.StatusOK || len(daysCounted(page)) != 0 {
		t.Errorf("answered %d with %v", status, daysCounted(page))
	}
	sitetest.Wants(t, page, `<meta name="robots" content="noindex">`, "Dezember 2026", "noch keine Veranstaltungen")
}

// TestSearchEnginesIndexMonths: those of everything, not those of a filter.
func TestSearchEnginesIndexMonths(t *testing.T) {
	for path, want := range map[string]bool{
		"/month": true, "/month?month=2026-12&lang=da": true, "/month?city=Kiel": false, "/month?event_types=2&month=2026-12": false,
		"/month?on=today": false, "/month?search=jazz": false, "/month?month=2027-01": false, // empty
	} {
		_, page := sitetest.Site(t, sitetest.Autumn, calendarOf(dateOn("Jazz", "2026-11-28", ""), dateOn("Jazz", "2026-12-20", "")), Mount)(path)
		if got := !strings.Contains(page, `<meta name="robots" content="noindex">`); got != want {
			t.Errorf("%s is indexed: %t", path, got)
		}
	}
}

// TestTheMonthHasTheFilter: the form, the chips and the menu are those of the list; they stay in
// the month.
func TestTheMonthHasTheFilter(t *testing.T) {
	_, page := sitetest.Site(t, sitetest.Autumn, calendarOf(dateOn("Jazz", "2026-12-20", "")), Mount)("/month?month=2026-12&city=Kiel&on=today&lang=en")
	sitetest.Wants(t, page, `id="filter" action="/month"`, `<input type="hidden" form="filter" name="month" value="2026-12">`,
		`<a class="chip" href="/month?lang=en&amp;month=2026-12"`, `href="/?city=Kiel&amp;lang=en"`, `href="/map?city=Kiel&amp;lang=en"`)
	sitetest.Lacks(t, page, `name="on"`)
}

func TestACalendarShowsHostileContentHarmlessly(t *testing.T) {
	hostile := dateOn(`"><script>alert(1)</script>`, "2026-11-20", "")
	hostile.UUID, hostile.StartTime = `javascript:alert(1)//"`, "<b>"
	cancelled := dateOn(strings.Repeat("w", 2_000)+"\u202e😀", "2026-11-20", "")
	cancelled.ReleaseStatus = "cancelled"
	_, page := sitetest.Site(t, sitetest.Autumn, calendarOf(hostile, cancelled), Mount)("/month?lang=en&search=%22%3E%3Cscript%3Ealert(2)%3C/script%3E")
	sitetest.Lacks(t, page, "<script>", `href="javascript`, "<b>", ` style="`)
	sitetest.Wants(t, page, "month-cancelled", "Cancelled", `dir="auto"`)
}

// TestMisspeltWords show the month of the API's spelling, with a way back to the exact words.
func TestMisspeltWords(t *testing.T) {
	api := calendarOf(dateOn("Jazz", "2026-11-26", ""))
	api.Correcting("jaz", "jazz")
	get := sitetest.Site(t, sitetest.Autumn, api, Mount)
	_, page := get("/month?month=2026-11&search=jaz&city=Kiel&lang=en")
	sitetest.Wants(t, page, `data-event="event-Jazz"`, `class="corrected"`, `value="jaz"`,
		`href="/month?city=Kiel&amp;exact=true&amp;lang=en&amp;month=2026-11&amp;search=jaz"`)
	_, page = get("/month?month=2026-11&search=jaz&exact=true")
	sitetest.Lacks(t, page, `data-event=`, `class="corrected"`)
}

// TestTodayIsWhatIsNotOver: the number and the titles of today are those of the list of the day.
func TestTodayIsWhatIsNotOver(t *testing.T) {
	over, left := dateOn("Breakfast", "2026-11-20", ""), dateOn("Jazz", "2026-11-20", "")
	all, running := calendarOf(over, left, dateOn("Walk", "2026-11-19", "")), calendarOf(left)
	for path, answer := range all.Answers {
		all.Answers[path] = func(parameters url.Values) any {
			if parameters.Get("not_over") == "true" {
				return running.Answers[path](parameters)
			}
			return answer(parameters)
		}
	}
	_, page := sitetest.Site(t, sitetest.Autumn, all, Mount)("/month?lang=en")
	if got := daysCounted(page); !slices.Equal(got, []string{"2026-11-19: 1", "2026-11-20: 1"}) {
		t.Errorf("the days are %v", got)
	}
	sitetest.Wants(t, page, `data-event="event-Jazz"`, `data-event="event-Walk"`)
	sitetest.Lacks(t, page, "Breakfast", `name="start"`)
}

// TestTodayNamesWhatStillRuns: on a phone the days before today are folded.
func TestTodayNamesWhatStillRuns(t *testing.T) {
	api := calendarOf(dateOn("Show", "2026-11-03", "2026-11-24"), dateOn("Old", "2026-10-03", "2026-11-24"), dateOn("Jazz", "2026-11-20", ""))
	_, page := sitetest.Site(t, sitetest.Autumn, api, Mount)("/month?lang=en")
	if got := sitetest.Attributes(page, "data-event"); !slices.Equal(got, []string{"event-Old", "event-Show", "event-Jazz", "event-Show"}) {
		t.Errorf("named are %v", got)
	}
}
