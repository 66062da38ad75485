package api

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"testing"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/document"
)

// TestIndexesOfTheFormerReleaseAreRead: an upgrade begins with the query services, and a projector
// takes its time to rebuild. Until then they answer from documents of Version 3, and as ever.
func TestIndexesOfTheFormerReleaseAreRead(t *testing.T) {
	present, former := newSite(t, seeded(t)), newSite(t, formerlySeeded(t))
	for _, path := range []string{
		"/api/events", "/api/events?search=jazz", "/api/events?limit=2&offset=1", "/api/events?geolist_region=deu,sh,flensburg", "/api/events?start=2030-01-01",
		"/api/events/type-summary", "/api/event/" + eventJazz, "/api/event/" + eventFair, "/api/event/" + eventGone,
		"/api/event/" + eventJazz + "/date/2026-11-20-1930-2?lang=de", "/api/event/type-genre-lookup?lang=de",
		"/api/venues", "/api/venues?name=*1&limit=1", "/api/venue/" + venueHall, "/api/venue/" + venueGone,
		"/api/organizations?search=n", "/api/organization/" + orgNord, "/api/geolist/regions", "/api/geolist/countries",
		"/api/choosable-venues", "/api/choosable-venues/organization/" + orgNord, "/api/choosable-organizations",
		"/api/choosable-spaces/venue/" + venueHall, "/api/choosable-languages", "/api/accessibility/flags",
	} {
		status, want := present.payload(t, path)
		gotStatus, got := former.payload(t, path)
		if status != gotStatus || !bytes.Equal(got, want) {
			t.Errorf("%s: %d %s\nwant %d %s", path, gotStatus, got, status, want)
		}
	}
	for _, s := range []site{present, former} {
		response, body := s.do(t, "GET", "/api/image/"+jazzImage+"?width=60", "")
		if response.StatusCode != http.StatusOK {
			t.Errorf("a picture: %d %s", response.StatusCode, body)
		}
	}
	response, body := former.do(t, "GET", "/api/image/"+unknown, "")
	if response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" {
		t.Errorf("a picture that may be there: %d %s", response.StatusCode, body)
	}
}

// TestNewParametersWaitForTheRebuild: until an index is rebuilt after an upgrade, requests for an
// attribute that it lacks are refused, and all others are answered.
func TestNewParametersWaitForTheRebuild(t *testing.T) {
	client := seeded(t)
	dates := client.Index(document.Dates)
	sortable := []string{"start_key", "date_uuid"}
	task, err := dates.UpdateSortableAttributesWithContext(t.Context(), &sortable)
	if err == nil {
		err = client.Wait(t.Context(), task.TaskUID)
	}
	if err != nil {
		t.Fatal(err)
	}
	filterable := []any{"uuid", "city_key", "city_spelling", "start_day", "end_day", "start_key", "date_uuid"}
	task, err = dates.UpdateFilterableAttributesWithContext(t.Context(), &filterable)
	if err == nil {
		err = client.Wait(t.Context(), task.TaskUID)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, client)
	for path, outdated := range map[string]bool{
		"/api/events?not_over=true": false, "/api/events/facets?by=city&not_over=true": false, // by days
		"/api/events/facets?by=city&group=event": false, // values of dates
		"/api/events":                            false, "/api/events?start=2026-01-01&sort=start&total=true&group=event": false,
		"/api/events?sort=changed": true, "/api/events?space_uuids=" + unknown: true, "/api/events.rss?sort=changed": true,
		"/api/events/type-summary?space_uuids=" + unknown: true, "/api/events/facets?by=city&space_uuids=" + unknown: true,
	} {
		response, body := s.do(t, "GET", path, "")
		if outdated != (response.StatusCode == http.StatusServiceUnavailable && bytes.Contains(body, []byte(`"index_outdated"`)) &&
			response.Header.Get("Retry-After") != "") || !outdated && response.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %s", path, response.StatusCode, body)
		}
	}
}

// payload returns an answer in one form, without the parts that differ in each.
func (s site) payload(t *testing.T, path string) (status int, payload []byte) {
	t.Helper()
	response, body := s.do(t, "GET", path, "")
	var answer any
	if err := json.Unmarshal(asExample(t, body), &answer); err != nil {
		t.Fatal(err)
	}
	if object, ok := answer.(map[string]any); ok {
		delete(object, "request_id")
	}
	return response.StatusCode, encode(t, answer)
}

// formerlySeeded is seeded with the settings of Version 3 and, of its documents, every other one:
// changes before the rebuild are written into the old index in the new shape.
func formerlySeeded(t *testing.T) *index.Client {
	t.Helper()
	client := indextest.New(t)
	filterable := []any{"gone", "view.images.uuid"}
	task, err := client.Index(document.Events).UpdateFilterableAttributesWithContext(t.Context(), &filterable)
	if err == nil {
		err = client.Wait(t.Context(), task.TaskUID)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, documents := range catalogue() {
		var lines [][]byte
		for i, one := range documents {
			line := encode(t, one)
			if i%2 == 0 {
				line = encode(t, formerOf(t, line))
			}
			lines = append(lines, line)
		}
		put(t, client, name, lines...)
	}
	return client
}

// formerOf returns a document in the shape of Version 3: without JSON text, and with nothing twice.
func formerOf(t *testing.T, data []byte) map[string]json.RawMessage {
	t.Helper()
	held := func(attribute json.RawMessage) (object map[string]json.RawMessage) {
		var text string
		if json.Unmarshal(attribute, &text) == nil && text != "" {
			if err := json.Unmarshal([]byte(text), &object); err != nil {
				t.Fatal(err)
			}
		}
		return object
	}
	var d map[string]json.RawMessage
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	maps.Copy(d, held(d["entry"]))
	if view := held(d["view"]); view != nil {
		if d["geometry"] != nil {
			view["geometry"] = encode(t, held(d["geometry"]))
		}
		d["view"] = encode(t, view)
	}
	for _, added := range []string{"entry", "geometry", "pictures", "name", "city"} {
		delete(d, added)
	}
	return d
}
