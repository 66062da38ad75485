package venue

import (
	"encoding/json"
	"strings"
	"testing"

	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/sitetest"
)

// openVenue returns the page of a venue with opening hours, on Sunday, 22 November 2026.
func openVenue(t *testing.T, h hours.Hours) string {
	t.Helper()
	api := &sitetest.EntityAPI{Venue: publicapi.Venue{
		UUID: sitetest.VenueUUID, Name: "Museum </script>", City: "Kiel", OpeningHours: "Letzter Einlass\n17:30", Hours: h,
	}}
	return sitetest.Page(t, sitetest.Over(t, api, sitetest.Sunday, Mount), "/venue/"+sitetest.VenueUUID+"?lang=de")
}

// TestOpeningHoursOfAVenue: a table of the week, whether it is open today, the exceptions to come
// with their notes, and the words of the venue.
func TestOpeningHoursOfAVenue(t *testing.T) {
	h := hours.Hours{
		Weekly:  []hours.Weekly{{Day: "sat", From: "11:00", To: "17:30"}, {Day: "sun", From: "11:00", To: "17:30"}},
		Closed:  []hours.Closed{{From: "2026-01-01", To: "2026-01-01", Note: "Neujahr"}, {From: "2026-12-24", To: "2026-12-26", Note: "Weihnachten"}},
		Special: []hours.Special{{Date: "2026-12-31", From: "10:00", To: "14:00", Note: "Silvester <b>"}},
	}
	page := openVenue(t, h)
	for _, part := range []string{
		"Öffnungszeiten", "Heute geöffnet: 11–17:30 Uhr", "Montag", "geschlossen", "Feiertage und besondere Zeiten", "Weihnachten", "10–14 Uhr",
		"Silvester &lt;b&gt;", "Letzter Einlass",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("%q is missing", part)
		}
	}
	if strings.Contains(page, "Neujahr") {
		t.Error("a day in the past is shown")
	}
	_, after, _ := strings.Cut(page, `<script type="application/ld+json">`)
	data, _, _ := strings.Cut(after, "</script>")
	var place struct {
		Name    string
		Weekly  []opening `json:"openingHoursSpecification"`
		Special []opening `json:"specialOpeningHoursSpecification"`
	}
	if err := json.Unmarshal([]byte(data), &place); err != nil || place.Name != "Museum </script>" || len(place.Weekly) != 1 ||
		len(place.Weekly[0].Days) != 2 || place.Weekly[0].Closes != "17:30" || len(place.Special) != 3 || place.Special[1].Through != "2026-12-26" {
		t.Errorf("%s: %v", data, err)
	}
}

// TestAVenueInRegisters has links to its pages there, also for search engines.
func TestAVenueInRegisters(t *testing.T) {
	api := &sitetest.EntityAPI{Venue: publicapi.Venue{UUID: sitetest.VenueUUID, Name: "Museum", WikidataID: "Q64", OSMID: "way/123"}}
	page := sitetest.Page(t, sitetest.Over(t, api, sitetest.Sunday, Mount), "/venue/"+sitetest.VenueUUID)
	for _, part := range []string{
		`<a href="https://www.wikidata.org/wiki/Q64" rel="nofollow noreferrer">Wikidata</a>`,
		`<a href="https://www.openstreetmap.org/way/123" rel="nofollow noreferrer">OpenStreetMap</a>`,
		`"sameAs":["https://www.wikidata.org/wiki/Q64","https://www.openstreetmap.org/way/123"]`,
	} {
		if !strings.Contains(page, part) {
			t.Errorf("%s is missing", part)
		}
	}
}

// TestAVenueWithoutOpeningHours has its words as before, and no structured data.
func TestAVenueWithoutOpeningHours(t *testing.T) {
	page := openVenue(t, hours.Hours{})
	if !strings.Contains(page, "Letzter Einlass") || strings.Contains(page, "ld+json") || strings.Contains(page, "opening-hours") {
		t.Error("it is not as before")
	}
}
