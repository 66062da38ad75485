package publicapi

import (
	"encoding/json"

	"litfass/pkg/contracts/value"
)

// Keyed is an item of a value set in the form of the aliases (RULES.md, Aliases).
type Keyed struct {
	ID          string `json:"id"`  // the key again
	Key         string `json:"key"` // as a field holds it
	Name        string `json:"name"`
	Description string `json:"description"` // "": items have none
}

// NamesByLanguage are the names of keys.
type NamesByLanguage struct {
	I18n  map[string]map[string]string `json:"i18n"`  // by language and key
	Order []string                     `json:"order"` // of the keys
}

// CodedState is a state with regions; a code that is not known is "".
type CodedState struct {
	CountryCode string `json:"country_code"`
	Code        string `json:"code"`
	Name        string `json:"name"`
	Slug        string `json:"slug"`
}

// CodedRegion is a region; its code is "", as regions have none.
type CodedRegion struct {
	Code string `json:"code"`
	Name string `json:"name"`
	Slug string `json:"slug"`
}

// RegionOfState is a region with its state and its country; a code that is not known is "".
type RegionOfState struct {
	Country CodedRegion `json:"country"`
	State   CodedRegion `json:"state"`
	Region  CodedRegion `json:"region"`
}

// Week is seven days of the event search.
type Week struct {
	Days []DayOfWeek `json:"days"`
}

// DayOfWeek is the first dates that start on a day, each a Listed, and the number of all others.
type DayOfWeek struct {
	EventDay  string            `json:"event_day"`
	Events    []json.RawMessage `json:"events"`
	MoreCount int               `json:"more_count"`
}

// VenueSummary is the number of dates at each venue, by the name of the venue.
type VenueSummary struct {
	Venues []VenueCount `json:"venue-summary"`
}

// VenueCount is a venue with a number of dates.
type VenueCount struct {
	VenueUUID string `json:"venue_uuid"`
	VenueName string `json:"venue_name"`
	DateCount int    `json:"date_count"`
}

// Places are venues on a map, a FeatureCollection (RFC 7946).
type Places struct {
	Type     string         `json:"type"`
	Features []PlaceFeature `json:"features"`
}

// PlaceFeature is one venue on a map.
type PlaceFeature struct {
	Type     string     `json:"type"`
	ID       string     `json:"id"`
	Geometry PlacePoint `json:"geometry"`
	// Properties are a PlaceOfVenue or a PlaceOfEvents.
	Properties any `json:"properties"`
}

// PlacePoint is longitude and latitude.
type PlacePoint struct {
	Type        string     `json:"type"`
	Coordinates [2]float64 `json:"coordinates"`
}

// PlaceOfVenue are the properties of a venue.
type PlaceOfVenue struct {
	UUID        string     `json:"uuid"`
	Name        string     `json:"name"`
	Street      string     `json:"street"`
	HouseNumber string     `json:"house_number"`
	City        string     `json:"city"`
	Country     string     `json:"country"`
	Scope       string     `json:"scope"` // ScopeOfVenues
	WebLink     value.Text `json:"web_link"`
}

// ScopeOfVenues is the scope of all venues: each belongs to an organization.
const ScopeOfVenues = "organization"

// PlaceOfEvents are the properties of a venue with a number of dates.
type PlaceOfEvents struct {
	UUID       string `json:"uuid"`
	Name       string `json:"name"`
	City       string `json:"city"`
	Country    string `json:"country"`
	EventCount int    `json:"event_count"` // dates, as total_event_count
}

// NewPlaces returns no places.
func NewPlaces() Places { return Places{Type: "FeatureCollection", Features: []PlaceFeature{}} }

// Add adds a venue that has a point.
func (p *Places) Add(v Venue, properties any) {
	if v.Lat == nil || v.Lon == nil {
		return
	}
	point := PlacePoint{Type: "Point", Coordinates: [2]float64{*v.Lon, *v.Lat}}
	p.Features = append(p.Features, PlaceFeature{Type: "Feature", ID: v.UUID, Geometry: point, Properties: properties})
}
