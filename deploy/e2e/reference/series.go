package reference

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Series is a line of kind "series".
type Series struct {
	UUID    string `json:"uuid"`
	OrgUUID string `json:"org_uuid"`
	Slug    string `json:"slug"`
	Title   string `json:"title"`
	Public  bool   `json:"public"`
	Parts   []Part `json:"parts"`
	Image   *Image `json:"image"`

	Subtitle     Text                   `json:"subtitle"`
	Description  Text                   `json:"description"`
	TextLanguage Text                   `json:"text_language"` // of the texts but those of parts; absent: not stated
	Texts        map[string]Translation `json:"texts"`         // title, subtitle, description and images
}

// TitleIn returns the title in a language, or else the original.
func (s *Series) TitleIn(language string) string {
	return cmp.Or(string(s.Texts[language].Title), s.Title)
}

// Part is a part of a series.
type Part struct {
	UUID        string `json:"uuid"`
	Kind        string `json:"kind"`
	Title       string `json:"title"`
	Description Text   `json:"description"`
}

// ShownSeries is a series in the public answers, with the fields that catalogues of tests have.
type ShownSeries struct {
	UUID    string      `json:"uuid"`
	OrgUUID string      `json:"org_uuid"`
	Slug    string      `json:"slug"`
	Title   string      `json:"title"`
	Image   *ShownImage `json:"image"`

	Subtitle      string                `json:"subtitle"`
	Description   string                `json:"description"`
	TextLanguage  string                `json:"text_language"`
	TextLanguages Array[string]         `json:"text_languages"`
	Texts         map[string]SeriesText `json:"texts"`
}

// SeriesText are the texts of a series in another language.
type SeriesText struct {
	Title       string `json:"title,omitempty"`
	Subtitle    string `json:"subtitle,omitempty"`
	Description string `json:"description,omitempty"`
}

// ShownImage is an image in the public answers.
type ShownImage struct {
	UUID        string   `json:"uuid"`
	Identifier  string   `json:"identifier"`
	Path        string   `json:"path"`
	MimeType    string   `json:"mime_type"`
	Width       int      `json:"width"`
	Height      int      `json:"height"`
	AltText     string   `json:"alt_text"`
	Description string   `json:"description"`
	License     Text     `json:"license"`
	CreatorName string   `json:"creator_name"`
	Copyright   string   `json:"copyright"`
	FocusX      *float64 `json:"focus_x"`
	FocusY      *float64 `json:"focus_y"`
	AIGenerated bool     `json:"ai_generated"`

	Texts map[string]ImageTranslation `json:"texts"`
}

// Series returns a series as the public sees it, nil if it does not.
func (r *Reference) Series(s *Series) *ShownSeries {
	if !s.Public {
		return nil
	}
	shown := &ShownSeries{
		UUID: s.UUID, OrgUUID: s.OrgUUID, Slug: s.Slug, Title: s.Title, Subtitle: string(s.Subtitle), Description: string(s.Description),
		TextLanguage: string(s.TextLanguage), Texts: map[string]SeriesText{},
	}
	if s.TextLanguage != "" {
		shown.TextLanguages = append(shown.TextLanguages, shown.TextLanguage)
	}
	for _, language := range slices.Sorted(maps.Keys(s.Texts)) {
		t := s.Texts[language]
		shown.TextLanguages = append(shown.TextLanguages, language)
		shown.Texts[language] = SeriesText{string(t.Title), string(t.Subtitle), string(t.Description)}
	}
	if m := s.Image; m != nil {
		shown.Image = &ShownImage{
			UUID: m.UUID, Identifier: "main", Path: r.PublicURL + "/api/image/" + m.UUID + "/" + m.version(), MimeType: m.MimeType,
			Width: m.Width, Height: m.Height, AltText: string(m.AltText), Description: string(m.Description), License: m.License,
			CreatorName: string(m.CreatorName), Copyright: string(m.Copyright), FocusX: m.FocusX, FocusY: m.FocusY, AIGenerated: m.AIGenerated,
			Texts: imageTexts(s.Texts, m.UUID),
		}
	}
	return shown
}

// In returns the series as it is shown in a language, see Entry.In.
func (s ShownSeries) In(language string) ShownSeries {
	t := s.Texts[language]
	if t.Title != "" {
		s.TextLanguage = language
	}
	s.Title, s.Subtitle, s.Description = cmp.Or(t.Title, s.Title), cmp.Or(t.Subtitle, s.Subtitle), cmp.Or(t.Description, s.Description)
	if s.Image != nil {
		image := *s.Image
		t := image.Texts[language]
		image.AltText, image.Description = cmp.Or(string(t.AltText), image.AltText), cmp.Or(string(t.Description), image.Description)
		s.Image = &image
	}
	return s
}

// PublicSeries returns the series that the public sees by their titles in a language.
func (r *Reference) PublicSeries(language string) (public []*Series) {
	for _, s := range r.series {
		if s.Public {
			public = append(public, s)
		}
	}
	slices.SortFunc(public, func(a, b *Series) int {
		titles := cmp.Compare(strings.ToLower(a.TitleIn(language)), strings.ToLower(b.TitleIn(language)))
		return cmp.Or(titles, cmp.Compare(a.Slug, b.Slug))
	})
	return public
}

// Member is a series of an event, in the state asked, accepted or refused.
type Member struct {
	SeriesUUID string `json:"series_uuid"`
	State      string `json:"state"`
}

// seriesOf returns the series that an event belongs to, as far as the public sees them.
func (r *Reference) seriesOf(e *Event) (of []*Series) {
	for _, member := range e.Series {
		if s := r.series[member.SeriesUUID]; s != nil && s.Public && member.State == "accepted" {
			of = append(of, s)
		}
	}
	return of
}

// seriesUUIDs returns the series of a date.
func (r *Reference) seriesUUIDs(d *Dated) (uuids []string) {
	for _, s := range r.seriesOf(d.Event) {
		uuids = append(uuids, s.UUID)
	}
	return uuids
}

// partOf returns the part in which a date takes place, if it is one of a series that is shown.
func (r *Reference) partOf(d *Dated) Text {
	for _, s := range r.seriesOf(d.Event) {
		if slices.ContainsFunc(s.Parts, func(p Part) bool { return p.UUID == string(d.Date.SeriesPart) }) {
			return d.Date.SeriesPart
		}
	}
	return ""
}

// inSeries finds the dates of series, and of parts.
func (r *Reference) inSeries(value string) filter {
	wanted := strings.Split(value, ",")
	return func(d *Dated) bool {
		return slices.Contains(wanted, string(r.partOf(d))) ||
			slices.ContainsFunc(r.seriesUUIDs(d), func(uuid string) bool { return slices.Contains(wanted, uuid) })
	}
}

// BySeries returns the series of dates, each at the place of its first one, and the dates of none
// as they are. A date counts for the first of its series.
func (r *Reference) BySeries(dates []*Dated) []Group {
	return grouped(dates, func(d *Dated) string {
		if series := r.seriesUUIDs(d); len(series) > 0 {
			return series[0]
		}
		return d.Date.UUID
	})
}
