// Package document is the contract from the projectors to the query services: the documents of a
// read node's indexes, the names of their attributes, and the settings of each index as data.
package document

import (
	"encoding/json"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

// Date is one document of the index "dates": one date of a public event with everything that it is
// searched by and shown with. Entry is the answer as it stands; the other attributes are only
// searched, filtered and ordered by.
type Date struct {
	DateUUID string                   `json:"date_uuid"` // primary key
	Revision int64                    `json:"revision"`  // of the event's change
	Entry    Encoded[publicapi.Entry] `json:"entry"`
	// ChangedAt is that of the event's snapshot, see package change; "" when it is not known. Texts of
	// this form are in the order of their times.
	ChangedAt string `json:"changed_at,omitempty"`

	// The fields of Entry, see Show; absent where Entry has null or "".
	UUID          string   `json:"uuid"` // of the event
	OrgUUID       string   `json:"org_uuid,omitempty"`
	VenueUUID     string   `json:"venue_uuid,omitempty"`
	SpaceUUID     string   `json:"space_uuid,omitempty"`
	VenueCountry  string   `json:"venue_country,omitempty"`
	Categories    []int    `json:"categories"`
	Languages     []string `json:"languages"`
	Labels        []string `json:"labels"`
	ReleaseStatus string   `json:"release_status,omitempty"`
	PriceType     string   `json:"price_type,omitempty"`
	MinPrice      *float64 `json:"min_price,omitempty"`
	Currency      string   `json:"currency,omitempty"`
	Availability  string   `json:"availability,omitempty"`

	// The words of all languages are one text, those of the original first.
	TitleWords    string `json:"title_words"` // see Words
	SubtitleWords string `json:"subtitle_words,omitempty"`
	TextWords     string `json:"text_words,omitempty"` // of summary and description
	TagWords      string `json:"tag_words,omitempty"`
	VenueWords    string `json:"venue_words,omitempty"`

	// ContributorUUIDs are those of the contributors, and of others that were merged into them.
	ContributorUUIDs []string `json:"contributor_uuids,omitempty"`
	ContributorWords string   `json:"contributor_words,omitempty"` // Words of their names

	StartKey    int64 `json:"start_key"`              // 202611201930: date and time; 0000 when all-day
	StartDay    int   `json:"start_day"`              // 20261120
	EndDay      int   `json:"end_day"`                // of the end date, or of the start date without one
	StartMinute *int  `json:"start_minute,omitempty"` // of the day; absent when all-day
	EndsAt      int64 `json:"ends_at"`                // Unix seconds from which on it is over (RULES.md, Dates and places)

	TitleKey  []string `json:"title_key"` // see TextKeys; *_end: see TextEnd; absent when the text is
	TitleEnd  Texts    `json:"title_end"`
	VenueKey  []string `json:"venue_key,omitempty"`
	VenueEnd  string   `json:"venue_end,omitempty"`
	CityKey   []string `json:"city_key,omitempty"`
	CityEnd   string   `json:"city_end,omitempty"`
	PostalKey []string `json:"postal_key,omitempty"`
	PostalEnd string   `json:"postal_end,omitempty"`
	TagKeys   []string `json:"tag_keys"` // ExactKey of each tag

	// CitySpelling and TagSpellings are Spelling of the city and of each tag, to be counted by.
	CitySpelling string   `json:"city_spelling,omitempty"`
	TagSpellings []string `json:"tag_spellings"`

	SpaceType string `json:"space_type,omitempty"`
	TypeIDs   []int  `json:"type_ids"`  // distinct
	GenreIDs  []int  `json:"genre_ids"` // distinct, without 0

	// AgeFrom and AgeTo are set when at least one bound is configured; a missing bound is 0 or
	// MaxAge.
	AgeFrom *int `json:"age_from,omitempty"`
	AgeTo   *int `json:"age_to,omitempty"`

	// VariesIn and the Earlier attributes are what Relate sets. VariesIn names the attributes in which
	// the dates of the event differ besides their times; absent for none. The Earlier attributes are
	// those of the date of the event before this one; absent in the first.
	VariesIn        []string `json:"varies_in,omitempty"`
	EarlierStartDay *int     `json:"earlier_start_day,omitempty"`
	EarlierEndDay   *int     `json:"earlier_end_day,omitempty"`
	EarlierEndsAt   *int64   `json:"earlier_ends_at,omitempty"`

	Openings

	// AccessibilityBits are the bits of the space, or of the venue if the space has no flags or there
	// is no space (RULES.md, Dates and places); empty for an unset mask.
	AccessibilityBits []int `json:"accessibility_bits"`
	VisitorBits       []int `json:"visitor_bits"`

	// SeriesUUIDs are the series of the event, and SeriesUUID is the first of them, by which dates are
	// grouped. SeriesPartUUID is the part of one of them.
	SeriesUUIDs    []string `json:"series_uuids,omitempty"`
	SeriesUUID     string   `json:"series_uuid,omitempty"`
	SeriesPartUUID string   `json:"series_part_uuid,omitempty"`
}

// Show makes d the document of the date that entry shows: it sets Entry and the attributes that
// filters read of it as they are.
func (d *Date) Show(entry publicapi.Entry) {
	d.DateUUID, d.Entry.Value = entry.DateUUID, entry
	d.UUID, d.OrgUUID = entry.UUID, entry.OrgUUID
	d.VenueUUID, d.VenueCountry = string(entry.VenueUUID), entry.VenueCountry
	d.SpaceUUID = string(entry.SpaceUUID)
	d.Categories, d.Languages, d.Labels = entry.Categories, entry.Languages, entry.Labels
	d.ReleaseStatus = entry.ReleaseStatus
	d.PriceType, d.MinPrice, d.Currency = entry.PriceType, entry.MinPrice, entry.Currency
	d.SeriesUUIDs, d.SeriesUUID, d.SeriesPartUUID = entry.SeriesUUIDs, "", string(entry.SeriesPartUUID)
	if len(entry.SeriesUUIDs) > 0 {
		d.SeriesUUID = entry.SeriesUUIDs[0]
	}
	d.Availability = entry.Availability
}

// Texts are the values of an attribute: one for most documents, which is written as plain text.
type Texts []string

// MarshalJSON writes a single text as such, and none as "".
func (t Texts) MarshalJSON() ([]byte, error) {
	switch len(t) {
	case 0:
		return []byte(`""`), nil
	case 1:
		return value.JSON(t[0])
	default:
		return value.JSON([]string(t))
	}
}

// UnmarshalJSON reads both forms.
func (t *Texts) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '"' {
		return json.Unmarshal(data, (*[]string)(t))
	}
	*t = make(Texts, 1)
	return json.Unmarshal(data, &(*t)[0])
}

// MaxAge stands for "no upper age bound" in Date.AgeTo.
const MaxAge = 1000

// EntryAttributes are the attributes that a search retrieves: the one that holds the JSON of Entry.
var EntryAttributes = []string{"entry"}

// FormerEntryAttributes are the keys of Entry, in order. In the documents of Version 3 each is an
// attribute of its own.
var FormerEntryAttributes = keysOf(publicapi.Entry{})
