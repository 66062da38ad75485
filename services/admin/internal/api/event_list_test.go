package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// listed are the titles and starts of an answer's events, the starts as days from today.
func (s *stage) listed(a answer) string {
	var list []string
	events, _ := a.body["events"].([]any)
	for _, e := range events {
		row := e.(map[string]any)
		text := fmt.Sprint(row["event_title"])
		for day := -9; day < 100; day++ {
			if row["start_date"] == s.clock.Now().AddDate(0, 0, day).Format("2006-01-02") {
				text += fmt.Sprint(" ", day)
			}
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

func TestEventsAreFiltered(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	hall, yard := s.venue(t, s.org), s.venue(t, s.org)
	s.exec(t, "UPDATE venue SET name = 'Alte Post' WHERE uuid = $1", yard)
	jazz := s.event(t, s.org, "Jazz am Hafen", "released", nil, -3, 2, 5)
	read := s.event(t, s.org, "lesung", "draft", nil, 1)
	s.event(t, s.org, "Bald", "review", nil)
	s.event(t, s.foreign, "Fremd", "released", nil, 1)
	s.exec(t, "UPDATE event SET venue_uuid = $1, tags = '{Blue Note}', updated_at = '2020-01-01' WHERE uuid = $2", hall, jazz)
	s.exec(t, "UPDATE event SET venue_uuid = $1, subtitle = '100% Ernst', updated_at = '2021-01-01' WHERE uuid = $2", yard, read)
	s.exec(t, "UPDATE event_date SET venue_uuid = $1, release_status = 'cancelled' WHERE event_uuid = $2 AND start_date = $3",
		yard, jazz, s.clock.Now().AddDate(0, 0, 5))
	day := func(n int) string { return s.clock.Now().AddDate(0, 0, n).Format("2006-01-02") }
	const path = "/organization/%s/events?"
	for query, want := range map[string]string{
		"":                                "lesung 1, Jazz am Hafen 2, Jazz am Hafen 5",
		"start=" + day(-9):                "Jazz am Hafen -3, lesung 1, Jazz am Hafen 2, Jazz am Hafen 5",
		"end=" + day(2):                   "lesung 1, Jazz am Hafen 2",
		"start=" + day(2) + "&end=today":  "",
		"statuses=draft,review":           "lesung 1",
		"statuses=released":               "Jazz am Hafen 2",
		"statuses=cancelled":              "Jazz am Hafen 5",
		"venue_uuid=" + hall:              "Jazz am Hafen 2",
		"venue_uuid=" + yard:              "lesung 1, Jazz am Hafen 5",
		"search=hafen+JAZZ":               "Jazz am Hafen 2, Jazz am Hafen 5",
		"search=blue":                     "Jazz am Hafen 2, Jazz am Hafen 5",
		"search=alte+post":                "lesung 1, Jazz am Hafen 5",
		"search=" + url.QueryEscape("0%"): "lesung 1",
		"search=_":                        "",
		"has_dates=false":                 "Bald",
		"has_dates=any":                   "lesung 1, Jazz am Hafen 2, Jazz am Hafen 5, Bald",
		"has_dates=any&sort=-start":       "Jazz am Hafen 5, Jazz am Hafen 2, lesung 1, Bald",
		"per_event=true":                  "lesung 1, Jazz am Hafen 2",
		"per_event=true&sort=title":       "Jazz am Hafen 2, lesung 1",
		"per_event=true&sort=-title":      "lesung 1, Jazz am Hafen 2",
		"per_event=true&sort=updated":     "Jazz am Hafen 2, lesung 1",
		"sort=-updated&has_dates=any":     "Bald, lesung 1, Jazz am Hafen 2, Jazz am Hafen 5",
		"per_event=true&statuses=cancelled&has_dates=any&search=jazz": "Jazz am Hafen 5",
	} {
		a := s.as(t, "viewer", http.MethodGet, fmt.Sprintf(path, s.org)+query, "")
		a.want(t, query, ok, "")
		if got := s.listed(a); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
		if count := len(a.body["events"].([]any)); a.body["total_count"] != float64(count) {
			t.Errorf("%s counts %v of %d", query, a.body["total_count"], count)
		}
	}
	paged := s.as(t, "viewer", http.MethodGet, fmt.Sprintf(path, s.org)+"has_dates=any&per_event=true&limit=1&offset=2", "")
	if s.listed(paged) != "Bald" || paged.body["total_count"] != 3.0 {
		t.Errorf("the last page: %.300s", paged.raw)
	}
	bald := paged.first(t, "events")
	for key, want := range map[string]any{"event_date_uuid": nil, "start_date": nil, "time_series": 0.0, "time_series_index": 0.0, "release_status": "review"} {
		if bald[key] != want {
			t.Errorf("%s of an event without dates is %v, want %v", key, bald[key], want)
		}
	}
	bad := s.as(t, "viewer", http.MethodGet, fmt.Sprintf(path, s.org)+
		"start=x&end=y&statuses=inherited&venue_uuid=z&has_dates=1&per_event=1&sort=rank&limit=0", "")
	bad.want(t, "bad filters", http.StatusBadRequest, "invalid_parameters")
	if got := bad.fields(); got != "limit start venue_uuid statuses end has_dates per_event sort" {
		t.Errorf("named %s", got)
	}
	bad = s.as(t, "viewer", http.MethodGet, fmt.Sprintf(path, s.org)+"search=%00", "")
	if bad.want(t, "a zero byte", http.StatusBadRequest, "invalid_parameters"); bad.fields() != "search" {
		t.Errorf("named %s", bad.fields())
	}
}

// The list names the same missing fields as the event, and its ETag is valid for a bulk edit.
func TestEventsShowWhatIsMissing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	hall := s.venue(t, s.org)
	bare, placed := s.event(t, s.org, "", "draft", nil), s.event(t, s.org, "Ort", "draft", nil)
	s.exec(t, "UPDATE event SET venue_uuid = $1 WHERE uuid = $2", hall, placed)
	online := s.event(t, s.org, "Netz", "draft", nil, 1)
	s.exec(t, sceneOnline, online)
	dated, half, whole := s.event(t, s.org, "Nirgends", "draft", nil, 1), s.event(t, s.org, "Halb", "draft", nil, 1, 2), s.event(t, s.org, "Ganz", "review", nil, 1, 2)
	s.exec(t, "UPDATE event_date SET venue_uuid = $1 WHERE event_uuid = $2 OR event_uuid = $3 AND start_date = $4", hall, whole, half,
		s.clock.Now().AddDate(0, 0, 1).Format("2006-01-02"))
	a := s.as(t, "owner", http.MethodGet, "/organization/"+s.org+"/events?has_dates=any&per_event=true", "")
	a.want(t, "list", ok, "")
	lacks := map[string]string{}
	for _, e := range a.body["events"].([]any) {
		row := e.(map[string]any)
		event := fmt.Sprint(row["event_uuid"])
		lacks[event] = strings.Trim(fmt.Sprint(row["missing"]), "[]")
		shown := s.as(t, "owner", http.MethodGet, "/event/"+event, "")
		var required []string
		for _, item := range shown.body["checklist"].([]any) {
			if item := item.(map[string]any); item["required"] == true {
				required = append(required, fmt.Sprint(item["field"]))
			}
		}
		if want := strings.Join(required, " "); lacks[event] != want || row["etag"] != shown.header.Get("ETag") {
			t.Errorf("%v: missing %s, want %s; tag %v, want %s", row["event_title"], lacks[event], want, row["etag"], shown.header.Get("ETag"))
		}
		edit := fmt.Sprintf(`{"events": [{"uuid": %q, "if_match": %q, "tags": ["neu"]}]}`, event, row["etag"])
		s.as(t, "owner", http.MethodPut, "/events/bulk", edit).want(t, "edit", ok, "")
		s.as(t, "owner", http.MethodPut, "/events/bulk", edit).want(t, "edit again", http.StatusPreconditionFailed, "")
	}
	want := map[string]string{
		bare: "title dates venue_uuid", placed: "dates", online: "", dated: "venue_uuid", half: "venue_uuid", whole: "",
	}
	if !maps.Equal(lacks, want) {
		t.Errorf("missing %v, want %v", lacks, want)
	}
}
