package adminapi

import (
	"time"

	"litfass/pkg/contracts/value"
)

// HeaderPart is the part written by PUT /event/{uuid}/header.
type HeaderPart struct {
	OrgUUID    string     `json:"org_uuid"` // another one moves the event
	Title      string     `json:"title"`
	Subtitle   value.Text `json:"subtitle"`
	SourceLink value.Text `json:"source_link"`
	VideoLink  value.Text `json:"video_link"` // of a host of VIDEO_HOSTS
}

// DescriptionPart is the part written by PUT /event/{uuid}/description: Markdown.
type DescriptionPart struct {
	Description value.Text `json:"description"`
}

// SummaryPart is the part written by PUT /event/{uuid}/summary: Markdown.
type SummaryPart struct {
	Summary value.Text `json:"summary"`
}

// TypesPart is the part written by PUT /event/{uuid}/types.
type TypesPart struct {
	Categories []int       `json:"categories"`
	EventTypes []EventType `json:"event_types"`
}

// EventType is a type with one of its genres; GenreID 0 means no genre.
type EventType struct {
	TypeID  int `json:"type_id"`
	GenreID int `json:"genre_id"`
}

// PlacePart is the part written by PUT /event/{uuid}/place.
type PlacePart struct {
	VenueUUID  value.Text `json:"venue_uuid"`
	SpaceUUID  value.Text `json:"space_uuid"`
	OnlineLink value.Text `json:"online_link"`
}

// TextsPart is the part written by PUT /event/{uuid}/texts: the language of the original texts, and
// their translations. A language of Texts that is absent from the body is left unchanged, as is an
// absent text of one; null removes it.
type TextsPart struct {
	TextLanguage value.Text `json:"text_language"` // null: not stated
	Texts        EventTexts `json:"texts"`
}

// EventTexts are the translations of the texts of an event by language.
type EventTexts map[string]EventText

// EventText is a translation: an absent text is that of the original.
type EventText struct {
	Title             value.Text           `json:"title,omitempty"`
	Subtitle          value.Text           `json:"subtitle,omitempty"`
	Summary           value.Text           `json:"summary,omitempty"`
	Description       value.Text           `json:"description,omitempty"`
	ParticipationInfo value.Text           `json:"participation_info,omitempty"`
	MeetingPoint      value.Text           `json:"meeting_point,omitempty"`
	StatusNote        value.Text           `json:"status_note,omitempty"`
	Images            map[string]ImageText `json:"images,omitempty"` // by the uuid of the image
	Dates             map[string]DateText  `json:"dates,omitempty"`  // by the uuid of the date
}

// DateText is the translation of the texts of a date.
type DateText struct {
	AccessibilityInfo value.Text `json:"accessibility_info,omitempty"`
	StatusNote        value.Text `json:"status_note,omitempty"`
}

// Fields returns the texts of a translation, but for those of images and dates, by their names in
// JSON.
func (t *EventText) Fields() map[string]*value.Text {
	return map[string]*value.Text{
		"title": &t.Title, "subtitle": &t.Subtitle, "summary": &t.Summary, "description": &t.Description,
		"participation_info": &t.ParticipationInfo, "meeting_point": &t.MeetingPoint, "status_note": &t.StatusNote,
	}
}

// ImageTexts returns the translations of the texts of images.
func (t *EventText) ImageTexts() *map[string]ImageText { return &t.Images }

// ImageText is the translation of the texts of an image.
type ImageText struct {
	AltText     value.Text `json:"alt_text,omitempty"`
	Description value.Text `json:"description,omitempty"`
}

// TagsPart is the part written by PUT /event/{uuid}/tags.
type TagsPart struct {
	Tags []string `json:"tags"`
}

// LanguagesPart is the part written by PUT /event/{uuid}/languages.
type LanguagesPart struct {
	Languages []string `json:"languages"`
}

// ParticipationPart is the part written by PUT /event/{uuid}/participation-infos: the audience and
// the prices of the event.
type ParticipationPart struct {
	ParticipationInfo value.Text  `json:"participation_info"`
	MeetingPoint      value.Text  `json:"meeting_point"`
	MinAge            *int        `json:"min_age"`
	MaxAge            *int        `json:"max_age"`
	MaxAttendees      *int        `json:"max_attendees"`
	PriceType         string      `json:"price_type"`
	MinPrice          *float64    `json:"min_price"`
	MaxPrice          *float64    `json:"max_price"`
	Currency          value.Text  `json:"currency"` // ISO 4217
	TicketFlags       []string    `json:"ticket_flags"`
	VisitorInfoFlags  *value.Mask `json:"visitor_info_flags"`
	Occasion          int         `json:"occasion"`
	Tariffs           []Tariff    `json:"tariffs"` // with them the prices above are derived
}

// Tariff is a price of an event or a date, or a range of prices, and for whom it is.
type Tariff struct {
	Name      string     `json:"name"`
	MinPrice  *float64   `json:"min_price"`
	MaxPrice  *float64   `json:"max_price"` // null: MinPrice is the price
	Currency  string     `json:"currency"`  // ISO 4217, the same for all tariffs of a list
	Condition value.Text `json:"condition"` // for whom, or when
}

// ReleasePart is the part written by PUT /event/{uuid}/release-status.
type ReleasePart struct {
	ReleaseStatus string     `json:"release_status"`
	ReleaseDate   *time.Time `json:"release_date"` // a released event is public from then on; null: at once
	StatusNote    value.Text `json:"status_note"`  // why it is cancelled, deferred or rescheduled; shown with these

	StatusChangedAt value.Text `json:"status_changed_at"` // set when the status of a public event changes
}
