package venue

import (
	"net/url"
	"strconv"
	"strings"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/detail"
	"litfass/services/site/internal/text"
	"litfass/services/site/internal/view"
)

// venueData is the data of the page of a venue.
type venueData struct {
	publicapi.Venue
	Names    detail.Names
	Upcoming []publicapi.Listed
}

// pageOf returns the page of a venue.
func pageOf(s view.Scope, v venueData) view.Page {
	filter := url.Values{"venue_uuids": {v.UUID}}
	return view.Page{
		Title: detail.TitleWith(v.Name, v.City), Description: view.Describe(v.Summary, v.Description, s.Text.With("venue.describe", "Venue", v.Name)),
		Canonical: "/venue/" + v.UUID, Image: detail.ShareImageOf(v.Upcoming), HasFeed: true, Feed: "?" + filter.Encode(),
		Content: venue(s, v, filter), Scripts: detail.MapScripts(v.Lat, v.Lon), Structured: structured(s, v),
	}
}

// place returns where the venue is.
func (v venueData) place() publicapi.Place {
	return publicapi.Place{
		VenueStreet: v.Street, VenueHouseNumber: v.HouseNumber, VenuePostalCode: v.PostalCode, VenueCity: v.City,
	}
}

// level names the floor of a space, "" when it is not known.
func level(t *text.Texts, level *int) string {
	switch {
	case level == nil:
		return ""
	case *level == 0:
		return t.T("space.ground")
	case *level < 0:
		return t.With("space.below", "Level", strconv.Itoa(-*level))
	default:
		return t.With("space.level", "Level", strconv.Itoa(*level))
	}
}

// sizes are the type, the floor and the capacity of a space.
func sizes(t *text.Texts, names detail.Names, space publicapi.Space) []string {
	var known []string
	if space.SpaceType != "" {
		known = append(known, detail.NameOf(names.SpaceTypes, space.SpaceType))
	}
	if level := level(t, space.BuildingLevel); level != "" {
		known = append(known, level)
	}
	if space.TotalCapacity != nil {
		known = append(known, t.Count("space.capacity", *space.TotalCapacity))
	}
	if space.SeatingCapacity != nil {
		known = append(known, t.Count("space.seats", *space.SeatingCapacity))
	}
	return known
}

// registerName names the register of a page.
func registerName(page string) string {
	if strings.HasPrefix(page, "https://www.wikidata.org/") {
		return "Wikidata"
	}
	return "OpenStreetMap"
}
