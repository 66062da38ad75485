package rules_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/rules/rulestest"
)

// TestCheckSeries names the bad field of each series.
func TestCheckSeries(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*rules.Series){
		"":                     func(s *rules.Series) { s.Parts[0].UUID, s.Parts[0].Kind = "", "" },
		"uuid":                 func(s *rules.Series) { s.UUID = "x" },
		"org_uuid":             func(s *rules.Series) { s.OrgUUID = "" },
		"slug":                 func(s *rules.Series) { s.Slug = "a b" },
		"title":                func(s *rules.Series) { s.Title = " " },
		"subtitle":             func(s *rules.Series) { s.Subtitle = "\a" },
		"web_link":             func(s *rules.Series) { s.WebLink = "javascript:x" },
		"start_date":           func(s *rules.Series) { s.StartDate = "" },
		"end_date":             func(s *rules.Series) { s.EndDate = "2028-02-27" },
		"parts":                func(s *rules.Series) { s.Parts = make([]adminapi.SeriesPart, 101) },
		"parts[1].uuid":        func(s *rules.Series) { s.Parts[1].UUID = s.Parts[0].UUID },
		"parts[0].kind":        func(s *rules.Series) { s.Parts[0].Kind = "tent" },
		"parts[1].title":       func(s *rules.Series) { s.Parts[1].Title = "" },
		"parts[0].description": func(s *rules.Series) { s.Parts[0].Description = "\a" },
		"image.uuid":           func(s *rules.Series) { s.Image.UUID, s.Image.Identifier, s.Texts = "x", "", nil },
		"image.identifier":     func(s *rules.Series) { s.Image.Identifier = "gallery_1" },
		"image.license":        func(s *rules.Series) { s.Image.License = "mine" },
		"text_language":        func(s *rules.Series) { s.TextLanguage = "fr" },
		"texts.da":             func(s *rules.Series) { s.TextLanguage = "DA" },
		"texts.fr":             translate("fr", adminapi.SeriesText{Subtitle: "Trois jours"}),
		"texts.en.title":       translate("en", adminapi.SeriesText{Title: "Har\u200bbour"}),
		"texts.en.subtitle":    translate("EN ", adminapi.SeriesText{Subtitle: "\a"}),
		"texts.en.description": translate("en", adminapi.SeriesText{Description: value.Text(strings.Repeat("ö", adminapi.MaxText+1))}),
		"texts.en.images.x":    translate("en", adminapi.SeriesText{Images: map[string]adminapi.ImageText{"x": {AltText: "Ship"}}}),
	} {
		series := rulestest.Series(rulestest.NewID())
		change(series)
		if got := strings.Join(fields(series), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// translate returns an edit that gives a series a translation.
func translate(language string, text adminapi.SeriesText) func(*rules.Series) {
	return func(s *rules.Series) { s.Texts = adminapi.SeriesTexts{language: text} }
}

// TestTranslationsOfSeriesAreClean: texts are trimmed, and what has none is left out. Those of an
// image end with it.
func TestTranslationsOfSeriesAreClean(t *testing.T) {
	t.Parallel()
	series := rulestest.Series(rulestest.NewID())
	image := series.Image.UUID
	series.Texts = adminapi.SeriesTexts{
		"DA": {Title: " Havne\nfest ", Description: "a\r\nb ", Images: map[string]adminapi.ImageText{image: {AltText: " Skibe "}}},
		"en": {Title: " ", Images: map[string]adminapi.ImageText{image: {AltText: " "}}},
	}
	series.Normalize()
	want := adminapi.SeriesTexts{"da": {
		Title: "Havne fest", Description: "a\nb", Images: map[string]adminapi.ImageText{image: {AltText: "Skibe"}},
	}}
	if !reflect.DeepEqual(series.Texts, want) {
		t.Errorf("%+v, want %+v", series.Texts, want)
	}
	series.PutImage(rules.Image{UUID: rulestest.NewID(), Identifier: "main"})
	if series.Normalize(); len(series.Texts["da"].Images) != 0 || series.Texts["da"].Title != "Havne fest" {
		t.Errorf("with another image: %+v", series.Texts)
	}
}

// TestPartsHaveFewCharacters: the limit is that of all parts together.
func TestPartsHaveFewCharacters(t *testing.T) {
	t.Parallel()
	for characters, want := range map[int]string{adminapi.MaxPartTexts: "", adminapi.MaxPartTexts + 1: "parts"} {
		series := rulestest.Series(rulestest.NewID())
		series.Parts = nil
		for ; characters > 0; characters -= 1_000 {
			text := strings.Repeat("ö", min(characters, 1_000)-1)
			series.Parts = append(series.Parts, adminapi.SeriesPart{Title: "x", Description: value.Text(text)})
		}
		if got := strings.Join(fields(series), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestCheckSeriesOfEvents names the bad field of the series of an event.
func TestCheckSeriesOfEvents(t *testing.T) {
	t.Parallel()
	one, other := rulestest.NewID(), rulestest.NewID()
	for want, series := range map[string][]rules.EventSeries{
		"":                      {{SeriesUUID: strings.ToUpper(one)}, {SeriesUUID: other, State: "accepted"}},
		"series":                slices.Repeat([]rules.EventSeries{{SeriesUUID: one}}, 6),
		"series[0].series_uuid": {{SeriesUUID: "x"}},
		"series[1].series_uuid": {{SeriesUUID: one}, {SeriesUUID: one}},
		"series[0].state":       {{SeriesUUID: one, State: "member"}},
	} {
		event := rulestest.Event(rulestest.NewID(), rulestest.NewID(), rulestest.NewID())
		event.Series = series
		if got := strings.Join(fields(event), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
