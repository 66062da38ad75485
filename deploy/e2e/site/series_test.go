package site

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"litfass/deploy/e2e/browser"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
	"litfass/pkg/media/imaging/imagingtest"
)

// festival is a festival of three organizations, each with a third of its events.
type festival struct {
	*siteTest
	organizers []harness.Editor
	orgs       []string
	series     string
	picture    string     // the uuid
	stages     []string   // their uuids
	events     [][]string // by organization
	position   uint64
}

const (
	perOrganization = 40
	ofFestival      = 3 * perOrganization
)

// stageTitles are the stages of the festival in order.
var stageTitles = []string{"Große Bühne", "Zelt", "Schiff", "Kirche"}

// pictureAlt is the alternative text of the picture of the festival.
const pictureAlt = "Ein Stern über dem Hafen"

// TestFestival makes a festival as three organizations do, with four stages and 120 events: in the
// console, and most events through the API. It follows it through the API, feeds, pages, as
// visitors do, and the sitemap until it is deleted.
func TestFestival(t *testing.T) {
	t.Parallel()
	f := &festival{siteTest: &siteTest{System: harness.Ready(t, harness.Run(t, stack.Options{Env: []string{"LOGIN_ATTEMPTS=1000"}})), browser: browser.Start(t)}}
	f.found(t)
	f.begin(t)
	f.ask(t)
	f.wantDates(t, "before the others are accepted", perOrganization+1)
	f.accept(t)
	f.wantDates(t, "accepted", ofFestival)
	f.visit(t)
	f.wantOutputs(t)
	f.rename(t)
	f.hide(t)
	f.leave(t)
	f.end(t)
	f.Verify(t)
}

// found makes the organizations.
func (f *festival) found(t *testing.T) {
	t.Helper()
	for n, name := range []string{"Hafenverein", "Jazzclub", "Stadttheater"} {
		organizer := f.SignUp(t, fmt.Sprintf("festival%d@example.org", n))
		f.organizers = append(f.organizers, organizer)
		f.orgs = append(f.orgs, fmt.Sprint(organizer.Write(t, http.MethodPut, "/organization", fmt.Sprintf(`{"name": %q}`, name))["uuid"]))
	}
}

// begin makes the festival of the first organization in the console, with its stages. Another one
// asks there for its first event to belong to it, on the first stage, and is accepted.
func (f *festival) begin(t *testing.T) {
	t.Helper()
	guest := f.create(t, 1, 0, "")
	person := func(n int) map[string]string {
		return map[string]string{"email": f.organizers[n].Email, "password": harness.EditorPassword}
	}
	made := f.walk(t, "console-festival", true, map[string]any{
		"host": person(0), "guest": person(1), "org": f.orgs[0], "title": "Hafenfest", "slug": "hafenfest", "stages": stageTitles, "event": guest,
		"picture": imagingtest.JPEG(t, imagingtest.Corners(1200, 800), 0), "alt": pictureAlt,
	})
	if err := json.Unmarshal(made.Value, &f.series); err != nil {
		t.Fatal(err)
	}
	shown := f.organizers[0].Show(t, "/series/"+f.series)
	f.picture = fmt.Sprint(shown["image"].(map[string]any)["uuid"])
	for _, part := range shown["parts"].([]any) {
		f.stages = append(f.stages, fmt.Sprint(part.(map[string]any)["uuid"]))
	}
	f.events = [][]string{nil, {guest}, nil}
}

