package reference

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func ptr[T any](v T) *T { return &v }

// small is a catalogue in which every rule has a date that meets it and one that does not. Dates
// are named "a", "b", … instead of by uuid.
func small() *Catalogue {
	square := Polygon{
		Ring{{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}},
		Ring{{4, 4}, {6, 4}, {6, 6}, {4, 6}, {4, 4}},
	}
	return &Catalogue{
		Regions:       []*Region{{CountrySlug: "de", StateSlug: "sn", RegionSlug: "square", Geometry: Geometry{[]Polygon{square}}}},
		Organizations: []*Organization{{UUID: "org1", Name: "One"}, {UUID: "org2", Name: "Two"}, {UUID: "org3", Name: "Three"}},
		Venues: []*Venue{
			{UUID: "v1", OrgUUID: "org1", Name: "Große Straße", City: "Köln", PostalCode: "01067", Country: "DEU", Lat: ptr(1.0), Lon: ptr(1.0), AccessibilityFlags: ptr(Mask(1))},
			{UUID: "v2", OrgUUID: "org2", Name: "Loch", City: "Århus", PostalCode: "8000", Country: "DNK", Lat: ptr(5.0), Lon: ptr(5.0), AccessibilityFlags: ptr(Mask(1 << 5))},
			{UUID: "v3", OrgUUID: "org1", Name: "Nowhere"},
			{UUID: "v4", OrgUUID: "org3", Name: "Unused"},
		},
		Spaces: []*Space{
			{UUID: "s1", VenueUUID: "v1", Name: "Hall", SpaceType: "hall", AccessibilityFlags: ptr(Mask(1 | 1<<63))},
			{UUID: "s2", VenueUUID: "v2", Name: "Tent", SpaceType: "tent"},
		},
		Events: []*Event{
			{
				UUID: "e1", OrgUUID: "org1", VenueUUID: "v1", SpaceUUID: "s1", Title: "Jazz *live*", Tags: []string{"Jazz", "STRASSE"},
				Categories: []int{1, 5}, EventTypes: []EventType{{1, 1003}, {1, 1002}, {2, 0}}, MinAge: ptr(18), PriceType: "regular_price",
				MinPrice: ptr(9.5), Currency: "EUR", VisitorInfoFlags: ptr(Mask(0b11)), ReleaseStatus: "released",
				Dates: []*Date{
					{UUID: "a", StartDate: "2024-02-29", StartTime: "20:00", ReleaseStatus: "inherited"},
					{UUID: "b", StartDate: "2024-02-29", EndDate: "2024-03-02", AllDay: true, ReleaseStatus: "cancelled", VenueUUID: "v2"},
				},
			},
			{
				UUID: "e2", OrgUUID: "org2", Title: "jazz", Description: "quokkazebra Öl", Languages: []string{"de", "da"}, PriceType: "free", MinAge: ptr(6), MaxAge: ptr(12),
				VisitorInfoFlags: ptr(Mask(0)), ReleaseStatus: "deferred", EventTypes: []EventType{{1, 0}},
				Images: []Image{{UUID: "i9", Identifier: "gallery_2"}, {UUID: "i1", Identifier: "gallery_1"}},
				Dates:  []*Date{{UUID: "c", StartDate: "2024-03-01", StartTime: "00:00", ReleaseStatus: "inherited", VenueUUID: "v2", SpaceUUID: "s2"}},
			},
			{
				UUID: "e3", OrgUUID: "org1", VenueUUID: "v3", Title: "Draft", ReleaseStatus: "draft",
				Dates: []*Date{{UUID: "x", StartDate: "2024-03-01", StartTime: "10:00", ReleaseStatus: "inherited"}},
			},
			{
				UUID: "e4", OrgUUID: "org1", Title: "Later", ReleaseStatus: "released", ReleaseDate: "2030-01-01T00:00:00Z",
				Dates: []*Date{{UUID: "y", StartDate: "2030-03-01", StartTime: "10:00", ReleaseStatus: "inherited"}},
			},
			{
				UUID: "e6", OrgUUID: "org1", Title: "Never", ReleaseStatus: "cancelled", ReleaseDate: "2030-01-01T00:00:00Z",
				Dates: []*Date{{UUID: "z", StartDate: "2030-03-01", StartTime: "10:00", ReleaseStatus: "inherited"}},
			},
			{
				UUID: "e5", OrgUUID: "org1", VenueUUID: "v3", Title: "Cafe\u0301", ReleaseStatus: "released", PriceType: "donation",
				Dates: []*Date{{UUID: "d", StartDate: "2024-03-01", StartTime: "23:30", ReleaseStatus: "inherited"}},
			},
		},
	}
}

