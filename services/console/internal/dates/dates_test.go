package dates_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/dates"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/view"
)

const (
	event  = "0192f0a0-0000-7000-8000-0000000000e1"
	other  = "0192f0a0-0000-7000-8000-0000000000e2"
	ruleID = "0192f0a0-0000-7000-8000-0000000000b1"
	page0  = "/console/event/" + event + "/dates"
	api    = "/api/admin/event/" + event
)

// dateID is the uuid of a date by its number.
func dateID(i int) string { return fmt.Sprintf("0192f0a0-0000-7000-8000-%012d", i) }

// weekly returns an event with dates on Tuesdays from 1 December 2026.
func weekly(n int) adminapi.Event {
	var e adminapi.Event
	e.UUID, e.OrgUUID, e.Title, e.ReleaseStatus = event, pagetest.Org, "Jazz", adminapi.StatusReleased
	start := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for i := range n {
		day := start.AddDate(0, 0, 7*i).Format(time.DateOnly)
		e.Dates = append(e.Dates, adminapi.Date{
			UUID: dateID(i), RuleUUID: ruleID, RecurrenceID: value.Text(day + "T20:00"),
			DateFields: adminapi.DateFields{StartDate: day, StartTime: "20:00", EndTime: "22:00", ReleaseStatus: adminapi.StatusInherited},
		})
	}
	e.DateRules = []adminapi.DateRule{{
		UUID: ruleID, StartDate: "2026-12-01", StartTime: "20:00",
		Repetition: adminapi.Repetition{RRule: value.Text(fmt.Sprintf("FREQ=WEEKLY;COUNT=%d", n))},
	}}
	return e
}

// alone shows the section without the rest of the event's page.
func alone(r *page.Request, _, _ string, drawn templ.Component) error {
	return r.Show(view.Page{Content: drawn})
}

// start runs the pages over a service that has an event.
func start(t *testing.T, e *adminapi.Event) *pagetest.Console {
	t.Helper()
	c := pagetest.Start(t, func(r page.Router) { dates.Mount(r, alone) })
	c.AnswerWith("GET "+api, func(pagetest.Call) (int, any) { return http.StatusOK, *e })
	c.Answer("GET /api/admin/user/choosable-event-places", http.StatusOK, adminapi.ChoosablePlaces{
		Places: []adminapi.ChoosablePlace{{VenueUUID: other, VenueName: "Hafen", SpaceUUID: value.Text(dateID(99)), SpaceName: "Halle", City: "Kiel"}},
		Page:   adminapi.Page{TotalCount: 1, Limit: 200},
	})
	return c
}

// previewed answers what a weekly rule means, as the admin service does.
func previewed(call pagetest.Call) (int, any) {
	var asked adminapi.NewDates
	_ = json.Unmarshal(call.Body, &asked)
	meant := adminapi.RuleDates{Repetition: asked.Repetition}
	count := 1
	_, _ = fmt.Sscanf(string(asked.RRule), "FREQ=WEEKLY;COUNT=%d", &count)
	first, _ := time.Parse(time.DateOnly, asked.StartDate)
	for i := range count {
		day := first.AddDate(0, 0, 7*i).Format(time.DateOnly)
		meant.Dates = append(meant.Dates, adminapi.RuleDate{
			RecurrenceID: day + "T20:00", StartDate: day, StartTime: asked.StartTime, EndTime: asked.EndTime, AllDay: asked.AllDay,
		})
	}
	return http.StatusOK, meant
}

func has(t *testing.T, what, body string, all ...string) {
	t.Helper()
	for _, text := range all {
		if !strings.Contains(body, text) {
			t.Errorf("%s: %q is missing in\n%s", what, text, body)
		}
	}
}

func lacks(t *testing.T, what, body string, all ...string) {
	t.Helper()
	for _, text := range all {
		if strings.Contains(body, text) {
			t.Errorf("%s: there is %q", what, text)
		}
	}
}

// hidden returns the value of a hidden field.
func hidden(t *testing.T, body, name string) string {
	t.Helper()
	_, after, found := strings.Cut(body, `name="`+name+`" value="`)
	content, _, _ := strings.Cut(after, `"`)
	if !found {
		t.Fatalf("there is no field %q", name)
	}
	return content
}

