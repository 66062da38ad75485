package page

import (
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

// hostileWords are texts that must reach no page as anything but text.
var hostileWords = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, `javascript:alert(1)`,
	`</title><svg onload=alert(1)>`, strings.Repeat("Donaudampfschifffahrt", 100), "\u202Eevil\u202C", "🎷🎺 مرحبا",
}

// TestHostileContent: nothing that an organizer or the writer of an address chooses is part of a
// page but as text.
func TestHostileContent(t *testing.T) {
	for _, text := range hostileWords {
		listed := entry(text, "2026-11-23")
		listed.Subtitle, listed.VenueName, listed.VenueCity, listed.VenueStreet = text, text, text, text
		listed.ReleaseStatus, listed.Currency, listed.PriceType = text, text, "regular_price"
		low := 5.0
		listed.MinPrice, listed.ImageUUID, listed.OnlineLink = &low, value.Text(text), value.Text(text)
		found := events(listed)
		data := calendar(found)
		tallied := counts()
		for name := range tallied.Facets {
			tallied.Facets[name] = append(tallied.Facets[name], publicapi.Facet{Value: text, Name: text, Count: 1})
		}
		data["/api/events/facets"] = tallied
		empty := calendar(publicapi.Events{Hints: &publicapi.Hints{
			Search: value.Text(text), Without: []publicapi.Relaxed{{Parameters: []string{text}, Count: 2}},
		}})
		for _, of := range []map[string]any{data, empty} {
			app, _ := newSite(t, of)
			q := url.QueryEscape(text)
			for _, address := range []string{
				"/?search=" + q + "&city=" + q + "&categories=" + q + "&tags=" + q + "&on=" + q + "&time=" + q + "&price=" + q +
					"&start=" + q + "&radius=" + q + "&lon=" + q + "&lat=" + q + "&genres=" + q + "&geolist_region=" + q + "&venue_uuids=" + q,
				"/?event_types=" + q + "&lang=" + q + "&" + q + "=" + q, "/print?search=" + q + "&title=" + q,
				"/favourites?event_uuids=" + q,
			} {
				isHarmless(t, address, pageOf(t, app, address))
			}
		}
	}
}

// isHarmless fails for a page that holds an element or an address which its templates do not.
func isHarmless(t *testing.T, address, html string) {
	t.Helper()
	lower := strings.ToLower(html)
	for _, bad := range []string{"<script>", "onerror=alert(1)>", "<svg onload", `href="javascript`, `src="javascript`, " onmouseover='"} {
		if strings.Contains(lower, bad) {
			t.Errorf("%s shows %s", address, bad)
		}
	}
}
