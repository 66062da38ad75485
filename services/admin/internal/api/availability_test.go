package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// setPlaces sends the availability of a date with an API key.
func (s *stage) setPlaces(t *testing.T, key, date, body string, headers ...string) answer {
	t.Helper()
	headers = append(headers, "Authorization", "Bearer "+key, "Content-Type", "application/json")
	return s.send(t, http.MethodPut, admin+"/date/"+date+"/availability", strings.NewReader(body), headers...)
}

// TestBoxOffice: a key that may only set availabilities does so for a public event, without
// touching the event, its version or more of the audit than one entry in an hour.
func TestBoxOffice(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event, created := s.newEvent(t)
	date := fmt.Sprint(created.body["dates"].([]any)[0].(map[string]any)["uuid"])
	s.as(t, "editor", http.MethodPut, "/event/"+event+"/release-status", `{"release_status": "released", "release_date": null}`).
		want(t, "release", ok, "")
	key, _ := s.makeKey(t, "owner", "/organization/"+s.org+"/api-keys", `{"name": "Kasse", "permissions": "536870912"}`)
	s.enqueued(t)

	read := s.as(t, "viewer", http.MethodGet, "/date/"+date+"/availability", "")
	read.want(t, "read", ok, "")
	changed := s.setPlaces(t, key, date, `{"availability": "Few_left ", "remaining_places": 2}`, "If-Match", read.header.Get("ETag"))
	changed.want(t, "change", ok, "")
	changed.has(t, "change", map[string]any{"uuid": date, "event_uuid": event, "availability": "few_left", "remaining_places": 2.0})
	if got := s.enqueued(t); got != "event "+event {
		t.Errorf("published: %s", got)
	}
	s.setPlaces(t, key, date, `{"availability": "sold_out"}`, "If-Match", read.header.Get("ETag")).
		want(t, "an old version", http.StatusPreconditionFailed, "stale_availability")
	s.setPlaces(t, key, date, `{"availability": "sold_out", "remaining_places": 3}`).refuses(t, "remaining_places")
	same := s.setPlaces(t, key, date, `{"remaining_places": 2}`)
	if same.want(t, "the same", ok, ""); same.header.Get("ETag") != changed.header.Get("ETag") || s.enqueued(t) != "" {
		t.Error("what is the same makes a version")
	}
	s.setPlaces(t, key, date, `{"availability": "sold_out"}`).has(t, "sell out", map[string]any{"remaining_places": 0.0})
	s.setPlaces(t, key, date, `{"availability": "available"}`).has(t, "open again", map[string]any{"remaining_places": nil})
	s.setPlaces(t, key, date, `{"remaining_places": 4}`).want(t, "four", ok, "")
	s.setPlaces(t, key, date, `{"availability": "waiting_list"}`).has(t, "a waiting list", map[string]any{"remaining_places": 0.0})
	s.setPlaces(t, key, date, `{"availability": "sold_out"}`).has(t, "sold out", map[string]any{"remaining_places": 0.0})

	entry := s.as(t, "viewer", http.MethodGet, "/event/"+event, "", "If-None-Match", `"2"`)
	shown := entry.body["dates"].([]any)[0].(map[string]any)
	if entry.header.Get("ETag") != `"2"` || shown["availability"] != "sold_out" || shown["remaining_places"] != 0.0 {
		t.Errorf("the event has the version %s and the date %v", entry.header.Get("ETag"), shown)
	}
	for _, path := range []string{"/event/" + event + "/date/" + date, "/event/" + event + "/header"} {
		s.send(t, http.MethodPut, admin+path, strings.NewReader("{}"), "Authorization", "Bearer "+key, "Content-Type", "application/json").
			want(t, path, http.StatusForbidden, "permission_missing")
	}
	var entries int
	const count = `SELECT count(*) FROM audit_entry WHERE action = 'date.availability' AND entity_id = $1 AND after->>'remaining_places' = '2'`
	if s.one(t, &entries, count, date); entries != 1 {
		t.Errorf("%d entries of the audit in an hour", entries)
	}
	s.clock.Move(time.Hour + time.Second)
	s.setPlaces(t, key, date, `{"availability": "available", "remaining_places": null}`).want(t, "return", ok, "")
	if s.one(t, &entries, `SELECT count(*) FROM audit_entry WHERE action = 'date.availability'`); entries != 2 {
		t.Errorf("%d entries of the audit in two hours", entries)
	}
}

