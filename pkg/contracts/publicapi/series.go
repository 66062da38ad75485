package publicapi

import "litfass/pkg/contracts/value"

// Series is a festival, a run or a programme to which events of several organizations may belong.
type Series struct {
	UUID        string       `json:"uuid"`
	Slug        string       `json:"slug"`
	OrgUUID     string       `json:"org_uuid"`
	OrgName     string       `json:"org_name"`
	OrgWebLink  value.Text   `json:"org_web_link"`
	Title       string       `json:"title"`
	Subtitle    string       `json:"subtitle"`
	Description string       `json:"description"` // Markdown
	WebLink     value.Text   `json:"web_link"`
	StartDate   value.Text   `json:"start_date"` // null in the index: that of its first date
	EndDate     value.Text   `json:"end_date"`
	Parts       []SeriesPart `json:"parts"` // in order
	Image       *Image       `json:"image"` // null without one

	TextLanguage  string                `json:"text_language"`  // of the title; "" when it is not stated
	TextLanguages []string              `json:"text_languages"` // in which there are texts, that of the original first
	Texts         map[string]SeriesText `json:"texts"`          // translations by language, but for those of the image
}

// SeriesPart is a stage or a day of a series.
type SeriesPart struct {
	UUID        string `json:"uuid"`
	Kind        string `json:"kind"` // stage, day or other
	Title       string `json:"title"`
	Description string `json:"description"`
}

// SeriesOfEvent is a series as shown with its events.
type SeriesOfEvent struct {
	UUID      string            `json:"uuid"`
	Slug      string            `json:"slug"`
	Title     string            `json:"title"`
	StartDate value.Text        `json:"start_date"` // of its own
	EndDate   value.Text        `json:"end_date"`
	Parts     []NamedSeriesPart `json:"parts"` // in which dates of the event take place

	TextLanguage string                 `json:"text_language"` // of the title; "" when it is not stated
	Texts        map[string]SeriesTitle `json:"texts"`         // translations by language
}

// NamedSeriesPart is a part of a series as shown with its events.
type NamedSeriesPart struct {
	UUID  string `json:"uuid"`
	Kind  string `json:"kind"`
	Title string `json:"title"`
}

// ShownSeries is a series in the answers of the query service: with the days of its dates where it
// has none of its own, and their number.
type ShownSeries struct {
	Series
	Dates int `json:"date_count"`
}

// AllSeries is the data of GET /api/series: a page of series by title.
type AllSeries struct {
	Series     []ShownSeries `json:"series"`
	TotalCount int           `json:"total_count"`
	NextCursor value.Text    `json:"next_cursor"` // null on the last page
}
