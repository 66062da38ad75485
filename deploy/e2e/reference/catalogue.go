// Package reference computes the answers of the public search in the plainest way: it holds a
// catalogue in the terms of the catalog file and looks at every date for every question. It follows
// only the interface and its decisions and shares no code with the services, so that a mistake of
// theirs cannot hide here.
package reference

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// Catalogue is the content of one catalog file, in the order in which it is written (RULES.md,
// Catalogue file).
type Catalogue struct {
	Regions       []*Region
	Organizations []*Organization
	Venues        []*Venue
	Spaces        []*Space
	Labels        []*Label
	Series        []*Series
	Contributors  []*Contributor
	Events        []*Event
	Portals       []*Portal
	Lists         []*List
}

// Text is text that may be absent: empty means absent and is written as null.
type Text string

// MarshalJSON writes null for absent text.
func (t Text) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(t))
}

// Mask is a 64-bit mask, written as a decimal string; a nil *Mask is unset and written as null.
type Mask uint64

// MarshalJSON writes the mask as a decimal string.
func (m Mask) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%q", fmt.Sprint(uint64(m))), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Mask) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	mask, err := strconv.ParseUint(text, 10, 64)
	*m = Mask(mask)
	return err
}

// Has reports whether bit is set. An unset mask has no bit.
func (m *Mask) Has(bit int) bool { return m != nil && uint64(*m)>>bit&1 == 1 }

// Region is a line of kind "region". Geometry is GeoJSON: a Polygon or a MultiPolygon, longitude
// before latitude.
type Region struct {
	CountrySlug string   `json:"country_slug"`
	StateSlug   string   `json:"state_slug"`
	RegionSlug  string   `json:"region_slug"`
	Name        string   `json:"name"`
	Geometry    Geometry `json:"geometry"`
}

// Organization is a line of kind "organization".
type Organization struct {
	UUID        string `json:"uuid"`
	Name        string `json:"name"`
	Description Text   `json:"description"`
	WebLink     Text   `json:"web_link"`
	City        Text   `json:"city"`
	Country     Text   `json:"country"`

	ContactEmail Text `json:"contact_email"`
	ContactPhone Text `json:"contact_phone"`
}

// Venue is a line of kind "venue".
type Venue struct {
	UUID               string   `json:"uuid"`
	OrgUUID            string   `json:"org_uuid"`
	Name               string   `json:"name"`
	Description        Text     `json:"description"`
	Street             Text     `json:"street"`
	HouseNumber        Text     `json:"house_number"`
	PostalCode         Text     `json:"postal_code"`
	City               Text     `json:"city"`
	State              Text     `json:"state"`
	Country            Text     `json:"country"`
	Lat                *float64 `json:"lat"`
	Lon                *float64 `json:"lon"`
	Timezone           Text     `json:"timezone"`
	AccessibilityFlags *Mask    `json:"accessibility_flags"`
	Hours              *Hours   `json:"hours"`
	WikidataID         Text     `json:"wikidata_id"`
	OSMID              Text     `json:"osm_id"`
}

// Space is a line of kind "space".
type Space struct {
	UUID               string `json:"uuid"`
	VenueUUID          string `json:"venue_uuid"`
	Name               string `json:"name"`
	SpaceType          Text   `json:"space_type"`
	AccessibilityFlags *Mask  `json:"accessibility_flags"`
}

// Label is a line of kind "label".
type Label struct {
	Key   string            `json:"key"`
	Names map[string]string `json:"names"`
}

// Contributor is a line of kind "contributor".
type Contributor struct {
	UUID        string   `json:"uuid"`
	OrgUUID     Text     `json:"org_uuid"`
	Type        string   `json:"type"`
	Name        string   `json:"name"`
	Note        Text     `json:"note"`
	Description Text     `json:"description"`
	WebLink     Text     `json:"web_link"`
	Wikidata    Text     `json:"wikidata"`
	FormerUUIDs []string `json:"former_uuids"`
}

// Participant is a contributor of an event in a role.
type Participant struct {
	UUID string `json:"uuid"`
	Role string `json:"role"`
}

// Event is a line of kind "event".
type Event struct {
	UUID             string      `json:"uuid"`
	OrgUUID          string      `json:"org_uuid"`
	VenueUUID        Text        `json:"venue_uuid"`
	SpaceUUID        Text        `json:"space_uuid"`
	Title            string      `json:"title"`
	Subtitle         Text        `json:"subtitle"`
	Summary          Text        `json:"summary"`
	Description      Text        `json:"description"`
	Categories       []int       `json:"categories"`
	EventTypes       []EventType `json:"event_types"`
	Languages        []string    `json:"languages"`
	Tags             []string    `json:"tags"`
	Labels           []string    `json:"labels"`
	MinAge           *int        `json:"min_age"`
	MaxAge           *int        `json:"max_age"`
	PriceType        string      `json:"price_type"`
	MinPrice         *float64    `json:"min_price"`
	MaxPrice         *float64    `json:"max_price"`
	Currency         Text        `json:"currency"`
	VisitorInfoFlags *Mask       `json:"visitor_info_flags"`
	OnlineLink       Text        `json:"online_link"`
	ReleaseStatus    string      `json:"release_status"`
	ReleaseDate      Text        `json:"release_date"` // RFC 3339
	StatusNote       Text        `json:"status_note"`
	StatusChangedAt  Text        `json:"status_changed_at"`
	Tariffs          []Tariff    `json:"tariffs"`
	EventLinks       []EventLink `json:"event_links"`
	Images           []Image     `json:"images"`
	Dates            []*Date     `json:"dates"`
	Series           []Member    `json:"series"`

	TextLanguage Text                   `json:"text_language"` // of the texts above; absent: not stated
	Texts        map[string]Translation `json:"texts"`         // translations of them by language
	Contributors []Participant          `json:"contributors"`
	VideoLink    Text                   `json:"video_link"`
}

