package project

import (
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

func (p Projector) series(d *Documents, s change.Series) error {
	if err := d.owns(s.UUID); err != nil {
		return err
	}
	view := publicapi.Series{
		UUID:        s.UUID,
		Slug:        s.Slug,
		OrgUUID:     s.Organization.UUID,
		OrgName:     s.Organization.Name,
		OrgWebLink:  s.Organization.WebLink,
		Title:       s.Title,
		Subtitle:    string(s.Subtitle),
		Description: string(s.Description),
		WebLink:     s.WebLink,
		StartDate:   s.StartDate,
		EndDate:     s.EndDate,
		Parts:       make([]publicapi.SeriesPart, len(s.Parts)),

		TextLanguage: string(s.TextLanguage), TextLanguages: textLanguages(s.TextLanguage, s.Texts), Texts: seriesTexts(s),
	}
	for i, part := range s.Parts {
		view.Parts[i] = publicapi.SeriesPart{UUID: part.UUID, Kind: part.Kind, Title: part.Title, Description: string(part.Description)}
	}
	if s.Image != nil {
		images := p.imagesOf([]change.Image{*s.Image})
		addTexts(images, s.Texts, func(t change.SeriesText) map[string]change.ImageText { return t.Images })
		view.Image = &images[0]
	}
	one := held(record(d, view, s.ChangedAt), document.RowOfSeries(view))
	one.Name, one.NameSort = s.Title, document.Fold(s.Title)
	d.Record = one
	return nil
}

func seriesOf(e change.Event) []publicapi.SeriesOfEvent {
	shown := make([]publicapi.SeriesOfEvent, len(e.Series))
	for i, s := range e.Series {
		shown[i] = publicapi.SeriesOfEvent{
			UUID: s.UUID, Slug: s.Slug, Title: s.Title, StartDate: s.StartDate, EndDate: s.EndDate,
			Parts:        make([]publicapi.NamedSeriesPart, len(s.Parts)),
			TextLanguage: string(s.TextLanguage), Texts: seriesTitles(s),
		}
		for n, p := range s.Parts {
			shown[i].Parts[n] = publicapi.NamedSeriesPart{UUID: p.UUID, Kind: p.Kind, Title: p.Title}
		}
	}
	return shown
}

func seriesUUIDs(e change.Event) (uuids []string) {
	for _, s := range e.Series {
		uuids = append(uuids, s.UUID)
	}
	return uuids
}

// partOf returns the part in which a date takes place, if it is one of a series that is shown.
func partOf(e change.Event, d change.Date) value.Text {
	for _, s := range e.Series {
		for _, p := range s.Parts {
			if p.UUID == string(d.SeriesPartUUID) {
				return d.SeriesPartUUID
			}
		}
	}
	return ""
}
