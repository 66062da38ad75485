package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
)

// TestDatesOverHTTP: dates of a rule are previewed, added, sent back as they were read, changed and
// removed.
func TestDatesOverHTTP(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event := s.event(t, s.org, "Konzert", "draft", nil, 5)
	path := "/event/" + event + "/date"
	const asked = `{"start_date": "2027-03-26", "start_time": "20:00", "end_time": "22:00", "rrule": "freq=daily;until=20270330",
		"exdate": ["2027-03-27"], "rdate": ["2027-04-02T15:00"]}`
	preview := s.as(t, "viewer", http.MethodPost, "/event/date-rule/preview", asked)
	preview.want(t, "preview", ok, "")
	preview.wantKeys(t, "preview", "rrule rdate exdate dates warnings")
	added := s.as(t, "contributor", http.MethodPost, path, asked, "If-Match", `"1"`)
	added.want(t, "add", http.StatusCreated, "")
	dates := added.body["dates"].([]any)
	for i, shown := range preview.body["dates"].([]any) {
		stored := dates[i].(map[string]any)
		for key, value := range shown.(map[string]any) {
			if stored[key] != value {
				t.Errorf("date %d: %s is %v, the preview has %v", i, key, stored[key], value)
			}
		}
	}
	if len(dates) != 5 || added.header.Get("ETag") != `"2"` || added.body["event_uuid"] != event {
		t.Fatalf("%d dates, ETag %s: %.500s", len(dates), added.header.Get("ETag"), added.raw)
	}
	first := dates[0].(map[string]any)
	one := fmt.Sprintf("%s/%s", path, first["uuid"])
	for _, scope := range []string{"", "?scope=this", "?scope=following", "?scope=all"} { // sending back a read date changes nothing
		body, _ := json.Marshal(first)
		same := s.as(t, "contributor", http.MethodPut, one+scope, string(body))
		same.want(t, "send back "+scope, ok, "")
		if same.header.Get("ETag") != `"2"` {
			t.Errorf("%s gives ETag %s", scope, same.header.Get("ETag"))
		}
	}
	s.as(t, "contributor", http.MethodPut, one, `{"start_time": "21:00"}`, "If-Match", `"1"`).
		want(t, "an old version", http.StatusPreconditionFailed, "stale_event")
	changed := s.as(t, "editor", http.MethodPut, one+"?scope=all", `{"release_status": "cancelled"}`, "If-Match", `"2"`)
	changed.want(t, "cancel", ok, "")
	if list := changed.body["dates"].([]any); len(list) != 5 || list[4].(map[string]any)["release_status"] != "cancelled" {
		t.Errorf("%.1000s", changed.raw)
	}
	removed := s.as(t, "contributor", http.MethodDelete, one+"?scope=all", "")
	removed.want(t, "remove", ok, "")
	removed.wantKeys(t, "remove", "message uuid event_uuid event_date_uuid event_date_uuids warnings")
	if removed.header.Get("ETag") != `"4"` || len(removed.body["event_date_uuids"].([]any)) != 5 {
		t.Errorf("%.500s", removed.raw)
	}
	if got := s.audited(t, s.org); got != "event.update event.update event.update" {
		t.Errorf("audited %s", got)
	}
}

func TestBadDatesAreNamed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event := s.event(t, s.org, "Konzert", "draft", nil)
	path := "/event/" + event + "/date"
	date := s.datesOfARule(t, event)
	for _, test := range []struct{ method, path, body, fields string }{
		{"POST", path, `{"uuid": "x", "rule_uuid": "x", "recurrence_id": "x", "start_date": "2026-12-01", "all_day": true}`, "uuid rule_uuid recurrence_id"},
		{"POST", path, `{"start_time": 5, "ticket_link": "x"}`, "start_time ticket_link start_date"},
		{"POST", path, `{"start_date": "2026-12-01", "start_time": "20:00", "rrule": "FREQ=DAILY", "rdate": ["x"]}`, "rrule rdate[0]"},
		{"POST", path, `{"start_date": "2026-12-01", "start_time": "20:00", "rrule": "FREQ=YEARLY;COUNT=5;BYMONTH=2;BYMONTHDAY=30"}`, "rrule"},
		{"POST", path, `{"start_date": "2026-12-01", "start_time": "20:00", "rrule": "FREQ=SECONDLY;COUNT=5"}`, "rrule"},
		{"POST", path, `{"start_date": "2026-12-01", "start_time": "20:00", "duration": 90}`, "duration"},
		{"POST", "/event/date-rule/preview", `{"start_date": "2026-12-01", "start_time": "20:00", "rrule": "FREQ=DAILY;COUNT=1001"}`, "rrule"},
		{"POST", "/event/date-rule/preview", `{"start_date": "2026-12-01", "event_uuid": "a\u0007", "rrule": "x"}`, "start_time rrule event_uuid"},
		{"POST", "/event/date-rule/preview", `{"start_date": "2026-12-01", "all_day": true, "event_uuid": "1"}`, "event_uuid"},
		{"POST", "/event/date-rule/preview", `{"all_day": 1, "event_uuid": "1"}`, "all_day start_date start_time event_uuid"},
		{"PUT", path + "/" + date, `{"uuid": "` + event + `", "all_day": "yes"}`, "all_day uuid"},
		{"PUT", path + "/" + date, `{"recurrence_id": "2026-12-25"}`, "recurrence_id"},
		{"PUT", path + "/" + date, `{"start_time": "20:00"}`, "start_time"},
		{"PUT", path + "/" + date + "?scope=some", `{"end_date": "2026-12-30"}`, "scope"},
		{"PUT", path + "/null", `{"end_date": "2026-12-30"}`, "dateId"},
		{"PUT", "/event/x/date/y", `{}`, "eventId dateId"},
		{"DELETE", path + "/" + date + "?scope=x", ``, "scope"},
	} {
		a := s.as(t, "editor", test.method, test.path, test.body)
		a.want(t, test.method+" "+test.body, http.StatusBadRequest, "")
		if a.fields() != test.fields {
			t.Errorf("%s %s %s names %q, want %q", test.method, test.path, test.body, a.fields(), test.fields)
		}
	}
}