func smallReference() *Reference {
	return New(small(), "http://host", time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC))
}

func names(dates []*Dated) string {
	var names []string
	for _, d := range dates {
		names = append(names, d.Date.UUID)
	}
	return strings.Join(names, "")
}

func TestEvents(t *testing.T) {
	for _, test := range []struct {
		query Parameters
		want  string
	}{
		{Parameters{}, "bacd"},
		{Parameters{"title": ""}, "bacd"},
		{Parameters{"title": "JAZZ"}, "c"},
		{Parameters{"title": "jazz*"}, "bac"},
		{Parameters{"title": "*LIVE**"}, "ba"}, // the text between the outer two is "LIVE*"
		{Parameters{"title": "* *live*"}, "ba"},
		{Parameters{"title": "j*z"}, ""},
		{Parameters{"title": "caf\u00e9"}, "d"},
		{Parameters{"title": "cafe"}, ""},
		{Parameters{"venue": "GROSSE STRASSE"}, "a"},
		{Parameters{"city": "*"}, "bac"},
		{Parameters{"city": "köln"}, "a"},
		{Parameters{"city": "koln"}, ""},
		{Parameters{"postal_code": "*67"}, "a"},
		{Parameters{"start": "2024-03-01"}, "cd"},
		{Parameters{"start": "today"}, "cd"},
		{Parameters{"start": "2024-03-01", "ongoing": "true"}, "bcd"},
		{Parameters{"end": "2024-03-01"}, "acd"},
		{Parameters{"on": "2024-03-01"}, "bcd"},
		{Parameters{"on": "today"}, "bcd"},
		{Parameters{"on": "tomorrow"}, "b"},
		{Parameters{"on": "weekend"}, "b"}, // 2 and 3 March
		{Parameters{"on": "2024-02-01,2024-02-29"}, "ba"},
		{Parameters{"on": "2024-03-03,2024-03-04"}, ""},
		{Parameters{"starts_before": "2024-02-29"}, "ba"},
		{Parameters{"languages": "DA,fr"}, "c"},
		{Parameters{"release_statuses": "cancelled,deferred"}, "bc"},
		{Parameters{"time": "20,2330"}, "ad"},
		{Parameters{"time": "23-0"}, "cd"},
		{Parameters{"time": "20,24"}, "ad"},
		{Parameters{"tags": "none,straße"}, "ba"},
		{Parameters{"categories": "5,6"}, "ba"},
		{Parameters{"event_types": "2"}, "ba"},
		{Parameters{"genres": "1002"}, "ba"},
		{Parameters{"space_types": "hall,tent"}, "ac"},
		{Parameters{"countries": "dnk"}, "bc"},
		{Parameters{"search": "QUOKKAZEBRA jazz"}, "c"},
		{Parameters{"search": "grosse strasse"}, "a"},
		{Parameters{"search": "öl"}, "c"},
		{Parameters{"search": "OEL"}, "c"},
		{Parameters{"age": "18"}, "ba"},
		{Parameters{"age": "6,12"}, "c"},
		{Parameters{"age": "6,13"}, ""},
		{Parameters{"price": "free"}, "c"},
		{Parameters{"price": "donation"}, "d"},
		{Parameters{"price": "9.5,EUR"}, "bac"},
		{Parameters{"price": "100,USD"}, "c"},
		{Parameters{"accessibility": "0,63"}, "a"},
		{Parameters{"accessibility": "5"}, "bc"}, // of the venue: without a space, and with one without flags
		{Parameters{"visitor_infos": "0,1"}, "ba"},
		{Parameters{"visitor_infos": "2"}, ""},
		{Parameters{"geolist_region": "de,sn,square"}, "a"}, // v2 lies in the hole
		{Parameters{"geolist_region": "de,sn,circle"}, ""},
		{Parameters{"lat": "5", "lon": "5", "radius": "0"}, "bc"},
		{Parameters{"lat": "5", "lon": "5"}, "bacd"},
		{Parameters{"org_uuids": "org2"}, "c"},
		{Parameters{"venue_uuids": "v3,v2"}, "bcd"},
		{Parameters{"event_uuids": "e5,e3"}, "d"},
		{Parameters{"price_types": "free,donation"}, "cd"},
		{Parameters{"postal_code": "*67,9*"}, "a"},
	} {
		if got := names(smallReference().Events(test.query, "2024-03-01").Found); got != test.want {
			t.Errorf("%v finds %q, want %q", test.query, got, test.want)
		}
	}
}

