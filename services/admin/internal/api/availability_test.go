package api_test

import (
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
