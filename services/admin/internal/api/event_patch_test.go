package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

const mergePatch = "application/merge-patch+json"

// patch sends a merge patch of an event.
func (s *stage) patch(t *testing.T, who, event, body string, headers ...string) answer {
	t.Helper()
	headers = append(headers, "Authorization", "Bearer "+s.people[who].access, "Content-Type", mergePatch)
	return s.send(t, http.MethodPatch, admin+"/event/"+event, strings.NewReader(body), headers...)
}

// TestAPatchIsOneEdit: it changes fields of every section, in one version, with one entry in the
// audit and one in the outbox.
func TestAPatchIsOneEdit(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event, venue := s.event(t, s.org, "Konzert", "released", nil, 5), s.venue(t, s.org)
	s.exec(t, "UPDATE event SET venue_uuid = $2, subtitle = 'mit Blick' WHERE uuid = $1", event, venue)
	s.exec(t, "DELETE FROM outbox")
	date := s.as(t, "editor", http.MethodGet, "/event/"+event, "").first(t, "dates")["uuid"]
	body := fmt.Sprintf(`{"title": "Jazz", "subtitle": null, "summary": "Kurz", "description": "Lang", "tags": ["jazz", "hafen"],
		"categories": [1], "event_types": [{"type_id": 1, "genre_id": 1003}], "languages": ["de"], "min_age": 12, "price_type": "free",
		"online_link": "https://example.org/live", "event_links": [{"type": "website", "url": "https://example.org"}],
		"dates": [{"uuid": %q, "start_date": "2027-03-05", "start_time": "20:00"}, {"start_date": "2027-03-06", "all_day": true}],
		"release_status": "cancelled"}`, date)
	a := s.patch(t, "editor", event, body, "If-Match", `"1"`)
	a.want(t, "patch", ok, "")
	if a.header.Get("ETag") != `"2"` || a.body["title"] != "Jazz" || a.body["subtitle"] != nil || a.body["release_status"] != "cancelled" {
		t.Errorf("%s %.900s", a.header.Get("ETag"), a.raw)
	}
	dates := a.body["dates"].([]any)
	if len(dates) != 2 || a.first(t, "dates")["uuid"] != date || len(a.body["event_links"].([]any)) != 1 {
		t.Errorf("dates and links of %.900s", a.raw)
	}
	if got := s.audited(t, s.org); got != "event.update" {
		t.Errorf("audited %s", got)
	}
	var published int
	s.one(t, &published, "SELECT count(*) FROM outbox WHERE kind = 'event' AND entity_id = $1", event)
	if published != 1 {
		t.Errorf("%d rows in the outbox", published)
	}
	s.patch(t, "editor", event, `{"title": "Blues"}`, "If-Match", `"1"`).want(t, "an old version", http.StatusPreconditionFailed, "stale_event")
	s.as(t, "editor", http.MethodPatch, "/event/"+event, `{"dates": null, "release_status": "draft"}`).want(t, "as JSON", ok, "")
	s.send(t, http.MethodPatch, admin+"/event/"+event, strings.NewReader(`{}`), "Authorization", "Bearer "+s.people["editor"].access,
		"Content-Type", "application/json-patch+json").want(t, "a JSON patch", http.StatusUnsupportedMediaType, "unsupported_media")
	same := s.patch(t, "editor", event, `{"title": "Jazz"}`)
	if same.want(t, "nothing new", ok, ""); same.header.Get("ETag") != `"3"` {
		t.Errorf("a patch that changes nothing gives %s", same.header.Get("ETag"))
	}
}