// TestEditsKeepAvailabilities: an edit of an event that read the date before a box office changed
// it does not write back what it read.
func TestEditsKeepAvailabilities(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event, created := s.newEvent(t)
	date := fmt.Sprint(created.body["dates"].([]any)[0].(map[string]any)["uuid"])
	one := "/event/" + event + "/date/" + date
	edit := func() answer { return s.as(t, "editor", http.MethodPut, one, `{"accessibility_info": "Rampe"}`) }
	sell := func() answer {
		return s.as(t, "editor", http.MethodPut, "/date/"+date+"/availability", `{"availability": "sold_out", "remaining_places": 0}`)
	}
	if statuses := atOnce(edit, sell); statuses[1] != ok {
		t.Fatalf("%v", statuses)
	}
	shown := s.as(t, "viewer", http.MethodGet, "/event/"+event, "").body["dates"].([]any)[0].(map[string]any)
	if shown["availability"] != "sold_out" || shown["accessibility_info"] != "Rampe" {
		t.Errorf("one of two edits at once is lost: %v", shown)
	}
	s.as(t, "editor", http.MethodPut, one, `{"availability": "few_left", "remaining_places": 1}`).want(t, "edit the availability", ok, "")
	read := s.as(t, "viewer", http.MethodGet, "/date/"+date+"/availability", "")
	read.has(t, "read", map[string]any{"availability": "few_left", "remaining_places": 1.0})
	if read.header.Get("ETag") != `"3"` {
		t.Errorf("the version is %s", read.header.Get("ETag"))
	}
}

// soldDate is an event with a date that a box office has sold out since the editor read it.
type soldDate struct {
	*stage
	event, date string
	read        answer // the event before the sale
}

// sell sells a new event out after it was read.
func (s *stage) sell(t *testing.T, status string) soldDate {
	t.Helper()
	event := s.event(t, s.org, "Konzert", status, nil, 5, 6)
	s.exec(t, "UPDATE event SET venue_uuid = $2 WHERE uuid = $1", event, s.venue(t, s.org))
	sold := soldDate{stage: s, event: event}
	sold.date = fmt.Sprint(s.as(t, "editor", http.MethodGet, "/event/"+event, "").first(t, "dates")["uuid"])
	s.state(t, sold.date, `{"availability": "few_left", "remaining_places": 2}`)
	sold.read = s.as(t, "editor", http.MethodGet, "/event/"+event, "")
	s.state(t, sold.date, `{"availability": "sold_out", "remaining_places": 0}`)
	return sold
}

// state changes the availability of a date as a box office does.
func (s *stage) state(t *testing.T, date, body string) {
	t.Helper()
	s.as(t, "owner", http.MethodPut, "/date/"+date+"/availability", body).want(t, body, ok, "")
}

