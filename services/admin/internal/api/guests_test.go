package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Only public data of other organizations is answered.
func TestGuestsOfVenues(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	hall := s.venue(t, s.org)
	stageOfHall, elsewhere := s.space(t, hall), s.venue(t, s.foreign)
	later := s.clock.Now().Add(time.Hour)
	at := func(event, venue string, space any) {
		s.exec(t, "UPDATE event SET venue_uuid = $2, space_uuid = $3 WHERE uuid = $1", event, venue, space)
	}
	guest := s.event(t, s.foreign, "Gast", "released", nil, -5, 2)
	at(guest, hall, stageOfHall)
	cancelled := s.event(t, s.foreign, "Abgesagt", "cancelled", nil, 1)
	at(cancelled, hall, nil)
	moved := s.event(t, s.foreign, "Verlegt", "released", nil, 3, 4)
	at(moved, elsewhere, nil)
	s.exec(t, "UPDATE event_date SET venue_uuid = $2 WHERE event_uuid = $1 AND start_date = $3", moved, hall,
		s.clock.Now().AddDate(0, 0, 4).Format(time.DateOnly))
	away := s.event(t, s.foreign, "Fort", "released", nil, 5)
	at(away, hall, nil)
	s.exec(t, "UPDATE event_date SET venue_uuid = $2 WHERE event_uuid = $1", away, elsewhere)
	for _, status := range []string{"draft", "review"} {
		at(s.event(t, s.foreign, "geheim", status, nil, 1), hall, nil)
	}
	planned := s.event(t, s.foreign, "geheim", "released", &later, 1)
	at(planned, hall, nil)
	s.exec(t, "UPDATE event SET release_scheduled = true WHERE uuid = $1", planned)
	at(s.takenBack(t, s.foreign), hall, nil)
	at(s.event(t, s.org, "eigenes", "released", nil, 1), hall, nil)

	path := "/organization/" + s.org + "/venue-guests"
	titles := func(query string) string {
		a := s.as(t, "editor", http.MethodGet, path+query, "")
		a.want(t, query, ok, "")
		var list []string
		for _, d := range a.body["dates"].([]any) {
			row := d.(map[string]any)
			list = append(list, fmt.Sprint(row["event_title"], " ", row["release_status"]))
		}
		return strings.Join(list, ", ")
	}
	for query, want := range map[string]string{
		"":                         "Abgesagt cancelled, Gast released, Verlegt released",
		"?start=2020-01-01":        "Gast released, Abgesagt cancelled, Gast released, Verlegt released",
		"?limit=1&offset=1":        "Gast released",
		"?start=2999-01-01":        "",
		"?limit=5&offset=3&lang=x": "",
	} {
		if got := titles(query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	a := s.as(t, "editor", http.MethodGet, path+"?offset=1", "")
	a.first(t, "dates")
	for key, want := range map[string]any{
		"event_uuid": guest, "org_uuid": s.foreign, "org_name": "Jazzclub", "venue_uuid": hall, "venue_name": "Saal",
		"space_uuid": stageOfHall, "space_name": "Bühne", "start_time": nil, "end_date": nil, "end_time": nil, "all_day": true,
		"start_date": s.clock.Now().AddDate(0, 0, 2).Format(time.DateOnly),
	} {
		if got := a.first(t, "dates")[key]; got != want {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
	if a.body["total_count"] != 3.0 {
		t.Errorf("it counts %v", a.body["total_count"])
	}
	s.exec(t, "INSERT INTO organization_approval (org_uuid, state, asked_at) VALUES ($1, 'pending', now())", s.foreign)
	if got := titles(""); got != "" {
		t.Errorf("of an organization that is not approved: %s", got)
	}
}