// create makes an event of an organization, the i-th, with fields for its series, "" for none.
func (f *festival) create(t *testing.T, n, i int, series string) (event string) {
	t.Helper()
	part := "null"
	if series != "" {
		part = strconv.Quote(f.stages[i%4])
	}
	var created map[string]any
	created, f.position = f.organizers[n].Change(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "title": "Auftritt %d-%d",
		"online_link": "https://example.org/live", "release_status": "released", "series": [%s],
		"dates": [{"start_date": %q, "start_time": "%02d:00", "series_part_uuid": %s}]}`,
		f.orgs[n], n, i, series, harness.Day(3+i%3), 10+i/4, part))
	return fmt.Sprint(created["uuid"])
}

// ask makes the events, which ask for the festival and name a stage: on each of three days those of
// an organization take turns.
func (f *festival) ask(t *testing.T) {
	t.Helper()
	for n := range f.organizers {
		for i := len(f.events[n]); i < perOrganization; i++ {
			f.events[n] = append(f.events[n], f.create(t, n, i, fmt.Sprintf(`{"series_uuid": %q}`, f.series)))
		}
	}
}

// accept accepts the events that wait.
func (f *festival) accept(t *testing.T) {
	t.Helper()
	waiting := f.organizers[0].Show(t, "/series/"+f.series+"/events?state=asked&limit=200")["events"].([]any)
	if len(waiting) != ofFestival-perOrganization-1 {
		t.Fatalf("%d events wait", len(waiting))
	}
	for _, event := range waiting {
		_, f.position = f.organizers[0].Change(t, http.MethodPut,
			"/series/"+f.series+"/event/"+fmt.Sprint(event.(map[string]any)["event_uuid"]), `{"accepted": true}`)
	}
}

// wants checks that the answer at an address, complete up to the last write, has each text.
func (f *festival) wants(t *testing.T, path string, texts ...string) string {
	t.Helper()
	status, body := f.siteTest.ask(t, "", path, f.position)
	for _, text := range texts {
		if status != http.StatusOK || !strings.Contains(body, text) {
			t.Errorf("%s: %d without %s: %.600s", path, status, text, body)
		}
	}
	return body
}

// wantDates checks the number of dates in answers that count them.
func (f *festival) wantDates(t *testing.T, what string, dates int) {
	t.Helper()
	t.Log(what)
	f.wants(t, "/api/series/hafenfest", fmt.Sprintf(`"date_count":%d`, dates), `"start_date":"`+harness.Day(3)+`"`, `"end_date":"`+harness.Day(5)+`"`)
	f.wants(t, "/api/events?limit=1&total=true&series_uuids="+f.series, fmt.Sprintf(`"total_event_count":%d`, dates))
	f.wants(t, "/api/events?limit=1&total=true&series_uuids="+f.stages[2], fmt.Sprintf(`"total_event_count":%d`, dates/4))
	f.wants(t, "/api/events/facets?by=series_uuids", fmt.Sprintf(`"value":"%s","name":"Hafenfest","count":%d`, f.series, dates))
	f.wants(t, "/api/events?group=series&total=true&series_uuids="+f.series, `"total_event_count":1`, fmt.Sprintf(`"date_count":%d`, dates))
	if calendar := f.wants(t, "/api/events.ics?series_uuids="+f.series, "X-WR-CALNAME:", "Hafenfest"); strings.Count(calendar, "BEGIN:VEVENT") != dates {
		t.Errorf("the calendar has %d dates, want %d", strings.Count(calendar, "BEGIN:VEVENT"), dates)
	}
	if page := f.wants(t, "/series/hafenfest", "Hafenfest</h1>"); strings.Count(page, "data-date=") != dates {
		t.Errorf("the page has %d dates, want %d", strings.Count(page, "data-date="), dates)
	}
}

// visit reads the programme in a browser, finds the events of a stage on a day, and follows the
// festival: on a phone with scripts, and on a desktop without.
func (f *festival) visit(t *testing.T) {
	t.Helper()
	const day, stage = 2, 1
	var events []string
	for n := range f.events {
		for i, event := range f.events[n] {
			if i%3 == day && i%4 == stage {
				events = append(events, event)
			}
		}
	}
	for scripts, width := range map[bool]int{true: 360, false: 1366} {
		f.browser.Run(t, browser.Journey{
			Name: "festival", Base: f.URL(), Context: map[string]any{"javaScriptEnabled": scripts, "viewport": map[string]int{"width": width, "height": 720}},
			Args: map[string]any{
				"path": "/series/hafenfest", "series": f.series, "title": "Hafenfest", "dates": ofFestival, "days": []string{harness.Day(3), harness.Day(4), harness.Day(5)},
				"stages": stageTitles, "stage": stageTitles[stage], "day": harness.Day(3 + day), "events": events, "alt": pictureAlt, "scripts": scripts,
			},
		})
	}
}

// wantOutputs checks the order of the programme, and what leads to and from it.
func (f *festival) wantOutputs(t *testing.T) {
	t.Helper()
	page, last := f.wants(t, "/series/hafenfest", `"@type":"EventSeries"`, `"subEvent":`), 0
	for day := range 3 {
		for _, want := range []string{`id="day-` + harness.Day(3+day), ">Große Bühne</h4>", ">Zelt</h4>", ">Schiff</h4>", ">Kirche</h4>"} {
			at := strings.Index(page[last:], want)
			if at < 0 {
				t.Fatalf("day %d: %s does not follow", day, want)
			}
			last += at
		}
	}
	image := f.URL() + "/api/image/" + f.picture + "/"
	f.wants(t, "/series/hafenfest", `<meta property="og:image" content="`+image, `"image":["`+image)
	f.wants(t, "/api/series/hafenfest", `"image":{"uuid":"`+f.picture+`","identifier":"main","path":"`+image, `"alt_text":"`+pictureAlt+`"`)
	f.wants(t, "/api/events.atom?series_uuids="+f.series, "<logo>"+image)
	event := f.events[2][7]
	f.wants(t, "/event/"+event, `href="/series/hafenfest`, "Kirche")
	f.wants(t, "/api/event/"+event, `"series":[{"uuid":"`+f.series+`","slug":"hafenfest","title":"Hafenfest"`, `"series_part_uuid":"`+f.stages[3]+`"`)
	f.wants(t, "/api/event/"+event+".jsonld", `"superEvent":[{"@type":"EventSeries","@id":"`+f.URL()+`/series/hafenfest"`)
	f.wants(t, "/sitemap/lists.xml", "/series/hafenfest<")
	f.wants(t, "/embed?series_uuids="+f.series, "Auftritt")
	f.wants(t, "/?series_uuids="+f.stages[1], "Hafenfest, Zelt")
	f.wants(t, "/api/series?limit=1", `"slug":"hafenfest"`, `"total_count":1`)
}

