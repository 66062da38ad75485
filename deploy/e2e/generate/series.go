package generate

import (
	"fmt"

	"litfass/deploy/e2e/reference"
)

// addSeries adds series of which every fifth is not public, and lets a third of the events ask to
// belong to some of them, most with success.
func (b *builder) addSeries(n int) {
	for i := range n {
		s := &reference.Series{
			UUID: b.uuid(), OrgUUID: pick(b.random, b.Organizations).UUID, Slug: fmt.Sprintf("series-%d", i),
			Title: fmt.Sprintf("Series %d & more", i), Public: i%5 != 4, Parts: []reference.Part{},
		}
		for range b.IntN(5) {
			s.Parts = append(s.Parts, b.part())
		}
		if i%3 > 0 {
			s.Image = new(b.image("main"))
		}
		b.translateSeries(s)
		b.Series = append(b.Series, s)
	}
	for _, event := range b.Events {
		if event.Series = []reference.Member{}; b.chance(33) {
			b.joinSeries(event)
		}
	}
}

// translateSeries gives a series other texts, and translates some of them.
func (b *builder) translateSeries(s *reference.Series) {
	r := b.extras
	text := func() reference.Text {
		if r.chance(60) {
			return reference.Text(r.text())
		}
		return ""
	}
	s.Subtitle, s.Description, s.TextLanguage, s.Texts = text(), text(), "", map[string]reference.Translation{}
	if r.chance(60) {
		s.TextLanguage = reference.Text(pick(r, textLanguages))
	}
	for _, language := range some(r, textLanguages, 2) {
		if language == string(s.TextLanguage) {
			continue
		}
		t := reference.Translation{Title: text(), Subtitle: text(), Description: text()}
		if alt := text(); s.Image != nil && alt != "" {
			t.Images = map[string]reference.ImageTranslation{s.Image.UUID: {AltText: alt, Description: text()}}
		}
		if t.Title+t.Subtitle+t.Description != "" || len(t.Images) > 0 {
			s.Texts[language] = t
		}
	}
}

func (b *builder) part() reference.Part {
	part := reference.Part{UUID: b.uuid(), Kind: pick(b.random, []string{"stage", "day", "other"}), Title: fmt.Sprintf("Part %d", b.IntN(1000))}
	if part.Kind == "stage" {
		part.Description = reference.Text("The *stage* of " + part.Title)
	}
	return part
}

// joinSeries replaces the series of an event, and the parts of its dates.
func (b *builder) joinSeries(event *reference.Event) {
	event.Series = []reference.Member{}
	parts := []string{""}
	for _, s := range sample(b.random, b.Series, b.IntN(4)) {
		event.Series = append(event.Series, reference.Member{
			SeriesUUID: s.UUID, State: pick(b.random, []string{"accepted", "accepted", "accepted", "asked", "refused"}),
		})
		for _, part := range s.Parts {
			parts = append(parts, part.UUID)
		}
	}
	for _, date := range event.Dates {
		date.SeriesPart = reference.Text(pick(b.random, parts))
	}
}

// editSeries renames a series, hides or shows it, gives it another image or takes its image away,
// translates it again, or replaces one of its parts, which its dates lose.
func (e *Editor) editSeries() *reference.Series {
	s := pick(e.random, e.Series)
	switch e.IntN(6) {
	case 3:
		s.Image = new(e.image("main"))
		e.translateSeries(s)
	case 4:
		s.Image = nil
		e.translateSeries(s)
	case 5:
		e.translateSeries(s)
	case 0:
		s.Title = fmt.Sprintf("Renamed %d", e.IntN(1000))
	case 1:
		s.Public = !s.Public
	default:
		if len(s.Parts) == 0 {
			s.Parts = append(s.Parts, e.part())
			break
		}
		gone := s.Parts[0].UUID
		s.Parts[0] = e.part()
		for _, event := range e.Events {
			for _, date := range event.Dates {
				if string(date.SeriesPart) == gone {
					date.SeriesPart = ""
				}
			}
		}
	}
	return s
}
