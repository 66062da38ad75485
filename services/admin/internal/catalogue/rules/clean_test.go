package rules_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

func TestCheckBringsIntoStoredForm(t *testing.T) {
	elsewhere := time.FixedZone("UTC+2", 2*60*60)
	e := &rules.Event{
		UUID: " 01941F29-7C00-7103-9DA4-4C93D714EBD0", OrgUUID: orgID, VenueUUID: venueID,
		Title: "  Zwei\nZeilen  und\tTab ", Summary: " Zeile 1\r\nZeile 2 \n", Currency: " eur",
		Categories: []int{4, 1, 4}, EventTypes: []adminapi.EventType{{TypeID: 1, GenreID: 0}, {TypeID: 1, GenreID: 1003}, {TypeID: 1, GenreID: 0}},
		Languages: []string{"DE", "da", "de"}, Tags: []string{" Straße", "STRASSE", "Jazz "},
		TextLanguage: " DE ",
		Texts: adminapi.EventTexts{"DA": {Title: " To\nlinjer ", Subtitle: " ", Images: map[string]adminapi.ImageText{
			strings.ToUpper(imageID): {AltText: "Et\tkor ", Description: "\n"}, eventID: {},
		}}, "en": {Summary: " \n", Images: map[string]adminapi.ImageText{imageID: {}}}},
		Labels:      []string{" Tip", "kids", "tip"},
		ReleaseDate: pointer(time.Date(2026, 1, 1, 1, 0, 0, 1_999, elsewhere)),
		EventLinks:  []rules.EventLink{{Type: "Website", URL: " HTTPS://Example.org/A "}},
		Images: []rules.Image{
			{UUID: dateID, Identifier: "gallery_2", MimeType: "image/png", Width: 1, Height: 1},
			{UUID: eventID, Identifier: "gallery_1", MimeType: "image/png", Width: 1, Height: 1},
			{UUID: imageID, Identifier: "MAIN", MimeType: "Image/PNG", Width: 1, Height: 1},
		},
		Dates: []rules.Date{
			{UUID: spaceID, StartDate: "2026-11-20", StartTime: "20:00"},
			{UUID: dateID, StartDate: "2026-11-20", StartTime: "20:00"},
			{UUID: orgID, StartDate: "2026-11-20", AllDay: true},
		},
	}
	if err := rules.Check(e); err != nil {
		t.Fatal(err)
	}
	want := &rules.Event{
		UUID: eventID, OrgUUID: orgID, VenueUUID: venueID,
		Title: "Zwei Zeilen  und Tab", Summary: "Zeile 1\nZeile 2", Currency: "EUR",
		Categories: []int{4, 1}, EventTypes: []adminapi.EventType{{TypeID: 1, GenreID: 0}, {TypeID: 1, GenreID: 1003}},
		Languages: []string{"de", "da"}, Tags: []string{"Straße", "Jazz"}, TicketFlags: []string{},
		Labels:    []string{"kids", "tip"},
		PriceType: "not_specified", ReleaseStatus: "draft",
		ReleaseDate:  pointer(time.Date(2025, 12, 31, 23, 0, 0, 1_000, time.UTC)),
		EventLinks:   []rules.EventLink{{Type: "website", URL: "https://Example.org/A"}},
		DateRules:    []rules.DateRule{},
		TextLanguage: "de",
		Texts:        adminapi.EventTexts{"da": {Title: "To linjer", Images: map[string]adminapi.ImageText{imageID: {AltText: "Et kor"}}}},
		Series:       []rules.EventSeries{},
		Tariffs:      []adminapi.Tariff{},
		Contributors: []rules.EventContributor{},
		Images: []rules.Image{
			{UUID: imageID, Identifier: "main", MimeType: "image/png", Width: 1, Height: 1},
			{UUID: eventID, Identifier: "gallery_1", MimeType: "image/png", Width: 1, Height: 1},
			{UUID: dateID, Identifier: "gallery_2", MimeType: "image/png", Width: 1, Height: 1},
		},
		Dates: []rules.Date{
			{UUID: orgID, StartDate: "2026-11-20", AllDay: true, ReleaseStatus: "inherited", Tariffs: []adminapi.Tariff{}},
			{UUID: dateID, StartDate: "2026-11-20", StartTime: "20:00", ReleaseStatus: "inherited", Tariffs: []adminapi.Tariff{}},
			{UUID: spaceID, StartDate: "2026-11-20", StartTime: "20:00", ReleaseStatus: "inherited", Tariffs: []adminapi.Tariff{}},
		},
	}
	if !reflect.DeepEqual(e, want) {
		t.Errorf("got\n%s\nwant\n%s", indent(e), indent(want))
	}
}

func TestCheckTwiceChangesNothing(t *testing.T) {
	for _, entity := range []rules.Entity{organization(), venue(), space(), event(), region()} {
		if err := rules.Check(entity); err != nil {
			t.Fatal(err)
		}
		once := indent(entity)
		if err := rules.Check(entity); err != nil || indent(entity) != once {
			t.Errorf("%s changed when checked again: %v", entity.Kind(), err)
		}
	}
}

func TestEmptyListsAreNeverNull(t *testing.T) {
	e := &rules.Event{UUID: eventID, OrgUUID: orgID}
	if err := rules.Check(e); err != nil {
		t.Fatal(err)
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal([]byte(indent(e)), &keys); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"categories", "event_types", "languages", "tags", "ticket_flags", "event_links", "images", "dates", "date_rules", "series"} {
		if string(keys[key]) != "[]" {
			t.Errorf("%s is %s", key, keys[key])
		}
	}
}

func TestRegionKeepsOnlyTheArea(t *testing.T) {
	r := region()
	r.RegionSlug = " Angeln"
	r.Geometry = json.RawMessage(` {"coordinates": [[[9.50, 54, 3],[1e1,54],[10,55],[9.5,54]]], "bbox": [1], "type": "Polygon"}`)
	if err := rules.Check(r); err != nil {
		t.Fatal(err)
	}
	if want := `{"type":"Polygon","coordinates":[[[9.5,54],[10,54],[10,55],[9.5,54]]]}`; string(r.Geometry) != want {
		t.Errorf("geometry is %s, want %s", r.Geometry, want)
	}
	if r.Key() != "deu.sh.angeln" {
		t.Errorf("key is %q", r.Key())
	}
}

func TestReferences(t *testing.T) {
	e := event()
	e.SpaceUUID = spaceID
	e.Dates = append(e.Dates, rules.Date{VenueUUID: value.Text(orgID), SpaceUUID: imageID})
	want := []string{
		"org_uuid organization " + orgID, "venue_uuid venue " + venueID, "space_uuid space " + spaceID,
		"dates[1].venue_uuid venue " + orgID, "dates[1].space_uuid space " + imageID,
	}
	var got []string
	for _, r := range rules.References(e) {
		got = append(got, fmt.Sprint(r.Field(), " ", r.Kind, " ", r.Key))
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func indent(v any) string {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		panic(err)
	}
	return string(data)
}