func TestPages(t *testing.T) {
	for _, test := range []struct {
		query Parameters
		want  string
	}{
		{Parameters{"limit": "2"}, "ba"},
		{Parameters{"limit": "2", "offset": "3"}, "d"},
		{Parameters{"offset": "9"}, ""},
		{Parameters{"last_event_start_at": "2024-02-29T00:00", "last_event_date_uuid": "b"}, "acd"},
		{Parameters{"last_event_start_at": "2024-02-29T20:00", "last_event_date_uuid": "a", "limit": "1"}, "c"},
		{Parameters{"last_event_start_at": "2025-01-01T00:00", "last_event_date_uuid": "a"}, ""},
	} {
		if got := names(smallReference().Events(test.query, "").Page); got != test.want {
			t.Errorf("%v shows %q, want %q", test.query, got, test.want)
		}
	}
}

func TestSummary(t *testing.T) {
	got := smallReference().Events(Parameters{"limit": "1"}, "").Summary()
	if want := []Count{{1, 3}, {2, 2}}; !slices.Equal(got.Types, want) {
		t.Errorf("types are %v, want %v", got.Types, want)
	}
	if want := []Count{{1002, 2}, {1003, 2}}; !slices.Equal(got.Genres, want) {
		t.Errorf("genres are %v, want %v", got.Genres, want)
	}
	if got.Total != 4 {
		t.Errorf("total is %d, want 4", got.Total)
	}
}

func TestVenues(t *testing.T) {
	for _, test := range []struct {
		query Parameters
		want  string
	}{
		{Parameters{}, "v1 v2 v3 v4"},
		{Parameters{"name": "*strasse"}, "v1"},
		{Parameters{"city": "*"}, "v1 v2"},
		{Parameters{"countries": "dnk,deu"}, "v1 v2"},
		{Parameters{"org_uuids": "org1"}, "v1 v3"},
		{Parameters{"accessibility": "0"}, "v1"},
		{Parameters{"lat": "5", "lon": "5", "radius": "1000"}, "v2"},
		{Parameters{"geolist_region": "de,sn,square"}, "v1"},
	} {
		if got := strings.Join(smallReference().Venues(test.query), " "); got != test.want {
			t.Errorf("%v finds %q, want %q", test.query, got, test.want)
		}
	}
}

func TestOrganizations(t *testing.T) {
	if got := smallReference().Organizations(); !slices.Equal(got, []string{"org1", "org2"}) {
		t.Errorf("%v are public", got)
	}
	onlyVenue := small()
	onlyVenue.Events = onlyVenue.Events[:1] // of the first, with a date at a venue of the second
	r := New(onlyVenue, "", time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC))
	if got := r.Organizations(); !slices.Equal(got, []string{"org1", "org2"}) {
		t.Errorf("%v are public", got)
	}
	drafts := small()
	drafts.Events = drafts.Events[2:4]
	r = New(drafts, "", time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC))
	if got := r.Organizations(); len(got) > 0 {
		t.Errorf("%v are public through drafts", got)
	}
}

