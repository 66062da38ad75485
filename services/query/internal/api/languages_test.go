package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/contracts/publicapi"
)

// testLanguages: every answer shows the texts in the language that it is asked for, and those of
// the original where there are no others.
func testLanguages(t *testing.T, s site) {
	const german, danish = `Jazz <i>live</i> & "laut"`, "Jazz i havnen"
	read := func(path string, into any) {
		t.Helper()
		response, body := s.do(t, http.MethodGet, path, "")
		if response.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %s", path, response.Status, body)
		}
		if err := json.Unmarshal(body, &struct {
			Data any `json:"data"`
		}{into}); err != nil {
			t.Fatal(err)
		}
	}
	for lang, title := range map[string]string{"": german + " de", "de": german + " de", "da": danish + " da", "da-DK": danish + " da", "en": german + " de", "fr": german + " de"} {
		rest := " Drei Abende Eine Band Mit <em>Betonung</em>\nund Umbruch"
		if strings.HasPrefix(lang, "da") {
			rest = " Tre aftener Et band Mit <em>Betonung</em>\nund Umbruch"
		}
		var found publicapi.Events
		read("/api/events?search=jazz&limit=1&lang="+lang, &found)
		first := found.Events[0]
		if first.Title+" "+first.TextLanguage != title || fmt.Sprint(first.TextLanguages) != "[de da]" || first.Texts["da"].Title != danish {
			t.Errorf("the search in %q: %s in %s of %v", lang, first.Title, first.TextLanguage, first.TextLanguages)
		}
		var event publicapi.EventDetails
		read("/api/event/"+eventJazz+"?lang="+lang, &event)
		shown := event.Title + " " + event.TextLanguage + " " + event.Description + " " + event.Images[0].AltText + " " + event.Summary
		if shown != title+rest {
			t.Errorf("the event in %q: %s", lang, shown)
		}
		if of := event.Series[0]; of.Title+" "+of.TextLanguage != map[bool]string{true: "Havnefest da", false: "Hafenfest de"}[strings.HasPrefix(lang, "da")] {
			t.Errorf("the series of the event in %q: %s in %s", lang, of.Title, of.TextLanguage)
		}
		var date publicapi.EventDateDetails
		read("/api/event/"+eventJazz+"/date/"+jazzFirst+"?lang="+lang, &date)
		if date.Title+" "+date.TextLanguage != title || date.Date.UUID != jazzFirst || len(date.FurtherDates) != 2 {
			t.Errorf("the date in %q: %s in %s", lang, date.Title, date.TextLanguage)
		}
		var suggested publicapi.Suggestions
		read("/api/suggest?q=havn&lang="+lang, &suggested)
		if len(suggested.Suggestions) != 1 || suggested.Suggestions[0].Text != first.Title {
			t.Errorf("the suggestions in %q: %+v", lang, suggested.Suggestions)
		}
	}
}

// testFeedsInLanguages: feeds show the texts in the language that they are asked for, and name it
// where the format can.
func testFeedsInLanguages(t *testing.T, s site) {
	for _, from := range []string{"/api/events", "/api/event/" + eventJazz, "/api/event/" + eventJazz + "/date/" + jazzFirst} {
		for format, parts := range map[string][2]string{
			"ics":     {"SUMMARY;LANGUAGE=de:Jazz <i>live", "SUMMARY;LANGUAGE=da:Jazz i havnen"},
			"atom":    {`<title xml:lang="de">Jazz &lt;i&gt;live`, `<title xml:lang="da">Jazz i havnen`},
			"rss":     {"<title>Jazz &lt;i&gt;live", "<title>Jazz i havnen"},
			"json":    {`"language":"de"`, `"language":"da"`},
			"geojson": {`Jazz \u003ci`, "Jazz i havnen"},
			"jsonld":  {`"name":"Jazz \u003ci`, `"name":"Jazz i havnen"`},
			"csv":     {"Jazz <i>live", "Jazz i havnen"},
		} {
			for n, lang := range []string{"de", "da"} {
				response, body := s.do(t, http.MethodGet, from+"."+format+"?lang="+lang, "")
				if response.StatusCode != http.StatusOK || !strings.Contains(string(body), parts[n]) || strings.Contains(string(body), parts[1-n]) {
					t.Errorf("%s.%s in %s: %s %.600s", from, format, lang, response.Status, body)
				}
			}
		}
	}
}

// testSeriesInLanguages: the texts of series, and their titles elsewhere, are in the language that
// they are asked for, and else those of the original.
func testSeriesInLanguages(t *testing.T, s site) {
	read := func(path string, want ...string) {
		t.Helper()
		response, body := s.do(t, http.MethodGet, path, "")
		for _, text := range want {
			if response.StatusCode != http.StatusOK || !strings.Contains(string(body), text) {
				t.Errorf("%s: %s is not in %s %.900s", path, text, response.Status, body)
			}
		}
	}
	const series = "/api/series/hafenfest"
	for lang, want := range map[string][6]string{
		"":      {"Hafenfest", "Drei Tage am Wasser", "Mit *vier* Bühnen", "Segelschiffe am Kai", "de", "vier"},
		"de":    {"Hafenfest", "Drei Tage am Wasser", "Mit *vier* Bühnen", "Segelschiffe am Kai", "de", "vier"},
		"en":    {"Hafenfest", "Three days at the water", "Mit *vier* Bühnen", "Segelschiffe am Kai", "de", "vier"},
		"da-DK": {"Havnefest", "Drei Tage am Wasser", "Med *fire* scener", "Sejlskibe ved kajen", "da", "fire"},
	} {
		shown := []string{
			`"title":"` + want[0] + `"`, `"subtitle":"` + want[1] + `"`, `"description":"` + want[2] + `"`, `"alt_text":"` + want[3] + `"`,
			`"text_language":"` + want[4] + `"`, `"text_languages":["de","da","en"]`,
		}
		read(series+"?lang="+lang, shown...)
		read("/api/series?lang="+lang, shown...)
		read(series+".jsonld?lang="+lang, `"name":"`+want[0]+`"`, want[5])
		read("/api/events/facets?by=series_uuids&lang="+lang, `"name":"`+want[0]+`"`)
		read("/api/events?facets=series_uuids&lang="+lang, `"name":"`+want[0]+`"`)
		read("/api/events.atom?series_uuids="+seriesID+","+partID+"&lang="+lang, want[0], want[0]+", Große Bühne")
		read("/api/event/"+eventJazz+".jsonld?lang="+lang, `"@type":"EventSeries"`, `"name":"`+want[0]+`"`)
	}
}
