package detail

import (
	"strings"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/view"
)

// Address writes street and house number, then postal code and city.
func Address(p publicapi.Place) (street, city string) {
	return joined(p.VenueStreet, p.VenueHouseNumber), joined(p.VenuePostalCode, p.VenueCity)
}

// joined writes the texts that are there with spaces between them.
func joined(texts ...string) string {
	return strings.Join(strings.Fields(strings.Join(texts, " ")), " ")
}

// TitleWith writes a name with the place that distinguishes it from namesakes.
func TitleWith(name, city string) string {
	if city == "" {
		return name
	}
	return name + ", " + city
}

// ShareImageOf returns the path of the first image of some events, "" for none.
func ShareImageOf(events []publicapi.Listed) string {
	for _, event := range events {
		if event.ImageUUID != "" {
			return view.ShareImage(view.Versioned(event.ImageUUID, event.ImagePath))
		}
	}
	return ""
}