// TestAPatchIsWholeOrNothing: a bad field of one section leaves all others as they are, and every
// bad field is named, an unknown one with the nearest.
func TestAPatchIsWholeOrNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event, other := s.event(t, s.org, "Konzert", "draft", nil, 5), s.event(t, s.org, "Lesung", "draft", nil, 5)
	foreignDate := s.as(t, "owner", http.MethodGet, "/event/"+other, "").first(t, "dates")["uuid"]
	for body, want := range map[string]string{
		`{"title": "Neu", "sub_title": "x", "min_age": "x"}`:                               "sub_title min_age",
		`{"title": "Neu", "max_age": 900, "tags": [""]}`:                                   "max_age tags[0]",
		`{"title": "Neu", "release_status": null}`:                                         "release_status",
		`{"title": "Neu", "release_status": "released"}`:                                   "venue_uuid",
		`{"title": "Neu", "images": []}`:                                                   "images",
		`{"title": "Neu", "dates": [{"start_date": "2027-02-30", "all_day": true}]}`:       "dates[0].start_date",
		`{"title": "Neu", "dates": [{"all_day": true, "rule_uuid": "` + newUUID() + `"}]}`: "dates[0].rule_uuid dates[0].start_date",
		fmt.Sprintf(`{"title": "Neu", "min_age": 900, "dates": [{"uuid": %q, "start_date": "2027-02-01", "all_day": true}],
			"event_links": [{"uuid": %q, "type": "website", "url": "https://example.org"}]}`, foreignDate, s.link(t, other)): "dates[0].uuid event_links[0].uuid min_age",
	} {
		a := s.patch(t, "editor", event, body)
		if a.status != http.StatusBadRequest || a.fields() != want {
			t.Errorf("%s: %d, fields %q, want %q: %.600s", body, a.status, a.fields(), want, a.raw)
		}
	}
	date := s.as(t, "owner", http.MethodGet, "/event/"+event, "").first(t, "dates")["uuid"]
	a := s.as(t, "editor", http.MethodPut, fmt.Sprintf("/event/%s/date/%s", event, date), `{"hours": {"x": 1}}`)
	if a.fields() != "hours.x" || strings.Contains(string(a.raw), "did you mean") {
		t.Errorf("a field of a part: %s", a.raw)
	}
	if a := s.patch(t, "editor", event, `{"sub_title": "x"}`); !strings.Contains(string(a.raw), "did you mean subtitle?") {
		t.Errorf("%s", a.raw)
	}
	if a := s.as(t, "owner", http.MethodGet, "/event/"+event, ""); a.body["title"] != "Konzert" || a.header.Get("ETag") != `"1"` {
		t.Errorf("%.500s", a.raw)
	}
}

// TestAPatchKeepsTheRulesOfDates: a date of a rule stays in it, also without naming it, and a
// removed one is left out of the rule.
func TestAPatchKeepsTheRulesOfDates(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event := s.event(t, s.org, "Konzert", "draft", nil)
	first := s.datesOfARule(t, event)
	body := fmt.Sprintf(`{"dates": [{"uuid": %q, "start_date": "2026-12-28", "all_day": true}]}`, first)
	a := s.patch(t, "editor", event, body)
	a.want(t, "patch", ok, "")
	date, rule := a.first(t, "dates"), a.first(t, "date_rules")
	if date["recurrence_id"] != "2026-12-24" || date["rule_uuid"] != rule["uuid"] || date["start_date"] != "2026-12-28" {
		t.Errorf("the date is %v", date)
	}
	if got := fmt.Sprint(rule["exdate"]); got != "[2026-12-25]" {
		t.Errorf("the rule leaves out %s", got)
	}
	a = s.patch(t, "editor", event, fmt.Sprintf(`{"dates": [{"uuid": %q, "start_date": "2026-12-28", "all_day": true, "recurrence_id": "2026-12-26"}]}`, first))
	if a.want(t, "another start", http.StatusBadRequest, ""); a.fields() != "dates[0].recurrence_id" {
		t.Errorf("fields %s", a.fields())
	}
	a = s.patch(t, "editor", event, `{"dates": []}`)
	if a.want(t, "no dates", ok, ""); len(a.body["date_rules"].([]any)) != 0 {
		t.Errorf("rules without dates: %.500s", a.raw)
	}
}