// Translation are the texts of an event in another language; an absent one is that of the original.
type Translation struct {
	Title       Text                        `json:"title,omitempty"`
	Subtitle    Text                        `json:"subtitle,omitempty"`
	Summary     Text                        `json:"summary,omitempty"`
	Description Text                        `json:"description,omitempty"`
	StatusNote  Text                        `json:"status_note,omitempty"`
	Images      map[string]ImageTranslation `json:"images,omitempty"` // by the uuid of the image
	Dates       map[string]DateTranslation  `json:"dates,omitempty"`  // by the uuid of the date
}

// DateTranslation are the texts of a date in another language.
type DateTranslation struct {
	AccessibilityInfo Text `json:"accessibility_info,omitempty"`
	StatusNote        Text `json:"status_note,omitempty"`
}

// ImageTranslation are the texts of an image in another language.
type ImageTranslation struct {
	AltText     Text `json:"alt_text,omitempty"`
	Description Text `json:"description,omitempty"`
}

// EventType is a type with one of its genres; GenreID 0 means no genre.
type EventType struct {
	TypeID  int `json:"type_id"`
	GenreID int `json:"genre_id"`
}

// Tariff is a price of an event or a date.
type Tariff struct {
	Name      string   `json:"name"`
	MinPrice  float64  `json:"min_price"`
	MaxPrice  *float64 `json:"max_price"`
	Currency  string   `json:"currency"`
	Condition Text     `json:"condition"`
}

// EventLink is a link of an event.
type EventLink struct {
	Type  string `json:"type"`
	Label Text   `json:"label"`
	URL   string `json:"url"`
}

// Image is the metadata of an image of an event.
type Image struct {
	UUID        string   `json:"uuid"`
	Identifier  string   `json:"identifier"`
	MimeType    string   `json:"mime_type"`
	Width       int      `json:"width"`
	Height      int      `json:"height"`
	AltText     Text     `json:"alt_text"`
	Description Text     `json:"description"`
	License     Text     `json:"license"`
	CreatorName Text     `json:"creator_name"`
	Copyright   Text     `json:"copyright"`
	FocusX      *float64 `json:"focus_x"`
	FocusY      *float64 `json:"focus_y"`
	AIGenerated bool     `json:"ai_generated"`
}

// Date is one date of an event.
type Date struct {
	UUID          string `json:"uuid"`
	StartDate     string `json:"start_date"`
	StartTime     Text   `json:"start_time"` // absent when all-day
	EndDate       Text   `json:"end_date"`
	EndTime       Text   `json:"end_time"`
	AllDay        bool   `json:"all_day"`
	VenueUUID     Text   `json:"venue_uuid"`
	SpaceUUID     Text   `json:"space_uuid"`
	ReleaseStatus string `json:"release_status"`
	StatusNote    Text   `json:"status_note"`
	SeriesPart    Text   `json:"series_part_uuid"`
	Hours         *Hours `json:"hours"`

	Availability    Text `json:"availability"`
	RemainingPlaces *int `json:"remaining_places"`
	OnSaleFrom      Text `json:"on_sale_from"`
	OnSaleUntil     Text `json:"on_sale_until"`
	PreviousStart   Text `json:"previous_start"`
	StatusChangedAt Text `json:"status_changed_at"`

	AccessibilityInfo Text     `json:"accessibility_info"`
	Tariffs           []Tariff `json:"tariffs"` // in place of those of the event
}

// Write writes the catalogue as a catalog file: JSON Lines, references before use.
func (c *Catalogue) Write(w io.Writer) error {
	for _, write := range []func(io.Writer) error{
		func(w io.Writer) error { return writeLines(w, "region", c.Regions) },
		func(w io.Writer) error { return writeLines(w, "organization", c.Organizations) },
		func(w io.Writer) error { return writeLines(w, "venue", c.Venues) },
		func(w io.Writer) error { return writeLines(w, "space", c.Spaces) },
		func(w io.Writer) error { return writeLines(w, "label", c.Labels) },
		func(w io.Writer) error { return writeLines(w, "series", c.Series) },
		func(w io.Writer) error { return writeLines(w, "contributor", c.Contributors) },
		func(w io.Writer) error { return writeLines(w, "event", c.Events) },
		func(w io.Writer) error { return writeLines(w, "portal", c.Portals) },
		func(w io.Writer) error { return writeLines(w, "list", c.Lists) },
	} {
		if err := write(w); err != nil {
			return err
		}
	}
	return nil
}

// Lines returns the number of lines that Write writes.
func (c *Catalogue) Lines() int {
	return len(c.Regions) + len(c.Organizations) + len(c.Venues) + len(c.Spaces) + len(c.Labels) + len(c.Series) + len(c.Contributors) + len(c.Events) + len(c.Portals) + len(c.Lists)
}

// writeLines writes each entity as one line that begins with its kind.
func writeLines[T any](w io.Writer, kind string, entities []T) error {
	for _, entity := range entities {
		object, err := json.Marshal(entity)
		if err != nil {
			return fmt.Errorf("write %s: %w", kind, err)
		}
		if _, err := fmt.Fprintf(w, "{\"kind\":%q,%s\n", kind, object[1:]); err != nil {
			return fmt.Errorf("write %s: %w", kind, err)
		}
	}
	return nil
}
