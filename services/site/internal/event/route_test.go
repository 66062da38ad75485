package event

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/mappage"
	"litfass/services/site/internal/sitetest"
	"litfass/services/site/internal/view"
)

// placed returns an API whose event has one date at a venue, at a position if both are given.
func placed(status string, position ...float64) *sitetest.EntityAPI {
	api := withDates([2]string{"2026-11-24", status})
	place := publicapi.Place{VenueUUID: sitetest.VenueUUID, VenueName: "Kornspeicher", VenueStreet: "Hafen", VenueCity: "Husum"}
	if len(position) == 2 {
		place.VenueLat, place.VenueLon = &position[0], &position[1]
	}
	api.Event.Dates[0].Place = place
	return api
}

// TestWhereAnEventIs: a map of the place as an image, directions, and larger maps, also of a
// cancelled date. A place without a position has its address, and nothing empty.
func TestWhereAnEventIs(t *testing.T) {
	for _, status := range []string{"released", "cancelled"} {
		app := sitetest.Over(t, placed(status, 54.4757, 9.0517), sitetest.Sunday, Mount, mappage.Mount)
		page := sitetest.Page(t, app, "/event/"+sitetest.EventUUID+"?lang=de")
		sitetest.Wants(t, page, "data-map-place", `alt="Karte: Hier ist Kornspeicher"`, `loading="lazy"`, "OpenStreetMap",
			`href="https://route.example/?to=54.475700,9.051700"`, `href="geo:54.475700,9.051700"`, `href="/map?bbox=8.8`)
		still := sitetest.Attributes(page, "src")
		at := slices.IndexFunc(still, func(src string) bool { return strings.HasPrefix(src, view.DrawingPath) })
		if at < 0 {
			t.Fatalf("there is no drawing among %q", still)
		}
		code, header, drawing := sitetest.Ask(t, app, http.MethodGet, still[at], "")
		if code != http.StatusOK || header.Get("Content-Type") != "image/svg+xml" || !strings.Contains(drawing, `class="map-earth"`) {
			t.Errorf("%s: %d %v", still[at], code, header)
		}
	}
	for _, position := range map[string][]float64{"none": nil, "north of the pole": {91, 9}, "beyond the date line": {54, 181}} {
		page := eventIn(t, placed("released", position...), "?lang=en")
		sitetest.Wants(t, page, `id="route-title"`, `href="/?city=Husum&amp;lang=en"`)
		sitetest.Lacks(t, page, "venue-map", "route.example", "geo:", "venue_uuids=")
	}
}

// TestMapsAreLoadedWhereThereIsOne: only pages with a map have its script.
func TestMapsAreLoadedWhereThereIsOne(t *testing.T) {
	located, elsewhere := placed("released", 54.4757, 9.0517).Event, placed("released").Event
	scope := view.Scope{Today: sitetest.Sunday}
	if got := (eventData{EventDetails: located}).scripts(scope); !slices.Equal(got, []string{"map.js"}) {
		t.Errorf("with a position: %q", got)
	}
	if got := (eventData{EventDetails: elsewhere}).scripts(scope); got != nil {
		t.Errorf("without a position: %q", got)
	}
}

// TestEachDateGoesIntoCalendars: every coming date has its file, the calendars of others, and its
// own address to share; a past or cancelled one has none.
func TestEachDateGoesIntoCalendars(t *testing.T) {
	page := eventIn(t, withDates([2]string{"2026-11-20", "released"}, [2]string{"2026-11-24", "released"},
		[2]string{"2026-11-25", "cancelled"}, [2]string{"2026-11-26", "deferred"}), "?lang=en")
	for i, want := range []bool{false, true, false, true} {
		uuid := "01920000-0000-7000-8000-0000000000d" + string(rune('0'+i))
		_, item, found := strings.Cut(page, `<li class="date`)
		for found && !strings.Contains(item[:200], uuid) {
			_, item, found = strings.Cut(item, `<li class="date`)
		}
		item, _, _ = strings.Cut(item, `<li class="date`)
		for _, part := range []string{
			"calendar.google.com", "outlook.live.com", "/date/" + uuid + ".ics", "data-share-title=\"Jazz\"", `class="date-calendar"`,
		} {
			if strings.Contains(item, part) != want {
				t.Errorf("date %d has %s: %t", i, part, !want)
			}
		}
	}
}
