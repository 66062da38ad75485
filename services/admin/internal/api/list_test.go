package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestListEntries: entries are put, moved, annotated and taken off one at a time, and an editor
// sees their state without learning of drafts of others.
func TestListEntries(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	open, draft := s.event(t, s.org, "Konzert", "released", nil, 5), s.event(t, s.org, "Entwurf", "draft", nil, 5)
	theirs, past := s.event(t, s.foreign, "Gastspiel", "released", nil, 5, -3), s.event(t, s.foreign, "Gestern", "released", nil, -1)
	hidden := s.event(t, s.foreign, "Geheim", "draft", nil, 5)
	list, _ := s.list(t, s.org, draft)
	path := "/list/" + list + "/entry"
	put := func(body string) {
		t.Helper()
		s.as(t, "owner", http.MethodPut, path, body).want(t, body, ok, "")
	}
	put(fmt.Sprintf(`{"event_uuid": %q, "note": "Tipp"}`, open))
	put(fmt.Sprintf(`{"event_uuid": %q, "place": 0}`, theirs))
	put(fmt.Sprintf(`{"event_uuid": %q}`, hidden))
	put(fmt.Sprintf(`{"event_uuid": %q}`, past))
	put(fmt.Sprintf(`{"event_uuid": %q, "place": 1, "note": "Neu"}`, open))
	shown := s.as(t, "owner", http.MethodGet, "/list/"+list+"/entries", "")
	shown.want(t, "entries", ok, "")
	var got []string
	for _, each := range shown.body["entries"].([]any) {
		entry := each.(map[string]any)
		got = append(got, fmt.Sprint(entry["event_uuid"], " ", entry["state"], " ", entry["note"], " ", entry["title"]))
	}
	want := []string{
		theirs + " public <nil> Gastspiel", open + " public Neu Konzert", draft + " hidden <nil> Entwurf", hidden + " hidden <nil> <nil>",
		past + " over <nil> Gestern",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	s.as(t, "owner", http.MethodDelete, path+"/"+open, "").want(t, "take off", ok, "")
	s.as(t, "owner", http.MethodDelete, path+"/"+open, "").want(t, "again", http.StatusNotFound, "list_entry_not_found")
	s.as(t, "owner", http.MethodDelete, path+"/"+theirs+"?date_uuid="+newUUID(), "").want(t, "another date", http.StatusNotFound, "list_entry_not_found")
	bad := s.as(t, "owner", http.MethodPut, path, `{"event_uuid": "x", "place": 200}`)
	bad.want(t, "bad", http.StatusBadRequest, "invalid_list")
	if bad.fields() != "event_uuid place" {
		t.Errorf("bad fields %s", bad.fields())
	}
}
