package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litfass/services/admin/internal/people/auth/authtest"
)

// TestEventsOfSeries: an event belongs at once to a series of its own organization, and to another
// one once that accepts it, also if the body of the event says otherwise. Both may end it.
func TestEventsOfSeries(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	own, _ := s.series(t, s.org, "")
	foreign, part := s.seriesWithPart(t, s.foreign)
	event := s.event(t, s.org, "Konzert", "draft", nil, 5)
	path := "/event/" + event
	states := func(what, want string) {
		t.Helper()
		shown, got := s.as(t, "owner", http.MethodGet, path, ""), ""
		for _, of := range shown.body["series"].([]any) {
			got += fmt.Sprint(of.(map[string]any)["state"], " ")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	both := fmt.Sprintf(`"series": [{"series_uuid": %q, "state": "accepted"}, {"series_uuid": %q}]`, foreign, own)
	s.as(t, "owner", http.MethodPatch, path, "{"+both+"}").want(t, "to ask", http.StatusOK, "")
	states("asked", "asked accepted ")
	s.as(t, "owner", http.MethodPatch, path, "{"+both+`, "dates": [{"start_date": "2026-12-24", "all_day": true, "series_part_uuid": "`+part+`"}]}`).
		want(t, "a date in a part", http.StatusOK, "")
	wrong := s.as(t, "owner", http.MethodPatch, path, `{"series": []}`)
	wrong.want(t, "a part of a series that the event leaves", http.StatusBadRequest, "")
	if wrong.fields() != "dates[0].series_part_uuid" {
		t.Errorf("the fields %s", wrong.fields())
	}
	hidden, _ := s.series(t, s.foreign, "")
	s.exec(t, "UPDATE series SET public = false WHERE uuid = $1", hidden)
	for what, series := range map[string]string{"an unknown series": newUUID(), "a hidden series": hidden} {
		refused := s.as(t, "owner", http.MethodPatch, path, fmt.Sprintf(`{"series": [{"series_uuid": %q}]}`, series))
		if refused.want(t, what, http.StatusNotFound, "series_not_found"); refused.fields() != "series[0].series_uuid" {
			t.Errorf("%s: the fields %s", what, refused.fields())
		}
	}

	subject := func(who, what, want string) {
		t.Helper()
		inbox := s.as(t, who, http.MethodGet, "/user/messages", "")
		if got := inbox.first(t, "messages")["subject"]; got != want || inbox.body["unread_count"] != 1.0 {
			t.Errorf("%s: %s reads %v of %v", what, who, got, inbox.body["unread_count"])
		}
	}
	subject("neighbour", "asked", "An event asks for Series")
	waiting := s.as(t, "neighbour", http.MethodGet, "/series/"+foreign+"/events?state=asked", "")
	if one := waiting.first(t, "events"); one["event_uuid"] != event || one["title"] != "Konzert" || one["date_count"] != 1.0 {
		t.Errorf("it waits: %v", one)
	}
	decide := func(accepted bool) {
		t.Helper()
		s.as(t, "neighbour", http.MethodPut, "/series/"+foreign+path, fmt.Sprintf(`{"accepted": %t}`, accepted)).want(t, "to decide", http.StatusOK, "")
	}
	decide(true)
	states("accepted", "accepted accepted ")
	subject("owner", "accepted", "Accepted into Series")
	s.as(t, "owner", http.MethodPatch, path, `{"title": "Anders", `+both+"}").want(t, "an edit", http.StatusOK, "")
	states("accepted, then edited", "accepted accepted ")
	decide(false)
	states("removed by the series", "refused accepted ")
	for who, org := range map[string]string{"owner": s.org, "neighbour": s.foreign} {
		audit := s.as(t, who, http.MethodGet, "/organization/"+org+"/audit?limit=200", "")
		found := 0
		for _, entry := range audit.body["entries"].([]any) {
			if entry.(map[string]any)["action"] == "series.decide" {
				found++
			}
		}
		if found != 2 {
			t.Errorf("%s reads %d decisions in the audit", who, found)
		}
	}
	s.as(t, "owner", http.MethodPatch, path, fmt.Sprintf(`{"series": [{"series_uuid": %q}], "dates": []}`, own)).want(t, "to leave", http.StatusOK, "")
	states("left", "accepted ")
}

// TestSeriesEndWithoutTheirEvents: the events of a series that is deleted stay, with another
// version, and dates lose a part that is deleted.
func TestSeriesEndWithoutTheirEvents(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	series, part := s.seriesWithPart(t, s.org)
	event := s.event(t, s.org, "Konzert", "draft", nil, 5)
	path := "/event/" + event
	s.as(t, "owner", http.MethodPatch, path, fmt.Sprintf(
		`{"series": [{"series_uuid": %q}], "dates": [{"start_date": "2026-12-24", "all_day": true, "series_part_uuid": %q}]}`, series, part,
	)).want(t, "to belong", http.StatusOK, "")
	read := func() (tag string, series []any, part any) {
		shown := s.as(t, "owner", http.MethodGet, path, "")
		return shown.header.Get("ETag"), shown.body["series"].([]any), shown.first(t, "dates")["series_part_uuid"]
	}
	before, _, _ := read()
	s.as(t, "owner", http.MethodPut, "/series/"+series, `{"parts": [{"kind": "day", "title": "Freitag"}]}`).want(t, "other parts", http.StatusOK, "")
	without, of, in := read()
	if without == before || len(of) != 1 || in != nil {
		t.Errorf("after its part: %s %v %v", without, of, in)
	}
	s.as(t, "owner", http.MethodDelete, "/series/"+series, `{"password": "`+authtest.Password+`"}`).want(t, "to delete", http.StatusOK, "")
	if after, of, _ := read(); after == without || len(of) != 0 {
		t.Errorf("after its series: %s %v", after, of)
	}
}

// TestPartsTakeNoOtherUUIDs: dates are found by the uuids of series and of parts alike, so a part
// with the uuid of another organization's series would add its dates to that.
func TestPartsTakeNoOtherUUIDs(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	foreign, foreignPart := s.seriesWithPart(t, s.foreign)
	own, part := s.seriesWithPart(t, s.org)
	for _, uuid := range []string{foreign, strings.ToUpper(foreign), foreignPart, newUUID()} {
		parts := fmt.Sprintf(`"parts": [{"title": "Bühne"}, {"uuid": %q, "title": "Gekapert"}]`, uuid)
		for path, body := range map[string]string{
			"/series": fmt.Sprintf(`{"org_uuid": %q, "slug": "gekapert", "title": "Fest", "public": true, %s}`, s.org, parts), "/series/" + own: "{" + parts + "}",
		} {
			refused := s.as(t, "owner", http.MethodPut, path, body)
			refused.want(t, path, http.StatusBadRequest, "")
			if refused.fields() != "parts[1].uuid" {
				t.Errorf("%s: the fields %s", path, refused.fields())
			}
		}
	}
	kept := fmt.Sprintf(`{"parts": [{"uuid": %q, "title": "Neuer Titel"}]}`, strings.ToUpper(part))
	s.as(t, "owner", http.MethodPut, "/series/"+own, kept).want(t, "a part of its own", http.StatusOK, "")
}
