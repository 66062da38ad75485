package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"litfass/services/admin/internal/people/auth/authtest"
)

// wholeEvent has every field that can be written, for an organization, a venue, a space, a series
// and a part of it.
const wholeEvent = `{
	"org_uuid": "%s", "venue_uuid": "%s", "space_uuid": "%s", "title": "Konzert", "subtitle": "Untertitel",
	"summary": "Kurz *betont*", "description": "Lang <b>roh</b>", "categories": [4, 1],
	"event_types": [{"type_id": 1, "genre_id": 1003}, {"type_id": 6, "genre_id": 0}], "languages": ["de", "da"],
	"tags": ["Jazz", "{a,b}"], "min_age": 0, "max_age": 99, "price_type": "tiered_prices", "min_price": 0.005,
	"max_price": 99, "currency": "EUR", "ticket_flags": ["ticket_required"], "visitor_info_flags": "9223372036854775809",
	"participation_info": "Bitte", "meeting_point": "Tor", "max_attendees": 12, "occasion": 7,
	"online_link": "https://example.org/live", "source_link": "https://example.org/quelle", "video_link": "https://youtu.be/dQw4w9WgXcQ", "release_status": "review",
	"release_date": "2027-01-01T12:00:00Z", "status_note": "Der Chor ist krank.", "status_changed_at": "2026-11-20T08:00:00Z",
	"tariffs": [{"name": "Parkett", "min_price": 12, "max_price": 99, "currency": "EUR", "condition": null},
		{"name": "Rang", "min_price": 0.005, "max_price": null, "currency": "EUR", "condition": "mit Ausweis"}],
	"text_language": "de", "texts": {"da": {"title": "Koncert", "subtitle": "Undertitel", "summary": "Kort", "description": "Lang",
		"participation_info": "Værsgo", "meeting_point": "Port", "status_note": "Koret er sygt."}, "en": {"summary": "Short"}},
	"event_links": [{"type": "website", "label": "Seite", "url": "https://example.org"}, {"type": "pdf", "url": "https://example.org/p"}],
	"dates": [
		{"start_date": "2028-02-29", "start_time": "19:30", "end_date": "2028-03-01", "end_time": "01:00", "entry_time": "18:00",
			"venue_uuid": "%[2]s", "space_uuid": "%[3]s", "release_status": "deferred", "status_note": "Sturm\n& Regen", "ticket_link": "https://example.org/k",
			"accessibility_info": "Dolmetscher", "series_part_uuid": "%[5]s", "availability": "few_left", "remaining_places": 7, "on_sale_from": "2028-01-01T10:00",
			"on_sale_until": "2028-02-29T18:00", "previous_start": "2028-02-28T20:00", "status_changed_at": "2026-11-20T09:00:00Z"},
		{"start_date": "2028-04-01", "all_day": true, "end_date": "2028-04-02",
			"hours": {"weekly": [{"day": "tue", "from": "10:00", "to": "18:00"}], "closed": [{"from": "2026-12-24", "to": "2026-12-26", "note": "Weihnachten"}], "special": [{"date": "2026-12-31", "from": "10:00", "to": "14:00", "note": "Silvester"}]}}
	],
	"series": [{"series_uuid": "%[4]s", "state": "accepted"}],
	"contributors": [{"uuid": "` + wholeContributor + `", "role": "soloist"}, {"uuid": "` + wholeContributor + `", "role": "author"}]
}`

// wholeContributor is the contributor of wholeEvent, which newEvent adds.
const wholeContributor = "01920000-0000-7000-8000-0000000000c1"

// wholeContributor makes the contributor of wholeEvent, unless it is there.
func (s *stage) wholeContributor(t *testing.T) {
	t.Helper()
	s.exec(t, "INSERT INTO contributor (uuid, type, name) VALUES ($1, 'person', 'Anna Thomsen') ON CONFLICT DO NOTHING", wholeContributor)
}

// newEvent adds a whole event in a new space of the stage's organization.
func (s *stage) newEvent(t *testing.T) (id string, created answer) {
	t.Helper()
	venue := s.venue(t, s.org)
	series, part := s.seriesWithPart(t, s.org)
	s.wholeContributor(t)
	created = s.as(t, "editor", http.MethodPost, "/event/create", fmt.Sprintf(wholeEvent, s.org, venue, s.space(t, venue), series, part))
	created.want(t, "create", http.StatusCreated, "")
	return fmt.Sprint(created.body["uuid"]), created
}

// contains reports whether an answer holds a given value: of objects the given keys, of lists all
// elements and no others, in any order.
func contains(got, given any) bool {
	switch given := given.(type) {
	case map[string]any:
		fields, _ := got.(map[string]any)
		for key, value := range given {
			if !contains(fields[key], value) {
				return false
			}
		}
		return true
	case []any:
		elements, _ := got.([]any)
		return len(elements) == len(given) && !slices.ContainsFunc(given, func(value any) bool {
			return !slices.ContainsFunc(elements, func(element any) bool { return contains(element, value) })
		})
	default:
		return reflect.DeepEqual(got, given)
	}
}

