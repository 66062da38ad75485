package view

import (
	"net/url"
	"strconv"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/text"
)

// VenuePage is what the page of a venue shows.
type VenuePage struct {
	publicapi.Venue
	Names    Names
	Upcoming []publicapi.Listed
}

// Venue is the page of a venue.
func Venue(s Shown, v VenuePage) Page {
	filter := url.Values{"venue_uuids": {v.UUID}}
	return Page{
		Title: titleWith(v.Name, v.City), Description: describe(v.Summary, v.Description, s.Text.With("venue.describe", "Venue", v.Name)),
		Canonical: "/venue/" + v.UUID, Image: shareOf(v.Upcoming), HasFeed: true, Feed: "?" + filter.Encode(),
		Content: venue(s, v, filter),
	}
}

// titleWith writes a name with the place that distinguishes it from namesakes.
func titleWith(name, city string) string {
	if city == "" {
		return name
	}
	return name + ", " + city
}

// shareOf returns the path of the first picture among some events, "" for none.
func shareOf(events []publicapi.Listed) string {
	for _, event := range events {
		if event.ImageUUID != "" {
			return sharePicture(string(event.ImageUUID))
		}
	}
	return ""
}

// place returns where the venue is.
func (v VenuePage) place() publicapi.Place {
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

// sizes are what is known about a space in short.
func sizes(t *text.Texts, names Names, space publicapi.Space) []string {
	var known []string
	if space.SpaceType != "" {
		known = append(known, nameOf(names.SpaceTypes, space.SpaceType))
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
