package rules_test

import (
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
		"image.uuid":           func(s *rules.Series) { s.Image.UUID, s.Image.Identifier = "x", "" },
		"image.identifier":     func(s *rules.Series) { s.Image.Identifier = "gallery_1" },
		"image.license":        func(s *rules.Series) { s.Image.License = "mine" },
	} {
		series := rulestest.Series(rulestest.NewID())
		change(series)
		if got := strings.Join(fields(series), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
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
