package dates

import (
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// shortList is how many places are chosen from without a field that narrows the list.
const shortList = 10

// placeKey names a place in a form: the venue, or venue/space.
func placeKey(venue, space string) string { return venue + prefixed("/", space) }

// placeName writes a place for people.
func placeName(p adminapi.ChoosablePlace) string {
	name := p.VenueName + prefixed(" · ", string(p.SpaceName))
	return name + prefixed(", ", string(p.City))
}

// placeNames returns the names of places by their keys, when dates of the event have their own.
func placeNames(r *page.Request, e adminapi.Event) (map[string]string, error) {
	names := map[string]string{}
	for _, d := range e.Dates {
		if d.VenueUUID == "" && d.SpaceUUID == "" {
			continue
		}
		places, err := lookup.Places(r.Admin())
		for _, p := range places {
			names[placeKey(p.VenueUUID, string(p.SpaceUUID))] = placeName(p)
		}
		return names, err
	}
	return names, nil
}

// ownPlace writes the place of a date that is not where the event is; "" for all others.
func ownPlace(t *text.Texts, d adminapi.Date, names map[string]string) string {
	if d.VenueUUID == "" && d.SpaceUUID == "" {
		return ""
	}
	if name, known := names[placeKey(string(d.VenueUUID), string(d.SpaceUUID))]; known {
		return name
	}
	return t.T("dates.place_other")
}

// choices are the options of the forms of dates.
type choices struct {
	places     []view.Option
	currencies lookup.Choices
}

// readChoices reads them. Without currencies a form has no fields that need one to choose.
func readChoices(r *page.Request, e adminapi.Event, place string) (c choices, err error) {
	c.currencies, _ = r.Lookup().Choices("currencies")
	c.places, err = placeOptions(r, e, place)
	return c, err
}

// placeOptions are the places to choose for a date. The chosen place stays a choice even if the
// person may not choose it.
func placeOptions(r *page.Request, e adminapi.Event, chosen string) ([]view.Option, error) {
	places, err := lookup.Places(r.Admin())
	if err != nil {
		return nil, err
	}
	options := []view.Option{{Label: eventPlace(r.Text, e), Chosen: chosen == ""}}
	found := chosen == ""
	for _, p := range places {
		key := placeKey(p.VenueUUID, string(p.SpaceUUID))
		found = found || key == chosen
		options = append(options, view.Option{Value: key, Label: placeName(p), Chosen: key == chosen})
	}
	if !found {
		options = append(options, view.Option{Value: chosen, Label: r.Text.T("dates.place_other"), Chosen: true})
	}
	return options, nil
}

// eventPlace writes where the event is.
func eventPlace(t *text.Texts, e adminapi.Event) string {
	if e.VenueName == "" {
		return t.T("dates.place_event")
	}
	return t.With("dates.place_event_at", "Place", string(e.VenueName)+prefixed(" · ", string(e.SpaceName)))
}

// splitPlace returns the venue and the space of a key.
func splitPlace(key string) (venue, space string) {
	venue, space, _ = strings.Cut(key, "/")
	return venue, space
}
