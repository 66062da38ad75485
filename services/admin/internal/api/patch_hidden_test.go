package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A patch shows nothing of what its sender does not see: an event, organization, venue or space of
// others is answered as one that does not exist, and so is a date or a link of another event, also
// in a patch with other faults.
func TestAPatchShowsNothingHidden(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	org, venue, event := s.found(t, "stranger") // which waits for approval
	space := s.space(t, venue)
	own, date := s.event(t, s.org, "Konzert", "draft", nil, 5), fmt.Sprint(s.as(t, "stranger", http.MethodGet, "/event/"+event, "").first(t, "dates")["uuid"])
	link := s.link(t, event)
	for name, body := range map[string]string{
		"an organization":       `{"org_uuid": %q}`,
		"a venue":               `{"venue_uuid": %q}`,
		"a venue of a date":     `{"dates": [{"start_date": "2027-01-01", "all_day": true, "venue_uuid": %q}]}`,
		"a space":               `{"space_uuid": %q}`,
		"a date":                `{"title": 5, "dates": [{"uuid": %q, "start_date": "2027-01-01", "all_day": true}]}`,
		"a date, otherwise bad": `{"min_age": 900, "dates": [{"uuid": %q, "start_date": "x", "all_day": true}]}`,
		"a link":                `{"event_links": [{"uuid": %q, "type": "website", "url": "https://example.org"}]}`,
		"a rule of dates":       `{"dates": [{"start_date": "2027-01-01", "all_day": true, "rule_uuid": %q}]}`,
	} {
		hidden := map[string]string{
			"an organization": org, "a venue": venue, "a venue of a date": venue, "a space": space, "a link": link,
		}[name]
		if hidden == "" {
			hidden = date
		}
		unknown := newUUID()
		got, want := s.patch(t, "editor", own, fmt.Sprintf(body, hidden)), s.patch(t, "editor", own, fmt.Sprintf(body, unknown))
		if got.status < http.StatusBadRequest || got.status != want.status || anonymous(got, hidden) != anonymous(want, unknown) {
			t.Errorf("%s that is hidden: %d %s, an unknown one: %d %s", name, got.status, got.raw, want.status, want.raw)
		}
	}
	for _, body := range []string{`{"title": "Neu"}`, `{"title": 5}`, `{`, `{"title": "Neu", "unknown": 1}`, `{"release_status": "released"}`} {
		got, want := s.patch(t, "editor", event, body), s.patch(t, "editor", newUUID(), body)
		if got.status != want.status || anonymous(got, event) != anonymous(want, "") || got.header.Get("ETag") != "" {
			t.Errorf("%s of a hidden event: %d %s, of an unknown one: %d %s", body, got.status, got.raw, want.status, want.raw)
		}
	}
	if a := s.as(t, "owner", http.MethodGet, "/event/"+own, ""); a.header.Get("ETag") != `"1"` {
		t.Errorf("the event has changed: %s", a.raw)
	}
}

// anonymous is an answer without its number and without a uuid.
func anonymous(a answer, id string) string {
	text := string(a.raw)
	if i := strings.Index(text, `"request_id"`); i >= 0 {
		text = text[:i]
	}
	if id == "" {
		return text
	}
	return strings.ReplaceAll(text, id, "")
}

// The dates of a rule, sent back as they were read, are no fault beside another one.
func TestDatesOfARuleAreSentBack(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event := s.event(t, s.org, "Konzert", "draft", nil, 5)
	s.as(t, "editor", http.MethodPost, "/event/"+event+"/date", `{"start_date": "2027-08-03", "all_day": true, "rrule": "FREQ=WEEKLY;COUNT=3"}`).
		want(t, "add a rule", http.StatusCreated, "")
	read := s.as(t, "editor", http.MethodGet, "/event/"+event, "")
	dates, err := json.Marshal(read.body["dates"])
	if err != nil {
		t.Fatal(err)
	}
	if a := s.patch(t, "editor", event, fmt.Sprintf(`{"title": 5, "dates": %s}`, dates)); a.fields() != "title" {
		t.Errorf("bad fields %s: %s", a.fields(), a.raw)
	}
	s.patch(t, "editor", event, fmt.Sprintf(`{"title": "Neu", "dates": %s}`, dates)).want(t, "send back", ok, "")
	if a := s.as(t, "editor", http.MethodGet, "/event/"+event, ""); fmt.Sprint(a.body["dates"]) != fmt.Sprint(read.body["dates"]) {
		t.Errorf("the dates are %v, were %v", a.body["dates"], read.body["dates"])
	}
}

// A note stays until it is changed: taking a cancellation back with null leaves none for the next.
func TestANoteOfACancellation(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event, venue := s.event(t, s.org, "Konzert", "released", nil, 5), s.venue(t, s.org)
	s.exec(t, "UPDATE event SET venue_uuid = $2 WHERE uuid = $1", event, venue)
	for _, step := range []struct {
		body string
		want any
	}{
		{`{"release_status": "cancelled", "status_note": "Sturm"}`, "Sturm"},
		{`{"release_status": "released"}`, "Sturm"},
		{`{"release_status": "cancelled"}`, "Sturm"},
		{`{"release_status": "released", "status_note": null}`, nil},
		{`{"release_status": "cancelled"}`, nil},
	} {
		a := s.patch(t, "editor", event, step.body)
		if a.want(t, step.body, ok, ""); a.body["status_note"] != step.want {
			t.Errorf("%s: the note is %v", step.body, a.body["status_note"])
		}
	}
}