// dates are those of the event as it was read, as a body.
func (s soldDate) dates(t *testing.T) string {
	t.Helper()
	encoded, err := json.Marshal(s.read.body["dates"])
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

// is checks the availability of the date in an answer with all dates, and as it is stored.
func (s soldDate) is(t *testing.T, what string, written answer, want string) {
	t.Helper()
	written.want(t, what, ok, "")
	shown := func(d map[string]any) string {
		return fmt.Sprint(d["availability"], " ", d["remaining_places"], " ", d["availability_version"])
	}
	if got := shown(written.find(t, "dates", s.date)); got != want {
		t.Errorf("%s answers %s, want %s", what, got, want)
	}
	if got := shown(s.as(t, "viewer", http.MethodGet, "/event/"+s.event, "").find(t, "dates", s.date)); got != want {
		t.Errorf("%s leaves %s, want %s", what, got, want)
	}
}

// TestWholeDatesKeepNewerAvailabilities: an event or a date that is sent back whole changes what it
// changes, and takes back no sale since it was read.
func TestWholeDatesKeepNewerAvailabilities(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, status := range []string{"draft", "released"} {
		e := s.sell(t, status)
		one := "/event/" + e.event + "/date/" + e.date
		whole := e.dates(t)
		date, err := json.Marshal(e.read.find(t, "dates", e.date))
		if err != nil {
			t.Fatal(err)
		}
		back := fmt.Sprintf(`{"title": "Neu", "dates": %s}`, whole)
		a := s.patch(t, "owner", e.event, back, "If-Match", e.read.header.Get("ETag"))
		if e.is(t, "the event sent back", a, "sold_out 0 3"); a.body["title"] != "Neu" {
			t.Errorf("the edit is lost: %s", a.raw)
		}
		moved := strings.Replace(string(date), `"accessibility_info":null`, `"accessibility_info":"Rampe"`, 1)
		a = s.as(t, "owner", http.MethodPut, one, moved)
		if e.is(t, "the date sent back", a, "sold_out 0 3"); a.body["accessibility_info"] != "Rampe" {
			t.Errorf("the edit is lost: %s", a.raw)
		}
		a = s.as(t, "owner", http.MethodPut, "/date/"+e.date+"/availability", `{"availability": "available", "availability_version": 2}`)
		a.has(t, "a box office that is late", map[string]any{"availability": "sold_out", "availability_version": 3.0})

		present := strings.Replace(whole, `"availability_version":2`, `"availability_version":3`, 1)
		a = s.patch(t, "owner", e.event, fmt.Sprintf(`{"dates": %s}`, present))
		e.is(t, "with the present version", a, "few_left 2 4")
		a = s.patch(t, "owner", e.event, fmt.Sprintf(`{"dates": %s}`, strings.Replace(present, `"availability_version":3`, `"availability_version":4`, 1)))
		e.is(t, "the same again", a, "few_left 2 4")
		s.state(t, e.date, `{"availability": "sold_out"}`)
		for i, version := range []string{"", `"availability_version":null,`} {
			a = s.patch(t, "owner", e.event, fmt.Sprintf(`{"dates": %s}`, strings.Replace(whole, `"availability_version":2,`, version, 1)))
			e.is(t, "without a version", a, fmt.Sprint("few_left 2 ", 6+2*i))
			s.state(t, e.date, `{"availability": "sold_out"}`)
		}
		a = s.as(t, "owner", http.MethodPut, one, `{"availability": "few_left", "remaining_places": 1}`)
		e.is(t, "a date without a version", a, "few_left 1 10")
	}
}

// TestAnOldAvailabilityStaysInAllDatesOfARule: where the date of the path keeps its availability,
// so do the others that a scope adds.
func TestAnOldAvailabilityStaysInAllDatesOfARule(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event := s.event(t, s.org, "Konzert", "draft", nil)
	path := "/event/" + event + "/date"
	added := s.as(t, "editor", http.MethodPost, path, `{"start_date": "2027-08-03", "all_day": true, "rrule": "FREQ=DAILY;COUNT=2", "remaining_places": 5}`)
	first, second := added.body["dates"].([]any)[0].(map[string]any), added.body["dates"].([]any)[1].(map[string]any)
	s.state(t, fmt.Sprint(first["uuid"]), `{"remaining_places": 4}`)
	body := `{"remaining_places": 9, "availability_version": 1, "accessibility_info": "Rampe"}`
	a := s.as(t, "editor", http.MethodPut, fmt.Sprintf("%s/%s?scope=all", path, first["uuid"]), body)
	for want, date := range map[string]map[string]any{"4 2 Rampe": first, "5 1 Rampe": second} {
		is := a.find(t, "dates", fmt.Sprint(date["uuid"]))
		if got := fmt.Sprint(is["remaining_places"], " ", is["availability_version"], " ", is["accessibility_info"]); got != want {
			t.Errorf("the date is %s, want %s: %s", got, want, a.raw)
		}
	}
}

// TestNoClientChoosesTheVersionOfAnAvailability: a greater version than the stored one would keep
// the availability as it is until as many tickets are sold.
func TestNoClientChoosesTheVersionOfAnAvailability(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	e := s.sell(t, "draft")
	before := s.as(t, "viewer", http.MethodGet, "/event/"+e.event, "")
	const fresh = `{"start_date": "2027-08-03", "all_day": true, "availability_version": 1}`
	for _, version := range []string{"4", "9223372036854775807", "1e30", "0", "-1", "2.5", `"2"`, "[]", "true"} {
		body := fmt.Sprintf(`{"availability": "available", "availability_version": %s}`, version)
		s.as(t, "owner", http.MethodPut, "/date/"+e.date+"/availability", body).refuses(t, "availability_version")
		s.as(t, "owner", http.MethodPut, "/event/"+e.event+"/date/"+e.date, body).refuses(t, "availability_version")
		dates := strings.Replace(e.dates(t), `"availability_version":2`, `"availability_version":`+version, 1)
		s.patch(t, "owner", e.event, fmt.Sprintf(`{"dates": %s}`, dates)).refuses(t, "dates[0].availability_version")
	}
	s.patch(t, "owner", e.event, fmt.Sprintf(`{"dates": [%s]}`, fresh)).refuses(t, "dates[0].availability_version")
	s.as(t, "owner", http.MethodPost, "/event/"+e.event+"/date", fresh).refuses(t, "availability_version")
	s.as(t, "owner", http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "dates": [%s]}`, s.org, fresh)).
		refuses(t, "dates[0].availability_version")
	if after := s.as(t, "viewer", http.MethodGet, "/event/"+e.event, ""); string(after.raw) != string(before.raw) {
		t.Errorf("the event is %s, was %s", after.raw, before.raw)
	}
	copied := s.as(t, "owner", http.MethodPost, "/event/"+e.event+"/duplicate", "")
	for _, date := range copied.body["dates"].([]any) {
		if d := date.(map[string]any); d["availability"] != nil || d["availability_version"] != 1.0 {
			t.Errorf("a copy has %v", d)
		}
	}
}

// TestSalesDuringWholeEdits: events are sent back whole while a box office sells. No sale is lost,
// and no edit.
func TestSalesDuringWholeEdits(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event := s.event(t, s.org, "Konzert", "released", nil, 5, 6)
	s.exec(t, "UPDATE event SET venue_uuid = $2 WHERE uuid = $1", event, s.venue(t, s.org))
	for left := 8; left > 0; left-- {
		read := s.as(t, "owner", http.MethodGet, "/event/"+event, "")
		date := fmt.Sprint(read.first(t, "dates")["uuid"])
		read.first(t, "dates")["remaining_places"] = 99 // which the editor changes, too
		dates, err := json.Marshal(read.body["dates"])
		if err != nil {
			t.Fatal(err)
		}
		title := fmt.Sprint("Fassung ", left)
		statuses := atOnce(
			func() answer {
				return s.patch(t, "owner", event, fmt.Sprintf(`{"title": %q, "dates": %s}`, title, dates))
			},
			func() answer {
				return s.as(t, "owner", http.MethodPut, "/date/"+date+"/availability", fmt.Sprintf(`{"remaining_places": %d}`, left))
			},
		)
		after := s.as(t, "owner", http.MethodGet, "/event/"+event, "")
		if is := after.first(t, "dates"); statuses[1] != ok || is["remaining_places"] != float64(left) || after.body["title"] != title {
			t.Errorf("%v: %v are left of %d, the title is %v", statuses, is["remaining_places"], left, after.body["title"])
		}
	}
}