// TestTwelveWeeklyDatesLessTwo: the form is filled in, its dates are shown, two are unticked, and
// the others are added.
func TestTwelveWeeklyDatesLessTwo(t *testing.T) {
	e := weekly(0)
	c := start(t, &e)
	c.AnswerWith("POST /api/admin/event/date-rule/preview", previewed)
	c.AnswerWith("POST "+api+"/date", func(pagetest.Call) (int, any) {
		e = weekly(12)
		return http.StatusCreated, adminapi.WrittenDates{DateUUID: dateID(0), Dates: e.Dates}
	})
	empty := c.Get(page0 + "/new")
	form := url.Values{
		"base": {hidden(t, empty.Body, "base")}, "start_date": {"2026-12-01"}, "start_time": {"20.00"}, "end_time": {"22:00"},
		"repeat": {"weeks"}, "repeat_every": {"1"}, "repeat_end": {"count"}, "repeat_count": {"12"},
	}
	shown := c.Post(page0+"/new/preview", form)
	has(t, "the preview", shown.Body, "Every Tuesday at 20:00, 12 times: 12 dates", `id="on-2027-02-16"`, `value="2026-12-01"`)
	if n := strings.Count(shown.Body, `name="shown"`); shown.Status != http.StatusOK || n != 12 {
		t.Fatalf("%d, %d dates", shown.Status, n)
	}
	further := c.Post(page0+"/new/preview", form, "Referer", "http://example.com"+page0+"/new/preview")
	has(t, "a second preview", further.Body, `href="`+page0+`/new?lang=de"`)
	for i := range 12 {
		day := time.Date(2026, 12, 1+7*i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		form.Add("shown", day)
		if day != "2026-12-22" && day != "2026-12-29" {
			form.Add("on", day)
		}
	}
	again := c.Post(page0+"/new/preview", form, pagetest.Script...)
	has(t, "the preview without two", again.Body, "12 times, except 22 and 29 December: 10 dates", `hx-swap-oob="innerHTML"`, "left out", `<summary id="planned-2026-12">`)
	lacks(t, "the part for scripts", again.Body, "<html", "<form")

	added := c.Post(page0+"/new", form)
	if want := page0 + "?from=" + dateID(0) + "&notice=saved#date-" + dateID(0); added.Status != http.StatusSeeOther || added.Header.Get("Location") != want {
		t.Errorf("%d to %s, want %s", added.Status, added.Header.Get("Location"), want)
	}
	sent := c.Calls("POST " + api + "/date")
	var body adminapi.NewDates
	if err := json.Unmarshal(sent[0].Body, &body); err != nil || string(body.RRule) != "FREQ=WEEKLY;COUNT=12" ||
		strings.Join(body.ExDate, " ") != "2026-12-22 2026-12-29" || body.StartTime != "20:00" || sent[0].Header.Get("If-Match") != `"1"` {
		t.Errorf("sent %s with %s", sent[0].Body, sent[0].Header.Get("If-Match"))
	}
	twice := c.Post(page0+"/new", form)
	has(t, "the same form again", twice.Body, "perhaps because it was sent twice", `value="2026-12-01"`)
	if twice.Status != http.StatusUnprocessableEntity || len(c.Calls("POST "+api+"/date")) != 1 {
		t.Errorf("the same form again: %d", twice.Status)
	}
}

// TestRulesBeginWithADayOfTheirs: a first date that the rule does not name is refused with the next
// day that it does, and one button takes that.
func TestRulesBeginWithADayOfTheirs(t *testing.T) {
	e := weekly(0)
	c := start(t, &e)
	c.AnswerWith("POST /api/admin/event/date-rule/preview", previewed)
	form := url.Values{
		"start_date": {"2026-12-02"}, "start_time": {"20:00"}, "repeat": {"weeks"}, "repeat_every": {"1"}, "repeat_weekdays": {"2"},
		"repeat_end": {"count"}, "repeat_count": {"3"},
	}
	refused := c.Post(page0+"/new/preview", form)
	has(t, "a Wednesday", refused.Body, "can start on Tuesday, 8 December 2026", `name="begin" value="2026-12-08"`)
	if len(c.Calls("POST /api/admin/event/date-rule/preview")) != 0 {
		t.Error("the service was asked")
	}
	form.Set("begin", "2026-12-08")
	has(t, "the Tuesday", c.Post(page0+"/new/preview", form).Body, `value="2026-12-08"`, `id="dates-sentence"`)
}

func TestWrongFieldsAreNamedAndKept(t *testing.T) {
	e := weekly(0)
	c := start(t, &e)
	got := c.Post(page0+"/new", url.Values{
		"start_date": {"tomorrow"}, "entry_time": {"late"}, "ticket_link": {"javascript:alert(1)"}, "accessibility_info": {"<b>Rampe</b>"},
		"repeat": {"weeks"}, "repeat_every": {"0"}, "repeat_end": {"count"}, "repeat_count": {"1001"},
	})
	has(t, "the form", got.Body, `id="problems"`, `href="#start_date"`, `href="#repeat_count"`, `value="tomorrow"`, `value="1001"`,
		"&lt;b&gt;Rampe&lt;/b&gt;", `href="#ticket_link"`, `href="#start_time"`, `href="#repeat_every"`)
	lacks(t, "the form", got.Body, "<b>Rampe", `href="javascript`)
	if got.Status != http.StatusUnprocessableEntity {
		t.Errorf("status %d", got.Status)
	}
	c.Refuse("POST /api/admin/event/date-rule/preview", http.StatusBadRequest, adminapi.Error{
		Error: "not valid", Code: "invalid_date", Details: []fault.Violation{fault.Violate("rrule", reason.NoDates)},
	})
	refused := c.Post(page0+"/new", url.Values{"start_date": {"2026-12-01"}, "start_time": {"20:00"}})
	has(t, "what the service refuses", refused.Body, `href="#repeat"`, "<span>No date is left.</span>")
}

// TestRefusalsSayTheirLanguage: on a German page a known reason is German, and a reason that exists
// only in English is marked as English.
func TestRefusalsSayTheirLanguage(t *testing.T) {
	e := weekly(2)
	c := start(t, &e)
	c.Get(page0 + "?lang=de")
	german := func(what string, got pagetest.Answer, wanted ...string) {
		t.Helper()
		has(t, what, got.Body, wanted...)
		lacks(t, what, got.Body, "\u2063")
	}
	form := url.Values{"start_date": {"2026-12-01"}, "start_time": {"20:00"}}
	for field, want := range map[string]int{"rrule": 3, "rdate": 3} { // in the list, at the field, and as the preview
		c.Refuse("POST /api/admin/event/date-rule/preview", http.StatusBadRequest, adminapi.Error{
			Error: "not valid", Code: "invalid_date", Details: []fault.Violation{{Field: field, Reason: "is odd"}},
		})
		got := c.Post(page0+"/new", form)
		german("the preview", got, `<span lang="en">is odd</span>`)
		if n := strings.Count(got.Body, `<span lang="en">is odd</span>`); n != want {
			t.Errorf("%s: marked %d times, want %d, in %s", field, n, want, got.Body)
		}
	}
	c.Refuse("POST /api/admin/event/date-rule/preview", http.StatusBadRequest, adminapi.Error{
		Error: "not valid", Code: "invalid_date", Details: []fault.Violation{fault.Violate("rrule", reason.NoDates)},
	})
	german("a known reason", c.Post(page0+"/new", form), "<span>Es bleibt kein Termin übrig.</span>")

	change := "PUT " + api + "/date/" + dateID(0)
	form.Set("base", hidden(t, c.Get(page0+"/"+dateID(0)).Body, "base"))
	c.Refuse(change, http.StatusConflict, adminapi.Error{Error: "quite unheard of", Code: "odd"})
	german("a change", c.Post(page0+"/"+dateID(0), form), `<span lang="en">quite unheard of</span>`)
	c.Refuse(change, http.StatusPreconditionFailed, adminapi.Error{Error: "has changed", Code: "stale_event"})
	german("an event that never rests", c.Post(page0+"/"+dateID(0), form), `<span lang="en">others are saving at the same time</span>`)
}

// TestScopes: each scope shows how many dates it affects, and is sent.
func TestScopes(t *testing.T) {
	e := weekly(12)
	c := start(t, &e)
	one := page0 + "/" + dateID(4)
	shown := c.Get(one)
	has(t, "the form", shown.Body, "8 dates, including", "12 dates, including", `value="following"`, `value="all"`)
	path := api + "/date/" + dateID(4)
	c.Answer("PUT "+path, http.StatusOK, adminapi.WrittenDates{DateUUID: dateID(4), Dates: e.Dates[4:]})
	form := url.Values{
		"base": {hidden(t, shown.Body, "base")}, "start_date": {"2026-12-29"}, "start_time": {"22:00"}, "end_time": {"01:00"},
		"scope": {"following"}, "release_status": {"inherited"}, "own_place": {other + "/" + dateID(99)},
	}
	if got := c.Post(one, form); got.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	sent := c.Calls("PUT " + path)[0]
	var body map[string]any
	if err := json.Unmarshal(sent.Body, &body); err != nil || sent.Query.Get("scope") != "following" || body["end_date"] != "2026-12-30" ||
		body["start_time"] != "22:00" || body["venue_uuid"] != other || body["space_uuid"] != dateID(99) || body["entry_time"] != nil {
		t.Errorf("sent %s with %v", sent.Body, sent.Query)
	}
	has(t, "deleting", c.Get(one+"/delete").Body, "8 dates, including", "12 dates, including", "cancel it instead")
	c.Answer("DELETE "+path, http.StatusOK, adminapi.DeletedDates{DateUUIDs: []string{dateID(4)}})
	ask := c.Get(one + "/delete")
	c.Post(one+"/delete", url.Values{"base": {hidden(t, ask.Body, "base")}, "scope": {"all"}})
	if calls := c.Calls("DELETE " + path); len(calls) != 1 || calls[0].Query.Get("scope") != "all" {
		t.Errorf("deleted with %v", calls)
	}
	lacks(t, "the first of a rule", c.Get(page0+"/"+dateID(0)).Body, `value="following"`)
	e.Dates = e.Dates[:1]
	lacks(t, "a date alone", c.Get(page0+"/"+dateID(0)).Body, `name="scope"`)
}

func TestCancelAndTakeBack(t *testing.T) {
	e := weekly(2)
	c := start(t, &e)
	list := c.Get(page0)
	has(t, "the list", list.Body, "Every Tuesday at 20:00, 2 times: 2 dates", `data-do="cancel"`, `data-day="2026-12-08"`)
	c.AnswerWith("PUT "+api+"/date/"+dateID(0), func(call pagetest.Call) (int, any) {
		var body map[string]string
		_ = json.Unmarshal(call.Body, &body)
		e.Dates[0].ReleaseStatus = body["release_status"]
		return http.StatusOK, adminapi.WrittenDates{DateUUID: dateID(0), Dates: e.Dates[:1], Warned: adminapi.Warned{Warnings: []adminapi.Warning{
			{Code: adminapi.WarnSpaceTaken, Field: "dates[0]", UUID: other},
		}}}
	})
	var another adminapi.Event
	another.Title = "Chor <probt>"
	c.Answer("GET /api/admin/event/"+other, http.StatusOK, another)
	form := url.Values{"base": {hidden(t, list.Body, "base")}, "release_status": {"cancelled"}}
	cancelled := c.Post(page0+"/"+dateID(0)+"/status", form, pagetest.Script...)
	has(t, "cancelled", cancelled.Body, `<section id="dates"`, "<s>", "Cancelled: Tuesday, 1 December 2026", "Undo the cancellation", "autofocus",
		"takes place in the same space", `href="/console/event/`+other+`"`, "Chor &lt;probt&gt;")
	if body := string(c.Calls("PUT " + api + "/date/" + dateID(0))[0].Body); !strings.Contains(body, `"status_note":null`) {
		t.Errorf("cancelled with %s", body)
	}
	stale := c.Post(page0+"/"+dateID(0)+"/status", form, pagetest.Script...)
	has(t, "from the list before", stale.Body, "Nothing was saved")
	if n := len(c.Calls("PUT " + api + "/date/" + dateID(0))); n != 1 || stale.Status != http.StatusUnprocessableEntity {
		t.Errorf("%d writes, status %d", n, stale.Status)
	}
	form = url.Values{"base": {hidden(t, cancelled.Body, "base")}, "release_status": {"inherited"}}
	led := c.Post(page0+"/"+dateID(0)+"/status", form).Header.Get("Location")
	has(t, "taken back without scripts", led, "warned=space_taken."+dateID(0)+"."+other, "#date-"+dateID(0))
	has(t, "the list after it", c.Get(led).Body, "takes place in the same space", "Chor &lt;probt&gt;")
	c.Refuse("GET /api/admin/event/"+other, http.StatusNotFound, adminapi.Error{Code: "not_found"})
	hidden := c.Get(led).Body
	has(t, "for a stranger of the other event", hidden, "takes place in the same space")
	lacks(t, "for a stranger of the other event", hidden, "/console/event/"+other)
}

// TestConflict: what another person has stored meanwhile is shown, and only overwritten on request.
func TestConflict(t *testing.T) {
	e := weekly(1)
	c := start(t, &e)
	one, path := page0+"/"+dateID(0), api+"/date/"+dateID(0)
	c.AnswerWith("PUT "+path, func(pagetest.Call) (int, any) {
		return http.StatusOK, adminapi.WrittenDates{DateUUID: dateID(0), Dates: e.Dates}
	})
	form := url.Values{"base": {hidden(t, c.Get(one).Body, "base")}, "start_date": {"2026-12-01"}, "start_time": {"21:00"}}
	e.Dates[0].StartTime = "19:00"
	shown := c.Post(one, form)
	has(t, "the conflict", shown.Body, "Another person has changed this date", "19:00–22:00", "21:00", "Keep mine", `value="21:00"`)
	if shown.Status != http.StatusUnprocessableEntity || len(c.Calls("PUT "+path)) != 0 {
		t.Errorf("status %d", shown.Status)
	}
	by := func(who, after string) adminapi.HistoryEntry {
		at := time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
		return adminapi.HistoryEntry{ActorName: value.Text(who), At: at, After: []byte(after)}
	}
	c.Answer("GET "+api+"/history", http.StatusOK, adminapi.EventHistory{Entries: []adminapi.HistoryEntry{
		by("Anna Lund", `{"dates":[{"uuid":"`+dateID(1)+`"}]}`), by("Bo Kruse", `{"title":"Jazz"}`),
		by("Edda Ebert", `{"dates":[{"uuid":"`+dateID(0)+`"}]}`),
	}})
	has(t, "who was it", c.Post(one, form).Body, "Edda Ebert changed this on Tuesday, 3 November 2026, 09:00. Which version")
	form.Set("base", hidden(t, shown.Body, "base"))
	if got := c.Post(one, form); got.Status != http.StatusSeeOther || len(c.Calls("PUT "+path)) != 1 {
		t.Errorf("keeping one's own: %d", got.Status)
	}
	e.Dates = nil
	for _, headers := range [][]string{nil, pagetest.Script} {
		has(t, "a deleted date", c.Post(one, form, headers...).Body, "Another person has deleted this date", `id="dates-add"`, `value="21:00"`)
	}
}

// TestAddingAfterAConflict: dates refused because of dates added meanwhile are added when the form
// of the conflict is sent.
func TestAddingAfterAConflict(t *testing.T) {
	e := weekly(1)
	c := start(t, &e)
	c.AnswerWith("POST /api/admin/event/date-rule/preview", previewed)
	c.Answer("POST "+api+"/date", http.StatusCreated, adminapi.WrittenDates{DateUUID: dateID(2)})
	form := url.Values{"base": {hidden(t, c.Get(page0+"/new").Body, "base")}, "start_date": {"2027-03-02"}, "start_time": {"20:00"}}
	e = weekly(2)
	refused := c.Post(page0+"/new", form)
	if refused.Status != http.StatusUnprocessableEntity || len(c.Calls("POST "+api+"/date")) != 0 {
		t.Fatalf("an outdated form: %d", refused.Status)
	}
	form.Set("base", hidden(t, refused.Body, "base"))
	if got := c.Post(page0+"/new", form); got.Status != http.StatusSeeOther || len(c.Calls("POST "+api+"/date")) != 1 {
		t.Errorf("the answered form: %d after %d writes", got.Status, len(c.Calls("POST "+api+"/date")))
	}
}

// TestOtherPartsOfTheEventMayChange: a date is stored although the event has another version by
// then.
func TestOtherPartsOfTheEventMayChange(t *testing.T) {
	e := weekly(1)
	c := start(t, &e)
	one, path := page0+"/"+dateID(0), api+"/date/"+dateID(0)
	stale := 1
	c.AnswerWith("PUT "+path, func(pagetest.Call) (int, any) {
		if stale--; stale >= 0 {
			return http.StatusPreconditionFailed, adminapi.Error{Code: "stale_event"}
		}
		return http.StatusOK, adminapi.WrittenDates{DateUUID: dateID(0), Dates: e.Dates}
	})
	form := url.Values{"base": {hidden(t, c.Get(one).Body, "base")}, "start_date": {"2026-12-01"}, "start_time": {"21:00"}}
	if got := c.Post(one, form); got.Status != http.StatusSeeOther || len(c.Calls("PUT "+path)) != 2 {
		t.Errorf("%d after %d writes", got.Status, len(c.Calls("PUT "+path)))
	}
}

// TestWhatRolesAreOffered: what a person may not do is not on the page, and refused when forged.
func TestWhatRolesAreOffered(t *testing.T) {
	e := weekly(2)
	e.Dates[0].ReleaseStatus = adminapi.StatusCancelled
	c := start(t, &e)
	one := page0 + "/" + dateID(1)
	writes := []string{`data-do="change"`, `data-do="delete"`, "dates-add-link"}
	status := []string{`data-do="cancel"`, `data-do="take_back"`, `data-do="move"`}
	all := c.Get(page0).Body
	has(t, "all permissions", all, append(writes, status...)...)

	c.Member(permission.EditEvent)
	lacks(t, "who may not release", c.Get(page0).Body, append(writes, status...)...)
	lacks(t, "who may not release", c.Get(one).Body, `name="release_status"`)
	e.ReleaseStatus = adminapi.StatusDraft
	has(t, "who may not release, of a draft", c.Get(page0).Body, status...)

	deletion := hidden(t, c.Get(one+"/delete").Body, "base")
	c.Member(permission.ViewEventInsights)
	for _, path := range []string{page0 + "/new", one + "/delete"} {
		if got := c.Get(path); got.Status != http.StatusForbidden {
			t.Errorf("a viewer gets the form %s: %d", path, got.Status)
		}
	}
	lacks(t, "a viewer", c.Get(page0).Body, append(writes, status...)...)
	locked := c.Get(one).Body
	has(t, "the date for a viewer", locked, "<fieldset class=\"dates-fields\" disabled>")
	lacks(t, "the date for a viewer", locked, ">Save<", `name="scope"`)
	c.Refuse("DELETE "+api+"/date/"+dateID(1), http.StatusForbidden, adminapi.Error{Error: "no", Code: "forbidden"})
	c.Refuse("PUT "+api+"/date/"+dateID(1), http.StatusForbidden, adminapi.Error{Error: "no", Code: "forbidden"})
	if got := c.Post(one+"/delete", url.Values{"base": {deletion}}); got.Status != http.StatusForbidden {
		t.Errorf("a forged deletion: %d", got.Status)
	}
	base := hidden(t, locked, "base")
	if got := c.Post(one+"/status", url.Values{"base": {base}, "release_status": {"cancelled"}}); got.Status != http.StatusForbidden {
		t.Errorf("a forged cancellation: %d", got.Status)
	}
	if got := c.Post(one, url.Values{"base": {base}}, "Sec-Fetch-Site", "cross-site"); got.Status != http.StatusForbidden {
		t.Errorf("from another site: %d", got.Status)
	}
}

func TestHostileTexts(t *testing.T) {
	e := weekly(1)
	e.Title = `<script>alert(1)</script>` + strings.Repeat("w", 2000)
	e.Dates[0].TicketLink, e.Dates[0].AccessibilityInfo = `"><img src=x>`, `</textarea><script>alert(2)</script>`
	e.DateRules[0].RRule = `FREQ=<b>;COUNT=2`
	e.Dates = append(e.Dates, e.Dates[0])
	c := start(t, &e)
	for _, path := range []string{page0, page0 + "/new?day=<b>", page0 + "/" + dateID(0), page0 + "/" + dateID(0) + "/delete", page0 + "?month=<b>&from=<b>&warned=<b>.<b>.<b>"} {
		got := c.Get(path)
		if got.Status != http.StatusOK {
			t.Errorf("%s: %d", path, got.Status)
		}
		lacks(t, path, got.Body, "<script>alert", "<img src=x", "<b>", "</textarea><script")
	}
	for _, path := range []string{"/console/event/x/dates", page0 + "/x", page0 + "/" + dateID(77), page0 + "/x/delete"} {
		if got := c.Get(path); got.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
}

// TestOpeningHoursOfADate: they are typed in words, make the date all-day, come back as they are
// stored, and an error keeps what was typed.
func TestOpeningHoursOfADate(t *testing.T) {
	t.Parallel()
	e := weekly(1)
	e.DateRules, e.Dates[0].RuleUUID, e.Dates[0].RecurrenceID = nil, "", ""
	c := start(t, &e)
	path := page0 + "/" + dateID(0)
	body := c.Get(path).Body
	has(t, "the form", body, `name="hours_mon"`, `name="hours_closed"`, "Opening hours, for exhibitions")
	form := url.Values{
		"base": {hidden(t, body, "base")}, "start_date": {"2026-12-01"}, "end_date": {"2027-01-31"}, "start_time": {"20:00"},
		"hours_tue": {"10-18"}, "hours_closed": {"Heiligabend"}, "release_status": {"inherited"},
	}
	refused := c.Post(path, form)
	has(t, "the refused form", refused.Body, `value="10-18"`, "Heiligabend", "does not begin with a day")
	var sent struct {
		AllDay    bool        `json:"all_day"`
		StartTime value.Text  `json:"start_time"`
		Hours     hours.Hours `json:"hours"`
	}
	c.AnswerWith("PUT "+api+"/date/"+dateID(0), func(call pagetest.Call) (int, any) {
		if err := json.Unmarshal(call.Body, &sent); err != nil {
			t.Error(err)
		}
		d := e.Dates[0]
		d.AllDay, d.StartTime, d.EndTime, d.EndDate, d.Hours = true, "", "", "2027-01-31", sent.Hours
		e.Dates[0] = d
		return http.StatusOK, adminapi.WrittenDates{Date: d, Dates: []adminapi.Date{d}}
	})
	form.Set("hours_closed", "24.12.2026 – 26.12.2026 Weihnachten")
	c.Post(path, form)
	if !sent.AllDay || sent.StartTime != "" || len(sent.Hours.Weekly) != 1 || sent.Hours.Closed[0].To != "2026-12-26" {
		t.Errorf("sent %+v", sent)
	}
	body = c.Get(path).Body
	has(t, "the stored form", body, `value="10:00–18:00"`, "2026-12-24 – 2026-12-26 Weihnachten", "Visitors read: Tue 10–18")
	has(t, "the list", c.Get(page0).Body, "Tue 10–18")
}

// TestPlaces: the list states whether there are places at a date, and says so in a tag.
func TestPlaces(t *testing.T) {
	e := weekly(2)
	c := start(t, &e)
	has(t, "the list", c.Get(page0).Body, `data-do="places"`, "Sold out", "Places left")
	c.AnswerWith("PUT /api/admin/date/"+dateID(0)+"/availability", func(call pagetest.Call) (int, any) {
		_ = json.Unmarshal(call.Body, &e.Dates[0].DateAvailability)
		return http.StatusOK, adminapi.WrittenAvailability{}
	})
	form := url.Values{"availability": {"few_left"}, "remaining_places": {"7"}}
	stated := c.Post(page0+"/"+dateID(0)+"/availability", form, pagetest.Script...)
	has(t, "stated", stated.Body, `data-places="few_left"`, "Few places left (7)", "Stated for Tuesday, 1 December 2026")
	wrong := c.Post(page0+"/"+dateID(0)+"/availability", url.Values{"remaining_places": {"x"}}, pagetest.Script...)
	has(t, "no number", wrong.Body, "must be a whole number")
	c.Refuse("PUT /api/admin/date/"+dateID(0)+"/availability", http.StatusBadRequest, adminapi.Error{Code: "invalid_date", Details: []fault.Violation{
		{Field: "remaining_places", Reason: "contradicts", Code: "contradicts"},
	}})
	refused := c.Post(page0+"/"+dateID(0)+"/availability", url.Values{"availability": {"sold_out"}, "remaining_places": {"7"}}, pagetest.Script...)
	has(t, "places of a date that is sold out", refused.Body, "There cannot be places left")
}