func TestCreatedEventsKeepEverything(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id, created := s.newEvent(t)
	var given map[string]any
	series := created.first(t, "series")["series_uuid"]
	part := created.first(t, "dates")["series_part_uuid"]
	body := fmt.Sprintf(wholeEvent, s.org, created.body["venue_uuid"], created.body["space_uuid"], series, part)
	if err := json.Unmarshal([]byte(body), &given); err != nil {
		t.Fatal(err)
	}
	read := s.as(t, "viewer", http.MethodGet, "/event/"+id, "")
	read.want(t, "read", ok, "")
	for key, value := range given {
		if !contains(read.body[key], value) {
			t.Errorf("%s is %v, was given as %v", key, read.body[key], value)
		}
	}
	for key := range read.body {
		_, writable := given[key]
		if shown := "uuid images labels date_rules org_name venue_name space_name taken_back checklist named_contributors"; !writable && !strings.Contains(shown, key) {
			t.Errorf("%s cannot be written", key)
		}
	}
	if created.header.Get("Location") != admin+"/event/"+id || created.header.Get("ETag") != `"1"` || read.header.Get("ETag") != `"1"` {
		t.Errorf("headers %v", created.header)
	}
	delete(created.body, "message")
	if warnings := created.body["warnings"].([]any); len(warnings) != 0 {
		t.Errorf("warnings %v", warnings)
	}
	delete(created.body, "warnings")
	if !reflect.DeepEqual(created.body, read.body) {
		t.Errorf("created %v, read %v", created.body, read.body)
	}
}

// eventParts are the operations on parts of an event with the keys that they read.
var eventParts = map[string]string{
	"header": "org_uuid title subtitle source_link video_link", "description": "description", "summary": "summary",
	"types": "categories event_types", "place": "venue_uuid space_uuid online_link", "tags": "tags", "languages": "languages",
	"texts": "text_language texts",
	"participation-infos": `participation_info meeting_point min_age max_age max_attendees price_type min_price max_price
		currency ticket_flags visitor_info_flags occasion tariffs`,
	"release-status": "release_status release_date status_note status_changed_at",
}

func TestPartsOfEvents(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id, _ := s.newEvent(t)
	for part, keys := range eventParts {
		values := map[string]string{
			"title": `"Neu"`, "tags": `["Neu"]`, "languages": `["en"]`, "event_types": `[{"type_id": 2}]`, "texts": `{"da": null}`, "release_status": `"review"`,
			"price_type": `"free"`, "org_uuid": `"` + s.org + `"`, "categories": `[2]`, "ticket_flags": `[]`, "tariffs": `[]`, "occasion": "0",
		}
		var fields []string
		for _, key := range strings.Fields(keys) {
			value := values[key]
			if value == "" {
				value = "null"
			}
			fields = append(fields, fmt.Sprintf("%q: %s", key, value))
		}
		changed := s.as(t, "editor", http.MethodPut, "/event/"+id+"/"+part, "{"+strings.Join(fields, ", ")+"}")
		changed.want(t, part, ok, "")
		changed.wantKeys(t, part, keys+" message uuid checklist warnings")
		read := s.as(t, "editor", http.MethodGet, "/event/"+id, "")
		if read.header.Get("ETag") != changed.header.Get("ETag") {
			t.Errorf("%s: ETag %s, then %s", part, changed.header.Get("ETag"), read.header.Get("ETag"))
		}
		for _, key := range strings.Fields(keys) {
			if !reflect.DeepEqual(read.body[key], changed.body[key]) || values[key] == "" && read.body[key] != nil {
				t.Errorf("%s: %s is %v, answered as %v", part, key, read.body[key], changed.body[key])
			}
		}
		kept := s.as(t, "editor", http.MethodPut, "/event/"+id+"/"+part, "{}")
		kept.want(t, part, ok, "")
		if kept.header.Get("ETag") != changed.header.Get("ETag") {
			t.Errorf("%s: an empty body changes something", part)
		}
		s.as(t, "editor", http.MethodPut, "/event/"+id+"/"+part, "{}", "If-Match", `"1"`).
			want(t, part, http.StatusPreconditionFailed, "stale_event")
	}
}

func TestEventsRefuseWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id, created := s.newEvent(t)
	elsewhere := s.space(t, s.venue(t, s.org))
	hidden := s.venue(t, s.foreign)
	s.exec(t, "INSERT INTO organization_approval (org_uuid, state, asked_at) VALUES ($1, 'pending', now())", s.foreign)
	for _, test := range []struct {
		name, method, path, body string
		status                   int
		fields                   string
	}{
		{"nothing", http.MethodPost, "create", `{}`, http.StatusBadRequest, "org_uuid"},
		{"values", http.MethodPost, "create", `{"org_uuid": "` + s.org + `", "currency": "euro", "tags": [""], "dates": [{"start_date": "x"}],
			"event_links": [{"url": "x"}], "min_age": 9, "max_age": 8, "release_status": "gone"}`, http.StatusBadRequest,
			"max_age currency tags[0] event_links[0].type event_links[0].url dates[0].start_date dates[0].start_time release_status"},
		{"types", http.MethodPost, "create", `{"title": 5, "dates": {}, "images": [], "uuid": "x", "tags": [1], "max_age": 999}`,
			http.StatusBadRequest, "title dates images uuid tags[0] org_uuid max_age"},
		{"an unknown organization", http.MethodPost, "create", `{"org_uuid": "` + newUUID() + `"}`, http.StatusNotFound, "org_uuid"},
		{"a venue that is not public", http.MethodPost, "create", `{"org_uuid": "` + s.org + `", "dates": [{"start_date": "2027-01-01", "all_day": true,
			"venue_uuid": "` + hidden + `"}]}`, http.StatusNotFound, "dates[0].venue_uuid"},
		{"a space alone", http.MethodPost, "create", `{"org_uuid": "` + s.org + `", "space_uuid": "` + elsewhere + `"}`, http.StatusBadRequest, "space_uuid"},
		{"a release without anything", http.MethodPost, "create", `{"org_uuid": "` + s.org + `", "release_status": "released"}`,
			http.StatusBadRequest, "title dates venue_uuid"},
		{"a space of another venue", http.MethodPut, id + "/place", `{"space_uuid": "` + elsewhere + `"}`, http.StatusBadRequest, "space_uuid"},
		{"an unknown venue", http.MethodPut, id + "/place", `{"venue_uuid": "` + newUUID() + `", "space_uuid": null}`, http.StatusNotFound, "venue_uuid"},
		{"another part's field", http.MethodPut, id + "/header", `{"summary": "x"}`, http.StatusBadRequest, "summary"},
		{"a translation that is wrong", http.MethodPut, id + "/texts", `{"text_language": "xx", "texts": {"fr": {"title": "x"},
			"da": {"title": "` + strings.Repeat("x", 2001) + `"}}}`, http.StatusBadRequest, "text_language texts.da.title texts.fr"},
		{"a translation of no image", http.MethodPut, id + "/texts", `{"texts": {"da": {"images": {"x": {"alt_text": "x"}}}}}`, http.StatusBadRequest,
			"texts.da.images.x"},
		{"a translation of another form", http.MethodPut, id + "/texts", `{"texts": {"da": {"titel": "x"}, "en": [], "de": {"title": 5}}}`,
			http.StatusBadRequest, "texts.da.titel texts.en texts.de.title"},
		{"a translation into the original", http.MethodPut, id + "/texts", `{"text_language": "da"}`, http.StatusBadRequest, "texts.da"},
		{"an unknown language", http.MethodPut, id + "/languages", `{"languages": ["de", "xx"]}`, http.StatusBadRequest, "languages[1]"},
		{"an unknown genre", http.MethodPut, id + "/types", `{"event_types": [{"type_id": 1, "genre_id": 9}], "categories": [9]}`,
			http.StatusBadRequest, "categories[0] event_types[0].genre_id"},
		{"no text", http.MethodPut, id + "/description", `{"description": ["x"]}`, http.StatusBadRequest, "description"},
		{"prices", http.MethodPut, id + "/participation-infos", `{"min_price": 5, "max_price": 4, "currency": null, "tariffs": []}`, http.StatusBadRequest, "max_price currency"},
		{"no status", http.MethodPut, id + "/release-status", `{"release_status": null}`, http.StatusBadRequest, "release_status"},
		{"an unknown status", http.MethodPut, id + "/release-status", `{"release_status": "gone"}`, http.StatusBadRequest, "release_status"},
		{"a status out of turn", http.MethodPut, id + "/release-status", `{"release_status": "cancelled"}`, http.StatusConflict, "release_status"},
		{"a link without anything", http.MethodPut, id + "/link", `{}`, http.StatusBadRequest, "type url"},
		{"a chosen id", http.MethodPut, id + "/link", `{"uuid": "` + newUUID() + `", "type": "website", "url": "https://example.org"}`, http.StatusBadRequest, "uuid"},
		{"a link of nothing", http.MethodDelete, id + "/link/" + newUUID(), "", http.StatusNotFound, ""},
		{"another link's id", http.MethodPut, fmt.Sprintf("%s/link/%s", id, created.first(t, "event_links")["uuid"]), `{"uuid": "` + newUUID() + `"}`,
			http.StatusBadRequest, "uuid"},
		{"no UUIDv7", http.MethodGet, "17", "", http.StatusBadRequest, "eventId"},
		{"no UUIDv7 behind one", http.MethodDelete, id + "/link/17", "", http.StatusBadRequest, "linkId"},
	} {
		a := s.as(t, "owner", test.method, "/event/"+test.path, test.body)
		a.want(t, test.name, test.status, "")
		if got := a.fields(); got != test.fields {
			t.Errorf("%s: bad fields %s, want %s", test.name, got, test.fields)
		}
	}
	if got := s.audited(t, s.org); got != "event.create" {
		t.Errorf("audited %s", got)
	}
}

