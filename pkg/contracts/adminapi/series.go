package adminapi

import (
	"time"

	"litfass/pkg/contracts/value"
)

// The maximum numbers of parts of a series, and of series of an event.
const (
	MaxSeriesParts   = 100
	MaxSeriesOfEvent = 5
)

// MaxPartTexts is how many characters the titles and descriptions of the parts of a series have
// together at most: answers have all of them, and read nodes read those of all series.
const MaxPartTexts = 20_000

// Series is a festival, a run or a programme to which events belong, with everything that can be
// written.
type Series struct {
	UUID    string `json:"uuid"`
	OrgUUID string `json:"org_uuid"`
	// Slug names it in addresses.
	Slug        string     `json:"slug"`
	Title       string     `json:"title"`
	Subtitle    value.Text `json:"subtitle"`
	Description value.Text `json:"description"` // Markdown
	WebLink     value.Text `json:"web_link"`
	StartDate   value.Text `json:"start_date"` // null: that of its first date
	EndDate     value.Text `json:"end_date"`
	Public      bool       `json:"public"`
	// Parts are in the order in which they are shown.
	Parts []SeriesPart `json:"parts"`
	// Image is "main"; null without one. Bodies do not write it: it has operations of its own.
	Image *Image `json:"image"`

	TextLanguage value.Text  `json:"text_language"` // of the texts above but those of parts; null: not stated
	Texts        SeriesTexts `json:"texts"`         // translations of them
}

// SeriesTexts are the translations of the texts of a series by language. They are merged like
// TextsPart.
type SeriesTexts map[string]SeriesText

// SeriesText is a translation: an absent text is that of the original.
type SeriesText struct {
	Title       value.Text           `json:"title,omitempty"`
	Subtitle    value.Text           `json:"subtitle,omitempty"`
	Description value.Text           `json:"description,omitempty"`
	Images      map[string]ImageText `json:"images,omitempty"` // by the uuid of the image
}

// Fields returns the texts of a translation, but for those of images, by their names in JSON.
func (t *SeriesText) Fields() map[string]*value.Text {
	return map[string]*value.Text{"title": &t.Title, "subtitle": &t.Subtitle, "description": &t.Description}
}

// ImageTexts returns the translations of the texts of images.
func (t *SeriesText) ImageTexts() *map[string]ImageText { return &t.Images }

// SeriesPart is a stage or a day of a series, which dates name. One without a UUID gets the UUID of
// the stored part of the same kind and title, or a new one.
type SeriesPart struct {
	UUID        string     `json:"uuid"`
	Kind        string     `json:"kind"` // one of SeriesPartKinds; "" reads as stage
	Title       string     `json:"title"`
	Description value.Text `json:"description"`
}

// The kinds of parts of a series.
const (
	SeriesStage = "stage"
	SeriesDay   = "day"
	SeriesOther = "other"
)

// SeriesPartKinds lists the kinds of parts.
var SeriesPartKinds = []string{SeriesStage, SeriesDay, SeriesOther}

// The states of an event in a series.
const (
	SeriesAsked    = "asked"    // the organization of the series has not decided
	SeriesAccepted = "accepted" // the event belongs to the series
	SeriesRefused  = "refused"
)

// SeriesStates lists the states of an event in a series.
var SeriesStates = []string{SeriesAsked, SeriesAccepted, SeriesRefused}

// EventSeries is a series that an event asks to belong to. In bodies the state is ignored: the
// organization of the series decides.
type EventSeries struct {
	SeriesUUID string `json:"series_uuid"`
	State      string `json:"state"`
}

// SeriesOfEventPart is the part of an event with its series, the most important first.
type SeriesOfEventPart struct {
	Series []EventSeries `json:"series"`
}

// WrittenSeries is the answer to adding or changing a series.
type WrittenSeries struct {
	Done
	Series
}

// SeriesPage is a page of series by title, then uuid.
type SeriesPage struct {
	Series []SeriesRow `json:"series"`
	Page
}

// SeriesRow is a series among others.
type SeriesRow struct {
	UUID    string `json:"uuid"`
	OrgUUID string `json:"org_uuid"`
	OrgName string `json:"org_name"`
	Slug    string `json:"slug"`
	Title   string `json:"title"`
	Public  bool   `json:"public"`
	Events  int    `json:"event_count"` // that belong to it
	Asked   int    `json:"asked_count"` // that wait for a decision
	MayEdit bool   `json:"may_edit"`    // whether the caller may change it, and decide on its events
}

// ChoosableSeries are series that an event may ask to belong to, by title.
type ChoosableSeries struct {
	Series []SeriesChoice `json:"series"`
}

// SeriesChoice is a series with its parts.
type SeriesChoice struct {
	UUID    string       `json:"uuid"`
	OrgUUID string       `json:"org_uuid"`
	OrgName string       `json:"org_name"`
	Title   string       `json:"title"`
	Parts   []SeriesPart `json:"parts"`
}

// SeriesEvents is a page of the events of a series: those that wait for a decision first, then by
// their first date.
type SeriesEvents struct {
	Events []SeriesEvent `json:"events"`
	Page
}

// SeriesEvent is an event of a series as the organization of the series sees it.
type SeriesEvent struct {
	EventUUID string     `json:"event_uuid"`
	Title     string     `json:"title"`
	OrgUUID   string     `json:"org_uuid"`
	OrgName   string     `json:"org_name"`
	State     string     `json:"state"`
	Public    bool       `json:"public"`
	StartDate value.Text `json:"start_date"` // of its first date; null without dates
	Dates     int        `json:"date_count"`
	AskedAt   time.Time  `json:"asked_at"`
	DecidedAt *time.Time `json:"decided_at"`
}

// WrittenSeriesEvent is the answer to a decision.
type WrittenSeriesEvent struct {
	Done
	SeriesUUID string `json:"series_uuid"`
	EventUUID  string `json:"event_uuid"`
	State      string `json:"state"`
}