func TestWeekend(t *testing.T) {
	for today, want := range map[string]string{
		"2026-11-16": "2026-11-21", "2026-11-20": "2026-11-21", "2026-11-21": "2026-11-21", "2026-11-22": "2026-11-21",
	} {
		if from, to := days("weekend", today); from != want || to != move(want, 1) {
			t.Errorf("on %s the weekend is from %s to %s", today, from, to)
		}
	}
}

func TestEntry(t *testing.T) {
	r := smallReference()
	b, c := r.Entry(r.Dates()[0]), r.Entry(r.Dates()[2])
	if b.ReleaseStatus != "cancelled" || b.StartTime != "00:00" || b.VenueName != "Loch" || b.SpaceUUID != "" || b.ImagePath != "" {
		t.Errorf("entry of b is %+v", b)
	}
	if c.ReleaseStatus != "deferred" || c.SpaceName != "Tent" || c.ImagePath != "http://host/api/image/i1/5a7271d1a5bb" {
		t.Errorf("entry of c is %+v", c)
	}
	if slug := r.Dates()[1].Slug(); slug != "2024-02-29-2000" {
		t.Errorf("slug of a begins with %q", slug)
	}
}

func TestDistance(t *testing.T) {
	quarter := earthRadius * math.Pi / 2
	for _, test := range []struct{ lat1, lon1, lat2, lon2, want float64 }{
		{0, 0, 0, 90, quarter},
		{90, 17, -90, -120, 2 * quarter},
		{0, 179.5, 0, -179.5, earthRadius * math.Pi / 180},
		{52.52, 13.405, 52.52, 13.405, 0},
	} {
		if got := Distance(test.lat1, test.lon1, test.lat2, test.lon2); math.Abs(got-test.want) > 1e-6*test.want {
			t.Errorf("distance of %v is %f", test, got)
		}
	}
}

func TestContains(t *testing.T) {
	square := small().Regions[0].Geometry
	for point, want := range map[Point]bool{
		{1, 1}: true, {11, 1}: false, {-1, 0}: false, {0, 0}: true, {10, 5}: true, {5, 5}: false, {4, 5}: false, {3.9, 5}: true,
	} {
		if got := square.Contains(point); got != want {
			t.Errorf("contains %v: %t", point, got)
		}
	}
}

func TestWrite(t *testing.T) {
	var file bytes.Buffer
	if err := small().Write(&file); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(file.String()), "\n")
	if len(lines) != small().Lines() {
		t.Fatalf("wrote %d lines, want %d", len(lines), small().Lines())
	}
	var kinds []string
	for _, line := range lines {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if kind := object["kind"].(string); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if got := strings.Join(kinds, " "); got != "region organization venue space event" {
		t.Errorf("kinds stand in the order %q", got)
	}
	if !strings.Contains(file.String(), `"accessibility_flags":"9223372036854775809"`) {
		t.Error("a mask is not written as a decimal string")
	}
}

// TestAnswersHaveNoNullLists: a catalogue may leave lists out, an answer shows them empty.
func TestAnswersHaveNoNullLists(t *testing.T) {
	for _, answer := range []any{Entry{}, Detail{}, DetailSeries{}, ShownSeries{}} {
		shape, fields := reflect.TypeOf(answer), Fields(answer)
		for i := range shape.NumField() {
			name, options, _ := strings.Cut(shape.Field(i).Tag.Get("json"), ",")
			if shape.Field(i).Type.Kind() != reflect.Slice || options == "omitempty" {
				continue
			}
			if list, isList := fields[name].([]any); !isList || len(list) > 0 {
				t.Errorf("%s of %s without values is %v", name, shape.Name(), fields[name])
			}
		}
	}
}
