package project

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

// place is where something happens: a venue and perhaps a space of it. Both nil: nowhere, for
// example online.
type place struct {
	venue *change.VenueOfEvent
	space *change.Space
	zone  string // in which its times are: of the venue, else that of the platform
}

// places are the venues and spaces of one event's snapshot.
type places struct {
	own    place  // of the event itself
	zone   string // of the platform
	venues map[value.Text]*change.VenueOfEvent
	spaces map[value.Text]*change.Space
}

func (p Projector) placesOf(e change.Event) (places, error) {
	all := places{
		zone:   p.zone,
		venues: make(map[value.Text]*change.VenueOfEvent, len(e.Venues)),
		spaces: make(map[value.Text]*change.Space, len(e.Spaces)),
	}
	for i := range e.Venues {
		all.venues[value.Text(e.Venues[i].UUID)] = &e.Venues[i]
	}
	for i := range e.Spaces {
		all.spaces[value.Text(e.Spaces[i].UUID)] = &e.Spaces[i]
	}
	var err error
	all.own, err = all.find(e.VenueUUID, e.SpaceUUID)
	return all, err
}

// ofDate returns the effective place of a date: with a venue of its own it uses its own space or
// none, else it takes the event's venue and space (RULES.md, Dates and places).
func (p places) ofDate(d change.Date) (place, error) {
	if d.VenueUUID == "" {
		return p.own, nil
	}
	where, err := p.find(d.VenueUUID, d.SpaceUUID)
	if err != nil {
		return where, fmt.Errorf("date %s: %w", d.UUID, err)
	}
	return where, nil
}

func (p places) find(venue, space value.Text) (found place, err error) {
	found.zone = p.zone
	if venue != "" {
		if found.venue = p.venues[venue]; found.venue == nil {
			return found, fmt.Errorf("venue %s is missing", venue)
		}
		found.zone = cmp.Or(string(found.venue.Timezone), p.zone)
	}
	if space != "" {
		if found.space = p.spaces[space]; found.space == nil {
			return found, fmt.Errorf("space %s is missing", space)
		}
	}
	return found, nil
}

// locations are the time zones by name, which are expensive to load.
var locations sync.Map

// location returns the first of the time zones whose name is known, else UTC.
func location(names ...string) *time.Location {
	for _, name := range names {
		if zone, known := locations.Load(name); known {
			return zone.(*time.Location) //nolint:forcetypeassert // nothing else is stored
		}
		if name == "" || name == time.Local.String() { // the latter would be the zone of this machine
			continue
		}
		if zone, err := time.LoadLocation(name); err == nil {
			locations.Store(name, zone)
			return zone
		}
	}
	return time.UTC
}

func (p place) view() publicapi.Place {
	view := publicapi.Place{VenueTimezone: p.zone}
	if v := p.venue; v != nil {
		view.VenueUUID = value.Text(v.UUID)
		view.VenueName = v.Name
		view.VenueStreet = string(v.Street)
		view.VenueHouseNumber = string(v.HouseNumber)
		view.VenuePostalCode = string(v.PostalCode)
		view.VenueCity = string(v.City)
		view.VenueState = string(v.State)
		view.VenueCountry = string(v.Country)
		view.VenueLat, view.VenueLon = coordinate(v.Lat), coordinate(v.Lon)
		view.VenueWebLink = v.WebLink
		view.VenueAccessibilityFlags = v.AccessibilityFlags
		view.VenueWikidataID, view.VenueOSMID = v.WikidataID, v.OSMID
	}
	if s := p.space; s != nil {
		view.SpaceUUID = value.Text(s.UUID)
		view.SpaceName = s.Name
		view.SpaceType = string(s.SpaceType)
		view.SpaceBuildingLevel = s.BuildingLevel
		view.SpaceTotalCapacity = s.TotalCapacity
		view.SpaceSeatingCapacity = s.SeatingCapacity
		view.SpaceWebLink = s.WebLink
		view.SpaceAccessibilityFlags = s.AccessibilityFlags
		view.SpaceAccessibilitySummary = string(s.AccessibilitySummary)
	}
	return view
}

// show writes the place into the entry of a date.
func (p place) show(e *publicapi.Entry) {
	e.VenueTimezone = p.zone
	if v := p.venue; v != nil {
		e.VenueUUID = value.Text(v.UUID)
		e.VenueName = v.Name
		e.VenueStreet = string(v.Street)
		e.VenueHouseNumber = string(v.HouseNumber)
		e.VenuePostalCode = string(v.PostalCode)
		e.VenueCity = string(v.City)
		e.VenueState = string(v.State)
		e.VenueCountry = string(v.Country)
		e.VenueLat, e.VenueLon = coordinate(v.Lat), coordinate(v.Lon)
		e.VenueAccessibilityFlags = v.AccessibilityFlags
	}
	if s := p.space; s != nil {
		e.SpaceUUID = value.Text(s.UUID)
		e.SpaceName = s.Name
		e.SpaceAccessibilityFlags = s.AccessibilityFlags
	}
}

// fill writes the attributes by which a date is searched at its place into the date's document.
func (p place) fill(d *document.Date) {
	d.AccessibilityBits = bits(p.accessibility())
	if v := p.venue; v != nil {
		d.VenueWords = document.Words(v.Name)
		d.VenueKey, d.VenueEnd = document.TextKeys(v.Name), document.TextEnd(v.Name)
		d.CityKey, d.CityEnd = document.TextKeys(string(v.City)), document.TextEnd(string(v.City))
		d.CitySpelling = document.Spelling(string(v.City))
		d.PostalKey, d.PostalEnd = document.TextKeys(string(v.PostalCode)), document.TextEnd(string(v.PostalCode))
	}
	if s := p.space; s != nil {
		d.SpaceType = string(s.SpaceType)
	}
}

// accessibility returns the flags that the place is found by: its space's own ones, else its
// venue's (RULES.md, Dates and places).
func (p place) accessibility() *value.Mask {
	switch {
	case p.space != nil && p.space.AccessibilityFlags != nil:
		return p.space.AccessibilityFlags
	case p.venue != nil:
		return p.venue.AccessibilityFlags
	default:
		return nil
	}
}
