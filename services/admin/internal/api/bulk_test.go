package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestEventsInBulk(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	venue := s.venue(t, s.org)
	draft, other, foreign := s.event(t, s.org, "Konzert", "draft", nil, 5), s.event(t, s.org, "Lesung", "draft", nil), s.event(t, s.foreign, "Tanz", "draft", nil)
	put := func(who, events string) answer {
		replaced := strings.NewReplacer("{draft}", draft, "{other}", other, "{foreign}", foreign, "{venue}", venue).Replace(events)
		return s.as(t, who, http.MethodPut, "/events/bulk", `{"events": `+replaced+`}`)
	}
	done := put("editor", `[
		{"uuid": "{draft}", "if_match": "\"1\"", "release_status": "released", "venue_uuid": "{venue}", "event_types": [{"type_id": 1, "genre_id": 1003}]},
		{"uuid": "{other}", "tags": ["Jazz", "jazz"], "release_status": "review"}]`)
	done.want(t, "bulk", ok, "")
	if events := done.body["events"].([]any); len(events) != 2 || events[0].(map[string]any)["etag"] != `"2"` || events[1].(map[string]any)["uuid"] != other {
		t.Errorf("%.500s", done.raw)
	}
	read := s.as(t, "viewer", http.MethodGet, "/event/"+draft, "")
	if read.body["release_status"] != "released" || read.body["venue_uuid"] != venue || read.header.Get("ETag") != `"2"` {
		t.Errorf("%.800s", read.raw)
	}
	var queued int
	s.one(t, &queued, "SELECT count(*) FROM outbox WHERE kind = 'event' AND entity_id = $1", draft)
	if got := s.audited(t, s.org); got != "event.update event.update" || queued != 1 {
		t.Errorf("audited %s, enqueued %d", got, queued)
	}
	for _, test := range []struct {
		who, events string
		status      int
		code        string
		fields      string
	}{
		{"editor", `[{"uuid": "{draft}", "tags": ["x"]}, {"uuid": "{other}", "release_status": "released"}]`, 400, "invalid_event", "{other}.dates {other}.venue_uuid"},
		{"editor", `[{"uuid": "{draft}", "tags": [""]}, {"uuid": "{other}", "event_types": [{"type_id": 0}]}]`, 400, "invalid_event",
			"{draft}.tags[0] {other}.event_types[0].type_id"},
		{"editor", `[{"uuid": "{draft}", "release_status": "review"}, {"uuid": "{other}", "tags": ["x"]}]`, 409, "status_not_reachable", "{draft}.release_status"},
		{"editor", `[{"uuid": "{draft}", "tags": ["x"]}, {"uuid": "{other}", "if_match": "\"1\"", "tags": ["x"]}]`, 412, "stale_event", "{other}"},
		{"editor", `[{"uuid": "{foreign}", "tags": ["x"]}, {"uuid": "{draft}", "tags": ["x"]}]`, 404, "event_not_found", "{foreign}"},
		{"viewer", `[{"uuid": "{draft}", "tags": ["x"]}, {"uuid": "{other}", "tags": ["x"]}]`, 403, "permission_missing", "{draft} {other}"},
		{"contributor", `[{"uuid": "{other}", "tags": ["x"]}, {"uuid": "{draft}", "release_status": "cancelled"}]`, 403, "release_right_missing", "{draft}"},
		{"editor", `[{"uuid": "{foreign}"}, {"uuid": "{draft}", "space_uuid": "{venue}"}, {"uuid": "{other}", "tags": ["x"]}]`, 400, "events_refused", "{foreign} {draft}.space_uuid"},
		{"editor", `[]`, 400, "invalid_parameters", "events"},
		{"editor", `[` + strings.Repeat(`{}, `, 200) + `{}]`, 400, "invalid_parameters", "events"},
		{"editor", `[{"uuid": "{draft}", "title": "x", "tags": 5}, {"uuid": 5}, {"uuid": "{DRAFT}"}, 7, {"release_status": null}]`, 400, "invalid_body",
			"{draft}.title {draft}.tags events[1].uuid events[2].uuid events[3] events[3].uuid events[4].uuid events[4].release_status"},
		{"editor", `[{"uuid": "{draft}"}, {"uuid": "{draft}"}]`, 400, "invalid_body", "{draft}.uuid"},
	} {
		a := put(test.who, test.events)
		a.want(t, test.events, test.status, test.code)
		want := strings.NewReplacer("{draft}", draft, "{other}", other, "{foreign}", foreign).Replace(test.fields)
		if a.fields() != want {
			t.Errorf("%s names %s, want %s", test.events, a.fields(), want)
		}
	}
	for _, event := range []string{draft, other} { // none of the refused changes was stored
		if tag := s.as(t, "viewer", http.MethodGet, "/event/"+event, "").header.Get("ETag"); tag != `"2"` {
			t.Errorf("%s has the version %s", event, tag)
		}
	}
}

// TestBulksAtOnceLoseNothing: edits of the same events in other orders wait for each other.
func TestBulksAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	var events []string
	for n := range 20 {
		events = append(events, s.event(t, s.org, fmt.Sprint("Konzert ", n), "draft", nil))
	}
	put := func(step, n int) func() answer {
		var list []string
		for i := range events {
			list = append(list, fmt.Sprintf(`{"uuid": %q, "tags": ["x%d"]}`, events[(i*step+n)%len(events)], n))
		}
		return func() answer {
			return s.as(t, "editor", http.MethodPut, "/events/bulk", `{"events": [`+strings.Join(list, ",")+`]}`)
		}
	}
	for _, status := range atOnce(put(1, 0), put(19, 1), put(3, 2), put(7, 3), put(17, 4), put(13, 5)) {
		if status != ok {
			t.Errorf("status %d", status)
		}
	}
	var versions, tags int
	s.one(t, &versions, "SELECT min(version) FROM event WHERE org_uuid = $1", s.org)
	s.one(t, &tags, "SELECT count(DISTINCT tags) FROM event WHERE org_uuid = $1", s.org)
	if versions != 7 || tags != 1 {
		t.Errorf("version %d, %d different lists of tags", versions, tags)
	}
}
