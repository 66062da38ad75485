package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/auth/authtest"
)

const wholeVenue = `{
	"org_uuid": "%s", "name": "Speicher", "summary": "Kurz", "description": "*Lang*", "contact_email": "haus@example.org",
	"contact_phone": "0461", "web_link": "https://example.org", "street": "Nordertor", "house_number": "2",
	"postal_code": "24939", "city": "Flensburg", "state": "SH", "country": "DEU", "lat": 54.5, "lon": 9.5,
	"timezone": "Europe/Berlin", "opened_at": "1900-01-01", "closed_at": "2028-02-29", "opening_hours": "Mo",
	"ticket_info": "Kasse", "ticket_link": "https://example.org/t", "accessibility_flags": "18446744073709551615",
	"accessibility_summary": "Rampe", "hours": {"weekly": [{"day": "tue", "from": "10:00", "to": "18:00"}], "closed": [{"from": "2026-12-24", "to": "2026-12-26", "note": "Weihnachten"}], "special": [{"date": "2026-12-31", "from": "10:00", "to": "14:00", "note": "Silvester"}]},
	"wikidata_id": "Q1055", "osm_id": "way/123"
}`

const wholeSpace = `{
	"venue_uuid": "%s", "name": "Galerie", "description": "Hell", "space_type": "art_gallery", "building_level": -1,
	"total_capacity": 0, "seating_capacity": 80, "web_link": "https://example.org/galerie",
	"accessibility_flags": "9223372036854775808", "accessibility_summary": "Aufzug"
}`

// wantGiven checks that an answer holds every field of a body with its value.
func (a answer) wantGiven(t *testing.T, body string) {
	t.Helper()
	var given map[string]any
	if err := json.Unmarshal([]byte(body), &given); err != nil {
		t.Fatal(err)
	}
	for key, value := range given {
		if fmt.Sprint(a.body[key]) != fmt.Sprint(value) {
			t.Errorf("%s is %v, want %v", key, a.body[key], value)
		}
	}
}

func TestPlacesFromAddingToRemoving(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	venue := s.as(t, "editor", http.MethodPut, "/venue", fmt.Sprintf(wholeVenue, s.org))
	venue.want(t, "add a venue", http.StatusCreated, "")
	venue.wantGiven(t, fmt.Sprintf(wholeVenue, s.org))
	id := fmt.Sprint(venue.body["uuid"])
	space := s.as(t, "editor", http.MethodPut, "/space", fmt.Sprintf(wholeSpace, id))
	space.want(t, "add a space", http.StatusCreated, "")
	space.wantGiven(t, fmt.Sprintf(wholeSpace, id))
	for path, a := range map[string]answer{"/venue/" + id: venue, "/space/" + fmt.Sprint(space.body["uuid"]): space} {
		if a.header.Get("Location") != admin+path || a.header.Get("ETag") != `"1"` {
			t.Errorf("%s: headers %v", path, a.header)
		}
		read := s.as(t, "viewer", http.MethodGet, path, "")
		read.want(t, "read", ok, "")
		delete(a.body, "message")
		delete(a.body, "warnings")
		if fmt.Sprint(read.body) != fmt.Sprint(a.body) {
			t.Errorf("%s: read %v, written %v", path, read.body, a.body)
		}
		s.as(t, "viewer", http.MethodGet, path, "", "If-None-Match", `"1"`).want(t, "read again", http.StatusNotModified, "")
		changed := s.as(t, "editor", http.MethodPut, path, `{"name": "Neu", "description": null}`, "If-Match", `"1"`)
		changed.want(t, "change", ok, "")
		if changed.body["name"] != "Neu" || changed.body["description"] != nil || changed.body["web_link"] == nil ||
			changed.header.Get("ETag") != `"2"` {
			t.Errorf("%s: %s", path, changed.raw)
		}
		s.as(t, "editor", http.MethodPut, path, `{"name": "Alt"}`, "If-Match", `"1"`).
			want(t, "a stale change", http.StatusPreconditionFailed, "")
	}
	s.as(t, "owner", http.MethodDelete, "/venue/"+id, password("wrong")).want(t, "delete", http.StatusForbidden, "wrong_password")
	gone := s.as(t, "owner", http.MethodDelete, "/venue/"+id, password(authtest.Password))
	gone.want(t, "delete", ok, "")
	gone.wantKeys(t, "delete", "message uuid")
	s.as(t, "owner", http.MethodGet, "/space/"+fmt.Sprint(space.body["uuid"]), "").
		want(t, "the space of a deleted venue", http.StatusNotFound, "space_not_found")
	want := "venue.create space.create venue.update space.update venue.delete"
	if got := s.audited(t, s.org); got != want && got != strings.Replace(want, "venue.update space.update", "space.update venue.update", 1) {
		t.Errorf("audited %s", got)
	}
}

func TestPlacesRefuseWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	venue, foreign := s.venue(t, s.org), s.venue(t, s.foreign)
	space := s.space(t, venue)
	for _, test := range []struct {
		name, method, path, body string
		status                   int
		fields                   string
	}{
		{"nothing", http.MethodPut, "/venue", `{}`, http.StatusBadRequest, "org_uuid name"},
		{"values", http.MethodPut, "/venue", `{"org_uuid": "x", "name": "", "lat": 91, "timezone": "Mars", "opened_at": "soon", "closed_at": "2020-02-30",
			"accessibility_flags": "1", "ticket_link": "x", "country": "XX", "contact_email": "x"}`,
			http.StatusBadRequest, "org_uuid name contact_email country lon lat timezone opened_at closed_at ticket_link"},
		{"types", http.MethodPut, "/venue", `{"name": 5, "lat": "x", "accessibility_flags": "-1", "colour": "red", "org_uuid": "` + s.org + `"}`,
			http.StatusBadRequest, "name lat accessibility_flags colour lon"},
		{"a chosen uuid", http.MethodPut, "/venue", `{"name": "x", "org_uuid": "` + s.org + `", "uuid": "` + newUUID() + `"}`, http.StatusBadRequest, "uuid"},
		{"a stranger's organization", http.MethodPut, "/venue", `{"name": "x", "org_uuid": "` + s.foreign + `"}`, http.StatusNotFound, "org_uuid"},
		{"no organization", http.MethodPut, "/venue/" + venue, `{"org_uuid": null}`, http.StatusBadRequest, "org_uuid"},
		{"another uuid", http.MethodPut, "/venue/" + venue, `{"uuid": "` + foreign + `"}`, http.StatusBadRequest, "uuid"},
		{"no UUIDv7", http.MethodGet, "/venue/0b0e7a3a-1b6f-4a4e-8d3e-0a4f1e2d3c4b", "", http.StatusBadRequest, "venueId"},
		{"another kind", http.MethodGet, "/venue/" + space, "", http.StatusNotFound, ""},
		{"nothing to compare", http.MethodGet, "/venue/similar", "", http.StatusBadRequest, "name"},
		{"no place", http.MethodGet, "/venue/similar?name=+&lat=NaN&lon=181&except=1", "", http.StatusBadRequest, "name lat lon except"},
		{"nothing", http.MethodPut, "/space", `{}`, http.StatusBadRequest, "venue_uuid name"},
		{"values", http.MethodPut, "/space/" + space, `{"total_capacity": -1, "building_level": 5000, "space_type": "moon", "web_link": "x"}`,
			http.StatusBadRequest, "space_type building_level total_capacity web_link"},
		{"types", http.MethodPut, "/space/" + space, `{"total_capacity": 1.5, "name": null, "space_type": 3}`, http.StatusBadRequest,
			"total_capacity space_type name"},
		{"a stranger's venue", http.MethodPut, "/space/" + space, `{"venue_uuid": "` + foreign + `"}`, http.StatusNotFound, "venue_uuid"},
		{"an unknown venue", http.MethodPut, "/space", `{"venue_uuid": "` + newUUID() + `", "name": "x"}`, http.StatusNotFound, "venue_uuid"},
		{"a space id as an id in the body", http.MethodPut, "/space", `{"space_uuid": "` + space + `"}`, http.StatusBadRequest, "space_uuid venue_uuid name"},
	} {
		a := s.as(t, "owner", test.method, test.path, test.body)
		a.want(t, test.name, test.status, "")
		if got := a.fields(); got != test.fields {
			t.Errorf("%s: bad fields %s, want %s", test.name, got, test.fields)
		}
	}
	if got := s.audited(t, s.org); got != "" {
		t.Errorf("audited %s", got)
	}
}

func TestSimilarVenuesAreNamed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	first := s.as(t, "neighbour", http.MethodPut, "/venue", fmt.Sprintf(wholeVenue, s.foreign))
	if string(first.raw) == "" || len(first.body["warnings"].([]any)) != 0 {
		t.Fatalf("the first: %s", first.raw)
	}
	second := s.as(t, "editor", http.MethodPut, "/venue", fmt.Sprintf(wholeVenue, s.org))
	warning := second.first(t, "warnings")
	haveKeys(t, "warning", warning, "code field message uuid")
	if warning["code"] != "similar_venue" || warning["field"] != "name" || warning["uuid"] != first.body["uuid"] {
		t.Errorf("warning %v", warning)
	}
	found := s.as(t, "viewer", http.MethodGet, "/venue/similar?name=SPEICHER&lat=54.5001&lon=9.5&except="+fmt.Sprint(second.body["uuid"]), "")
	found.want(t, "similar", ok, "")
	one := found.first(t, "venues")
	haveKeys(t, "venue", one, "uuid name org_uuid org_name street house_number postal_code city country lat lon distance")
	if one["uuid"] != first.body["uuid"] || one["org_name"] != "Jazzclub" || len(found.body["venues"].([]any)) != 1 {
		t.Errorf("similar %s", found.raw)
	}
	s.join(t, "mover", s.org, permission.EditVenue)
	authtest.Member(t, s.db, s.foreign, s.people["mover"].id, permission.EditVenue)
	moved := s.as(t, "mover", http.MethodPut, "/venue/"+fmt.Sprint(second.body["uuid"]), `{"org_uuid": "`+s.foreign+`"}`)
	moved.want(t, "move", ok, "")
	s.as(t, "editor", http.MethodGet, "/venue/"+fmt.Sprint(second.body["uuid"]), "").want(t, "what has moved away", http.StatusNotFound, "")
	if got := s.audited(t, s.foreign); got != "venue.create venue.update" {
		t.Errorf("audited %s", got)
	}
}
