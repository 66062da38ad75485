package place

import (
	"net/url"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/view"
)

// spaces are the choices of a space, the venue as a whole first.
func (s sectionView) spaces() []view.Option {
	options := []view.Option{{Label: s.Text.T("place.whole"), Chosen: s.event.SpaceUUID == ""}}
	for _, space := range s.venue.Spaces {
		options = append(options, view.Option{
			Value: space.UUID, Label: space.Name + s.seats(space), Chosen: space.UUID == string(s.event.SpaceUUID),
		})
	}
	return options
}

// seats writes the capacity of a space, which follows its name.
func (s sectionView) seats(space adminapi.FoundSpace) string {
	switch {
	case space.TotalCapacity != nil:
		return " – " + s.Text.Count("place.capacity", *space.TotalCapacity)
	case space.SeatingCapacity != nil:
		return " – " + s.Text.Count("place.seats", *space.SeatingCapacity)
	default:
		return ""
	}
}

// when writes the day and the time of a date that is taken.
func (s sectionView) when(t clash) string {
	day, err := time.Parse(time.DateOnly, t.Day)
	if err != nil {
		return ""
	}
	words := s.Text.Day(day)
	if t.Time != "" {
		words += ", " + s.Text.Clock(t.Time)
	}
	return words + ":"
}

// finderTitle is the heading of the search: for a venue, or for another one.
func (s sectionView) finderTitle() string {
	if s.event.VenueUUID != "" {
		return s.Text.T("place.find_other")
	}
	return s.Text.T("place.find")
}

// addAddress is the page that adds a venue by the name that was searched for.
func (s sectionView) addAddress() string {
	query := url.Values{"base": {s.choice.Base}}
	if s.asked.Words != "" {
		query.Set("name", s.asked.Words)
	}
	return s.address("/new") + "?" + query.Encode()
}
