package event

import (
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page/pagetest"
)

const (
	hall = "0192f0a0-0000-7000-8000-0000000000b1"
	room = "0192f0a0-0000-7000-8000-0000000000b2"
	day  = "0192f0a0-0000-7000-8000-0000000000b3"
)

// inHall returns an event in a space of a venue, with a remark on its date.
func inHall() adminapi.Event {
	e := stored()
	e.VenueUUID, e.VenueName, e.SpaceUUID, e.SpaceName = hall, "Hall", room, "Attic"
	e.Dates = []adminapi.Date{{UUID: day}}
	e.Dates[0].StartDate, e.Dates[0].AccessibilityInfo = "2026-12-01", "<i>signed"
	return e
}

// accessibilityOf returns the section of a page.
func accessibilityOf(t *testing.T, c *pagetest.Console) string {
	t.Helper()
	body := c.Get(address).Body
	_, section, found := strings.Cut(body, `<section id="accessibility"`)
	if !found {
		t.Fatalf("there is no section in %s", body)
	}
	section, _, _ = strings.Cut(section, "</section>")
	return section
}

func TestAccessibilityIsThatOfTheVenue(t *testing.T) {
	c := start(t, inHall())
	c.Answer("GET /api/accessibility/flags", http.StatusOK, []publicapi.Flag{
		{ID: "0", Name: "Lift", TopicID: "1"}, {ID: "16", Name: "Hearing loop", TopicID: "3"},
	})
	mask := value.Mask(1 << 16)
	c.Answer("GET /api/admin/venue/"+hall, http.StatusOK, adminapi.Venue{
		UUID: hall, OrgUUID: pagetest.Org, Name: "Hall", AccessibilityFlags: &mask, AccessibilitySummary: "wide doors <script>alert(1)</script>",
	})
	c.Answer("GET /api/admin/space/"+room, http.StatusOK, adminapi.Space{UUID: room, VenueUUID: hall, Name: "Attic"})
	section := accessibilityOf(t, c)
	for _, want := range []string{
		"Hearing loop", "wide doors &lt;script&gt;", "The accessibility is not known yet", `href="/console/venue/` + hall + `#accessibility_flags"`,
		`href="/console/space/` + room + `#accessibility_flags"`, `href="#date-` + day + `"`, "&lt;i&gt;signed",
	} {
		if !strings.Contains(section, want) {
			t.Errorf("%s is missing in %s", want, section)
		}
	}
	if strings.Contains(section, "Lift") || strings.Contains(section, "<script>") {
		t.Errorf("the section is %s", section)
	}
	c.Member(permission.EditEvent)
	if section := accessibilityOf(t, c); strings.Contains(section, "#accessibility_flags") {
		t.Error("a person who may not edit the venue is led to its page")
	}
}

func TestAccessibilityOfAVenueOfOthersIsWhatVisitorsRead(t *testing.T) {
	c := start(t, inHall())
	none := value.Mask(0)
	c.Answer("GET /api/venue/"+hall, http.StatusOK, map[string]any{"data": publicapi.Venue{
		UUID: hall, Name: "Hall", AccessibilityFlags: &none, Spaces: []publicapi.Space{{UUID: room, Name: "Attic"}, {UUID: day, Name: "Cellar"}},
	}})
	section := accessibilityOf(t, c)
	for _, want := range []string{"None of the listed aids", "The accessibility is not known yet", "belongs to another organization", "Attic"} {
		if !strings.Contains(section, want) {
			t.Errorf("%s is missing in %s", want, section)
		}
	}
	if strings.Contains(section, "Cellar") || strings.Contains(section, "#accessibility_flags") {
		t.Errorf("the section is %s", section)
	}
	c.Answer("GET /api/venue/"+hall, http.StatusNotFound, adminapi.Error{})
	if section := accessibilityOf(t, c); !strings.Contains(section, `href="#place"`) {
		t.Errorf("without a venue that can be read: %s", section)
	}
}