func TestEventFromDraftToRemoval(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id, _ := s.newEvent(t)
	path := "/event/" + id
	s.as(t, "contributor", http.MethodPut, path+"/release-status", `{"release_status": "released"}`).
		want(t, "released by a contributor", http.StatusForbidden, "release_right_missing")
	s.as(t, "editor", http.MethodPut, path+"/release-status", `{"release_status": "released", "release_date": null}`).want(t, "release", ok, "")
	s.as(t, "contributor", http.MethodPut, path+"/link", `{"type": "website", "url": "https://example.org"}`).
		want(t, "a contributor's link", http.StatusForbidden, "release_right_missing")
	link := s.as(t, "editor", http.MethodPut, path+"/link", `{"type": "website", "url": "https://example.org/neu"}`)
	link.want(t, "add a link", http.StatusCreated, "")
	link.wantKeys(t, "link", "message uuid event_uuid type label url warnings")
	at := path + "/link/" + fmt.Sprint(link.body["uuid"])
	changed := s.as(t, "editor", http.MethodPut, at, `{"label": "Neu"}`, "If-Match", link.header.Get("ETag"))
	changed.want(t, "change a link", ok, "")
	if changed.body["label"] != "Neu" || changed.body["url"] != "https://example.org/neu" || changed.body["event_uuid"] != id {
		t.Errorf("link %s", changed.raw)
	}
	s.as(t, "editor", http.MethodDelete, at, "", "If-Match", link.header.Get("ETag")).want(t, "a stale link", http.StatusPreconditionFailed, "")
	s.as(t, "editor", http.MethodDelete, at, "").want(t, "delete a link", ok, "")
	s.as(t, "contributor", http.MethodDelete, path, password(authtest.Password)).want(t, "delete", http.StatusForbidden, "permission_missing")
	s.as(t, "editor", http.MethodDelete, path, password("wrong")).want(t, "delete", http.StatusForbidden, "wrong_password")
	s.as(t, "editor", http.MethodDelete, path, password(authtest.Password)).want(t, "delete", ok, "")
	s.as(t, "editor", http.MethodGet, path, "").want(t, "what is gone", http.StatusNotFound, "event_not_found")
	want := "event.create event.update event.update event.update event.update event.delete"
	if got := s.audited(t, s.org); got != want {
		t.Errorf("audited %s", got)
	}
	var left int
	const parts = "SELECT (SELECT count(*) FROM event_link) + (SELECT count(*) FROM event_date) + (SELECT count(*) FROM event_type)"
	if s.one(t, &left, parts); left != 0 {
		t.Errorf("%d parts are left", left)
	}
}

// TestTwoPeopleEditAnEvent: different parts at once are both kept; with If-Match one of two wins.
func TestTwoPeopleEditAnEvent(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id, created := s.newEvent(t)
	put := func(part, body string, headers ...string) func() answer {
		return func() answer { return s.as(t, "editor", http.MethodPut, "/event/"+id+"/"+part, body, headers...) }
	}
	bodies := map[string]string{
		"header": `{"title": "Neu"}`, "summary": `{"summary": "Neu"}`, "description": `{"description": "Neu"}`,
		"participation-infos": `{"meeting_point": "Neu"}`,
	}
	var requests []func() answer
	for _, part := range slices.Sorted(maps.Keys(bodies)) {
		requests = append(requests, put(part, bodies[part]))
	}
	for _, status := range atOnce(requests...) {
		if status != ok {
			t.Errorf("status %d", status)
		}
	}
	read := s.as(t, "editor", http.MethodGet, "/event/"+id, "")
	for _, key := range []string{"title", "summary", "description", "meeting_point"} {
		if read.body[key] != "Neu" {
			t.Errorf("%s is %v", key, read.body[key])
		}
	}
	tag := read.header.Get("ETag")
	statuses := atOnce(put("header", `{"title": "A"}`, "If-Match", tag), put("summary", `{"summary": "B"}`, "If-Match", tag))
	if statuses[0] != ok || statuses[1] != http.StatusPreconditionFailed || tag == created.header.Get("ETag") {
		t.Errorf("statuses %v", statuses)
	}
}