// wantChange checks the changes of the festival since a position of the change feed.
func (f *festival) wantChange(t *testing.T, since string, texts ...string) {
	t.Helper()
	f.wants(t, "/api/changes?kind=series&after="+since, append(texts, `"uuid":"`+f.series+`"`)...)
}

// here returns the present position of the change feed.
func (f *festival) here(t *testing.T) string {
	t.Helper()
	var answer struct {
		Data struct{ Position string }
	}
	if err := json.Unmarshal([]byte(f.wants(t, "/api/changes?kind=series")), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Data.Position
}

// rename renames the festival and a stage, which its events show.
func (f *festival) rename(t *testing.T) {
	t.Helper()
	since := f.here(t)
	_, f.position = f.organizers[0].Change(t, http.MethodPut, "/series/"+f.series, fmt.Sprintf(`{"title": "Winterfest", "parts": [
		{"uuid": %q, "title": "Halle"}, {"uuid": %q, "title": "Zelt"}, {"uuid": %q, "title": "Schiff"}, {"uuid": %q, "title": "Kirche"}]}`,
		f.stages[0], f.stages[1], f.stages[2], f.stages[3]))
	f.wants(t, "/api/event/"+f.events[1][4], `"title":"Winterfest"`, `"title":"Halle"`)
	f.wants(t, "/api/events/facets?by=series_uuids", `"name":"Winterfest"`)
	f.wants(t, "/series/hafenfest", "Winterfest</h1>", ">Halle</h4>")
	f.wantChange(t, since, `"change":"changed"`, `"title":"Winterfest"`)
}

// hide hides the festival, with its picture, for a moment.
func (f *festival) hide(t *testing.T) {
	t.Helper()
	for _, public := range []bool{true, false, true} {
		f.organizers[0].Write(t, http.MethodPut, "/series/"+f.series, fmt.Sprintf(`{"public": %t}`, public))
		harness.Await(t, fmt.Sprintf("the picture, public: %t", public), func() error {
			status, _ := f.siteTest.ask(t, "", "/api/image/"+f.picture+"?ratio=16:9&width=480", 0)
			if (status == http.StatusOK) != public {
				return fmt.Errorf("it answers %d", status)
			}
			return nil
		})
	}
}

// leave: an organization takes an event out, and the festival removes another.
func (f *festival) leave(t *testing.T) {
	t.Helper()
	event := f.organizers[1].Show(t, "/event/"+f.events[1][0])
	date := event["dates"].([]any)[0].(map[string]any)
	f.organizers[1].Write(t, http.MethodPatch, "/event/"+f.events[1][0], fmt.Sprintf(
		`{"series": [], "dates": [{"uuid": %q, "start_date": %q, "start_time": "10:00"}]}`, date["uuid"], date["start_date"]))
	_, f.position = f.organizers[0].Change(t, http.MethodPut, "/series/"+f.series+"/event/"+f.events[2][0], `{"accepted": false}`)
	f.wants(t, "/api/series/hafenfest", fmt.Sprintf(`"date_count":%d`, ofFestival-2))
	f.wants(t, "/api/event/"+f.events[2][0], `"series":[]`, `"series_part_uuid":null`)
}

// end deletes the festival. The events stay.
func (f *festival) end(t *testing.T) {
	t.Helper()
	since := f.here(t)
	_, f.position = f.organizers[0].Change(t, http.MethodDelete, "/series/"+f.series, fmt.Sprintf(`{"password": %q}`, harness.EditorPassword))
	if status, _ := f.siteTest.ask(t, "", "/series/hafenfest", f.position); status != http.StatusNotFound {
		t.Errorf("the page of a deleted series: %d", status)
	}
	f.wantChange(t, since, `"change":"left"`)
	f.wants(t, "/api/events?limit=1&total=true&series_uuids="+f.series, `"total_event_count":0`)
	f.wants(t, "/api/events?limit=1&total=true&search=Auftritt", fmt.Sprintf(`"total_event_count":%d`, ofFestival))
	f.wants(t, "/api/event/"+f.events[1][4], `"series":[]`)
}
