package list

import (
	"net/url"
	"testing"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/site/internal/sitetest"
)

// TestHostileContent: nothing that an organizer or the writer of an address chooses is part of a
// page but as text.
func TestHostileContent(t *testing.T) {
	for _, text := range sitetest.HostileWords {
		listed := sitetest.Entry(text, "2026-11-23")
		listed.Subtitle, listed.VenueName, listed.VenueCity, listed.VenueStreet = text, text, text, text
		listed.ReleaseStatus, listed.Currency, listed.PriceType = text, text, "regular_price"
		low := 5.0
		listed.MinPrice, listed.ImageUUID, listed.OnlineLink = &low, value.Text(text), value.Text(text)
		found := sitetest.Events(listed)
		data := sitetest.Calendar(found)
		tallied := sitetest.Counts()
		for name := range tallied.Facets {
			tallied.Facets[name] = append(tallied.Facets[name], publicapi.Facet{Value: text, Name: text, Count: 1})
		}
		data["/api/events/facets"] = tallied
		empty := sitetest.Calendar(publicapi.Events{Hints: &publicapi.Hints{
			Search: value.Text(text), Without: []publicapi.Relaxed{{Parameters: []string{text}, Count: 2}},
		}})
		for _, of := range []map[string]any{data, empty} {
			app, _ := sitetest.New(t, of, Mount)
			q := url.QueryEscape(text)
			for _, address := range []string{
				"/?search=" + q + "&city=" + q + "&categories=" + q + "&tags=" + q + "&on=" + q + "&time=" + q + "&price=" + q +
					"&start=" + q + "&radius=" + q + "&lon=" + q + "&lat=" + q + "&genres=" + q + "&geolist_region=" + q + "&venue_uuids=" + q,
				"/?event_types=" + q + "&lang=" + q + "&" + q + "=" + q, "/print?search=" + q + "&title=" + q,
				"/favourites?event_uuids=" + q,
			} {
				sitetest.WantHarmless(t, address, sitetest.Page(t, app, address))
			}
		}
	}
}
