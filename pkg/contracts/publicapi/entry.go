// Package publicapi is the contract from the query service to the programs of Litfass that read it:
// the JSON of its answers (RULES.md). The index holds the same JSON.
package publicapi

import (
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/value"
)

// Entry is one element of data.events of the event search (RULES.md, Entries), but for search_rank,
// which the query service adds. Every key but the last two is always present: absent text is "", an
// absent uuid, URL, number or mask is null, as are an absent end_date and end_time. The keys from
// end_date on are there beyond the interface (RULES.md, Entries).
type Entry struct {
	UUID                    string      `json:"uuid"`
	DateUUID                string      `json:"date_uuid"`
	DateSlug                string      `json:"date_slug"`
	Title                   string      `json:"title"`
	Subtitle                string      `json:"subtitle"`
	Summary                 string      `json:"summary"`
	StartDate               string      `json:"start_date"`
	StartTime               string      `json:"start_time"`
	AllDay                  bool        `json:"all_day"`
	SpaceUUID               value.Text  `json:"space_uuid"`
	SpaceName               string      `json:"space_name"`
	SpaceAccessibilityFlags *value.Mask `json:"space_accessibility_flags"`
	VenueUUID               value.Text  `json:"venue_uuid"`
	VenueName               string      `json:"venue_name"`
	VenueCity               string      `json:"venue_city"`
	VenueStreet             string      `json:"venue_street"`
	VenueHouseNumber        string      `json:"venue_house_number"`
	VenuePostalCode         string      `json:"venue_postal_code"`
	VenueState              string      `json:"venue_state"`
	VenueCountry            string      `json:"venue_country"`
	VenueLat                *float64    `json:"venue_lat"`
	VenueLon                *float64    `json:"venue_lon"`
	ImageUUID               value.Text  `json:"image_uuid"`
	ImagePath               value.Text  `json:"image_path"` // PUBLIC_URL + /api/image/ + uuid
	OrgUUID                 string      `json:"org_uuid"`
	OrgName                 string      `json:"org_name"`
	Categories              []int       `json:"categories"`
	EventTypes              []EventType `json:"event_types"`
	Languages               []string    `json:"languages"`
	Tags                    []string    `json:"tags"`
	MinAge                  *int        `json:"min_age"`
	MaxAge                  *int        `json:"max_age"`
	PriceType               string      `json:"price_type"`
	VisitorInfoFlags        *value.Mask `json:"visitor_info_flags"`
	ReleaseStatus           string      `json:"release_status"` // the effective one

	EndDate                 value.Text  `json:"end_date"`
	EndTime                 value.Text  `json:"end_time"`
	VenueAccessibilityFlags *value.Mask `json:"venue_accessibility_flags"`
	MinPrice                *float64    `json:"min_price"`
	MaxPrice                *float64    `json:"max_price"`
	Currency                string      `json:"currency"`
	VenueTimezone           string      `json:"venue_timezone"`
	OnlineLink              value.Text  `json:"online_link"`
	PageURL                 string      `json:"page_url"` // PUBLIC_URL + /event/ + uuid + ?date= + date_uuid
	ImageAltText            string      `json:"image_alt_text"`
	ImageLicense            value.Text  `json:"image_license"`
	ImageCreator            string      `json:"image_creator"`
	StatusNote              string      `json:"status_note"` // why the date does not take place as planned
	Labels                  []string    `json:"labels"`      // keys of the value set "labels"
	// SeriesUUIDs are the series of the event, the most important first, and SeriesPartUUID is the
	// part of one of them in which the date takes place; absent without.
	SeriesUUIDs    []string   `json:"series_uuids,omitempty"`
	SeriesPartUUID value.Text `json:"series_part_uuid,omitempty"`

	Hours hours.Hours `json:"hours"` // without end_date the date has no end
	Tickets
	Moved
	TextLanguage  string               `json:"text_language"`  // of the title; "" when it is not stated
	TextLanguages []string             `json:"text_languages"` // in which there are texts, that of the original first
	Texts         map[string]EntryText `json:"texts"`          // translations by language

	ImageAIGenerated bool `json:"image_ai_generated,omitempty"` // absent unless a model has made it
}

// Tickets are whether there are tickets for a date, and when they are sold. Times are local to its
// place, such as 2026-11-20T10:00.
type Tickets struct {
	Availability    string      `json:"availability"` // a key of the value set "availabilities"
	RemainingPlaces value.Count `json:"remaining_places"`
	OnSaleFrom      value.Text  `json:"on_sale_from"`
	OnSaleUntil     value.Text  `json:"on_sale_until"`
}

// Moved is what changed about a public date.
type Moved struct {
	PreviousStart   value.Text `json:"previous_start"`    // local; a day without a time when it was all-day
	StatusChangedAt value.Text `json:"status_changed_at"` // RFC 3339, UTC
}

// EventType is a type with one of its genres; GenreID 0 means no genre.
type EventType struct {
	TypeID  int `json:"type_id"`
	GenreID int `json:"genre_id"`
}
