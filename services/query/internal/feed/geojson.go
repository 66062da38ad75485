package feed

import (
	"encoding/json"
	"fmt"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

// collection is a FeatureCollection (RFC 7946) with links, as OGC API Features has them.
type collection struct {
	Type     string    `json:"type"`
	Features []feature `json:"features"`
	Links    []geoLink `json:"links"`
}

type feature struct {
	Type       string    `json:"type"`
	ID         string    `json:"id"`
	Geometry   *geometry `json:"geometry"` // null where the point is not known
	Properties any       `json:"properties"`
}

type geometry struct {
	Type        string     `json:"type"`
	Coordinates [2]float64 `json:"coordinates"` // longitude, latitude
}

type geoLink struct {
	Rel  string `json:"rel"`
	Type string `json:"type"`
	Href string `json:"href"`
}

// dateProperties are the properties of a date on a map.
type dateProperties struct {
	EventUUID     string     `json:"event_uuid"`
	Title         string     `json:"title"`
	StartDate     string     `json:"start_date"`
	StartTime     string     `json:"start_time"`
	EndDate       value.Text `json:"end_date"`
	EndTime       value.Text `json:"end_time"`
	AllDay        bool       `json:"all_day"`
	ReleaseStatus string     `json:"release_status"`
	VenueUUID     value.Text `json:"venue_uuid"`
	VenueName     string     `json:"venue_name"`
	VenueCity     string     `json:"venue_city"`
	URL           string     `json:"url"`
}

// venueProperties are the properties of a venue on a map.
type venueProperties struct {
	Name       string `json:"name"`
	Street     string `json:"street"`
	PostalCode string `json:"postal_code"`
	City       string `json:"city"`
	Country    string `json:"country"`
	URL        string `json:"url"`
}

// GeoJSON writes a point for each date, at its venue, and a link to the next page.
func GeoJSON(f Feed) ([]byte, error) {
	items, err := f.timed()
	if err != nil {
		return nil, err
	}
	features := make([]feature, len(items))
	for n, i := range items {
		features[n] = feature{Type: "Feature", ID: i.DateUUID, Geometry: point(i.VenueLat, i.VenueLon), Properties: dateProperties{
			EventUUID: i.UUID, Title: line(i.Title), StartDate: i.StartDate, StartTime: i.StartTime, EndDate: i.EndDate,
			EndTime: i.EndTime, AllDay: i.AllDay, ReleaseStatus: i.ReleaseStatus, VenueUUID: i.VenueUUID,
			VenueName: line(i.VenueName), VenueCity: line(i.VenueCity), URL: i.page(f.Site),
		}}
	}
	return f.features(features)
}

// Venue writes the point of a venue, given by its view, as a feature of a collection.
func Venue(site Site, view []byte) ([]byte, error) {
	var v publicapi.Venue
	if err := json.Unmarshal(view, &v); err != nil {
		return nil, fmt.Errorf("decode a venue: %w", err)
	}
	return json.Marshal(feature{Type: "Feature", ID: v.UUID, Geometry: point(v.Lat, v.Lon), Properties: venueProperties{
		Name: line(v.Name), Street: joined(" ", line(v.Street), line(v.HouseNumber)), PostalCode: line(v.PostalCode),
		City: line(v.City), Country: v.Country, URL: site.URL + "/venue/" + v.UUID,
	}})
}

// Frame writes the parts of a collection before and after its features, with a link to the next
// page. The items of the feed do not count.
func Frame(f Feed) (head, tail []byte) {
	const start = `{"type":"FeatureCollection","features":[`
	empty, err := f.features([]feature{})
	if err != nil {
		panic(err) // plain strings always encode
	}
	return empty[:len(start)], empty[len(start):]
}

func (f Feed) features(features []feature) ([]byte, error) {
	document := collection{Type: "FeatureCollection", Features: features, Links: []geoLink{
		{Rel: "self", Type: ContentTypeGeoJSON, Href: f.Self}, {Rel: "alternate", Type: "text/html", Href: f.Page},
	}}
	if f.Next != "" {
		document.Links = append(document.Links, geoLink{Rel: "next", Type: ContentTypeGeoJSON, Href: f.Next})
	}
	return json.Marshal(document)
}

func point(lat, lon *float64) *geometry {
	if lat == nil || lon == nil {
		return nil
	}
	return &geometry{Type: "Point", Coordinates: [2]float64{*lon, *lat}}
}
