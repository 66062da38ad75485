package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestEveryMoveOfAnEvent tries every pair of release statuses with the release right (RULES.md,
// Release status), one event for each, and each status that does not exist.
func TestEveryMoveOfAnEvent(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	statuses := []string{"draft", "review", "released", "cancelled", "deferred", "rescheduled"}
	allowed := map[string]string{
		"draft": "review released", "review": "released draft", "released": "draft cancelled deferred rescheduled",
		"cancelled": "draft released", "deferred": "draft released", "rescheduled": "draft released",
	}
	for _, from := range statuses {
		for _, to := range append(statuses, "inherited", "gone", "") {
			path := "/event/" + s.eventOf(t, from)
			pair, before := from+" to "+to, s.as(t, "viewer", http.MethodGet, path, "")
			moved := s.as(t, "editor", http.MethodPut, path+"/release-status", fmt.Sprintf(`{"release_status": %q}`, to))
			after := s.as(t, "viewer", http.MethodGet, path, "")
			switch {
			case !slices.Contains(statuses, to):
				moved.want(t, pair, http.StatusBadRequest, "")
			case from != to && !slices.Contains(strings.Fields(allowed[from]), to):
				moved.want(t, pair, http.StatusConflict, "status_not_reachable")
			default:
				moved.want(t, pair, ok, "")
				if moved.body["release_status"] != to || after.body["release_status"] != to {
					t.Errorf("%s: the answer shows %v, then %v is read", pair, moved.body["release_status"], after.body["release_status"])
				}
				if changed := after.header.Get("ETag") != before.header.Get("ETag"); changed != (from != to) {
					t.Errorf("%s: another version: %t", pair, changed)
				}
				continue
			}
			if moved.fields() != "release_status" {
				t.Errorf("%s names %q", pair, moved.fields())
			}
			if string(after.raw) != string(before.raw) || after.header.Get("ETag") != before.header.Get("ETag") {
				t.Errorf("%s was refused and changed the event", pair)
			}
		}
	}
}

// eventOf makes a complete event that an editor has brought to a release status.
func (s *stage) eventOf(t *testing.T, status string) string {
	t.Helper()
	first := status
	if !slices.Contains([]string{"draft", "review", "released"}, status) {
		first = "released"
	}
	created := s.as(t, "editor", http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "title": "Konzert",
		"online_link": "https://example.org/live", "release_status": %q, "dates": [{"start_date": "2036-05-01", "all_day": true}]}`, s.org, first))
	created.want(t, "create "+first, http.StatusCreated, "")
	id := fmt.Sprint(created.body["uuid"])
	if first != status {
		s.as(t, "editor", http.MethodPut, "/event/"+id+"/release-status", fmt.Sprintf(`{"release_status": %q}`, status)).want(t, status, ok, "")
	}
	return id
}

// TestEveryMoveOfADate: a date may change from each of its statuses to each other one, whether its
// event is public or not, and to none of an event's own.
func TestEveryMoveOfADate(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	statuses := []string{"inherited", "cancelled", "deferred", "rescheduled"}
	for _, ofEvent := range []string{"draft", "released"} {
		event := "/event/" + s.eventOf(t, ofEvent)
		date := s.as(t, "viewer", http.MethodGet, event, "").first(t, "dates")
		path := fmt.Sprintf("%s/date/%s", event, date["uuid"])
		for _, from := range statuses {
			for _, to := range append(statuses, "draft", "review", "released", "gone") {
				pair := fmt.Sprintf("a date of a %s event: %s to %s", ofEvent, from, to)
				s.as(t, "editor", http.MethodPut, path, fmt.Sprintf(`{"release_status": %q}`, from)).want(t, "to "+from, ok, "")
				moved, want := s.as(t, "editor", http.MethodPut, path, fmt.Sprintf(`{"release_status": %q}`, to)), to
				if slices.Contains(statuses, to) {
					moved.want(t, pair, ok, "")
				} else {
					moved.want(t, pair, http.StatusBadRequest, "")
					if moved.fields() != "release_status" {
						t.Errorf("%s names %q", pair, moved.fields())
					}
					want = from
				}
				after := s.as(t, "viewer", http.MethodGet, event, "")
				if got := after.first(t, "dates")["release_status"]; got != want || after.body["release_status"] != ofEvent {
					t.Errorf("%s: the date is %v, the event %v", pair, got, after.body["release_status"])
				}
			}
		}
	}
}

// TestImportsOfPublicEventsNeedTheReleaseRight: a row that would change one is refused; one that
// changes nothing is not.
func TestImportsOfPublicEventsNeedTheReleaseRight(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	imported := func(who, title string) map[string]any {
		t.Helper()
		a := s.as(t, who, http.MethodPost, "/organization/"+s.org+"/import",
			fmt.Sprintf(`{"content": "ID;Titel;Datum\n7;%s;24.12.2036\n", "source": "x", "dry_run": false}`, title))
		a.want(t, "import", ok, "")
		return a.first(t, "events")
	}
	event := imported("editor", "Jazz")["event_uuid"]
	s.exec(t, "UPDATE event SET release_status = 'released', online_link = 'https://example.org' WHERE uuid = $1", event)
	if got := imported("contributor", "Jazz"); got["action"] != "unchanged" {
		t.Errorf("the same again: %v", got)
	}
	refused := imported("contributor", "Blues")
	reasons := fmt.Sprint(refused["reasons"])
	if refused["action"] != "refuse" || !strings.Contains(reasons, "release_right_missing") {
		t.Errorf("a contributor's: %v", refused)
	}
	if got := imported("editor", "Blues"); got["action"] != "update" {
		t.Errorf("an editor's: %v", got)
	}
}
