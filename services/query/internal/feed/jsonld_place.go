package feed

import (
	"cmp"
	"encoding/json"

	"golang.org/x/text/language"
)

// The part of the schema.org vocabulary that describes places.
type (
	place struct {
		Type    string       `json:"@type"`
		Name    string       `json:"name"`
		URL     string       `json:"url,omitempty"`
		SameAs  addresses    `json:"sameAs,omitempty"`
		Address *address     `json:"address,omitempty"`
		Geo     *coordinates `json:"geo,omitempty"`
	}
	virtualLocation struct {
		Type string `json:"@type"`
		URL  string `json:"url"`
	}
	address struct {
		Type     string `json:"@type"`
		Street   string `json:"streetAddress,omitempty"`
		Postal   string `json:"postalCode,omitempty"`
		Locality string `json:"addressLocality,omitempty"`
		Region   string `json:"addressRegion,omitempty"`
		Country  string `json:"addressCountry,omitempty"` // ISO 3166-1 alpha-2
	}
	coordinates struct {
		Type string  `json:"@type"`
		Lat  float64 `json:"latitude"`
		Lon  float64 `json:"longitude"`
	}
)

// addresses are links; a single one is no list.
type addresses []string

// MarshalJSON writes the addresses.
func (l addresses) MarshalJSON() ([]byte, error) {
	if len(l) == 1 {
		return json.Marshal(l[0])
	}
	return json.Marshal([]string(l))
}

// onlineOnly is the visitor information bit of online events (RULES.md, Flags).
const onlineOnly = 14

// attendance returns the attendance mode with its locations. A venue is left out only where the
// date is only online and a link says where: without one, the venue is the only location. Where
// neither is known, the page of the date or the organizer stands for it.
func (i Item) attendance(s Site) (mode string, locations []any) {
	link := link(i.OnlineLink)
	flagged := i.VisitorInfoFlags != nil && *i.VisitorInfoFlags>>onlineOnly&1 == 1
	present := i.VenueUUID != "" && (!flagged || link == "")
	if present {
		locations = append(locations, i.location(s))
	}
	if link != "" {
		locations = append(locations, virtualLocation{Type: "VirtualLocation", URL: link})
	}
	if len(locations) == 0 && flagged {
		locations = append(locations, virtualLocation{Type: "VirtualLocation", URL: i.page(s)})
	} else if len(locations) == 0 {
		locations = append(locations, place{Type: "Place", Name: cmp.Or(line(i.OrgName), line(i.Title))})
	}
	switch online := link != "" || flagged; {
	case present && online:
		mode = "MixedEventAttendanceMode"
	case online:
		mode = "OnlineEventAttendanceMode"
	default:
		mode = "OfflineEventAttendanceMode"
	}
	return vocabulary + mode, locations
}

func (i Item) location(s Site) place {
	p := place{Type: "Place", Name: i.venue(), URL: s.URL + "/venue/" + string(i.VenueUUID), Address: &address{
		Type: "PostalAddress", Street: i.street(), Postal: line(i.VenuePostalCode), Locality: line(i.VenueCity),
		Region: line(i.VenueState), Country: twoLetters(i.VenueCountry),
	}}
	if i.VenueLat != nil && i.VenueLon != nil {
		p.Geo = &coordinates{Type: "GeoCoordinates", Lat: *i.VenueLat, Lon: *i.VenueLon}
	}
	if i.Details != nil {
		if web := link(i.Details.VenueWebLink); web != "" {
			p.SameAs = addresses{web}
		}
		p.SameAs = append(p.SameAs, i.Details.VenuePages...)
	}
	return p
}

// twoLetters returns the code of two letters of a country that is given by three.
func twoLetters(country string) string {
	region, err := language.ParseRegion(country)
	if err != nil {
		return country
	}
	return region.String()
}
