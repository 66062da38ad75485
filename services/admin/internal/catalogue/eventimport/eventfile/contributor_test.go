package eventfile

import (
	"fmt"
	"slices"
	"testing"
)

func TestReadContributors(t *testing.T) {
	t.Parallel()
	isRole := func(text string) bool { return slices.Contains([]string{"Regie", "Solo"}, text) }
	for text, want := range map[string]string{
		"":                                     "",
		" ; ;\n":                               "",
		"Anna Thomsen":                         "[Anna Thomsen]",
		"Anna, Bo":                             "[Anna] [Bo]",
		"Thomsen, Anna; Bo":                    "[Thomsen, Anna] [Bo]",
		"Thomsen, Anna;":                       "[Thomsen, Anna]",
		"Regie: Anna\r\nBo":                    "[Regie|Anna] [Bo]",
		"Duo: Live":                            "[Duo: Live]",
		"Anna (Solo)":                          "[Solo|Anna]",
		"Anna (Kiel)":                          "[Anna|Kiel]",
		"Regie: Anna (Solo)":                   "[Regie|Anna|Solo]",
		"(Solo)":                               "[(Solo)]",
		"Regie:":                               "",
		"Anna https://a.b/c?d":                 "[Anna https://a.b/c?d]",
		"Trio (Kiel) <https://a.b> http://c.d": "[Trio|Kiel https://a.b http://c.d]",
		"javascript:alert(1)":                  "[javascript:alert|1]",
	} {
		got := ""
		for i, c := range ReadContributors(text, isRole) {
			if i > 0 {
				got += " "
			}
			got += "["
			if c.Role != "" {
				got += c.Role + "|"
			}
			got += c.Name
			if c.Note != "" {
				got += "|" + c.Note
			}
			for _, link := range c.Links {
				got += " " + link
			}
			got += "]"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestContributorsOfPages: persons and groups by their properties, each once, and also those that
// are named elsewhere in the page.
func TestContributorsOfPages(t *testing.T) {
	t.Parallel()
	event := func(properties string) string {
		return page(`{"@type": "MusicEvent", "name": "Jazz", "startDate": "2027-03-05T20:00", ` + properties + `}`)
	}
	for properties, want := range map[string]string{
		`"performer": "Anna"`:                              "performer: Anna",
		`"performer": {"@type": "Person", "name": "Anna"}`: "performer: Anna",
		`"performer": {"name": "Thomsen; Anna"}`:           "performer: Thomsen, Anna;",
		`"performer": [{"@type": "MusicGroup", "name": "Trio", "url": "https://litfass.example/x",
			"sameAs": ["https://trio.example", "https://www.wikidata.org/wiki/Q254"]}, {"name": ""}, {"name": "Trio"}]`: "ensemble: Trio https://trio.example https://www.wikidata.org/wiki/Q254 https://litfass.example/x; performer: Trio",
		`"actor": "A", "director": "D", "author": ["W", "W"], "composer": {"name": "C"}, "contributor": "X"`: "performer: A; director: D; author: W; composer: C; other: X",
		`"performer": {"@id": "#a"}, "about": {"@id": "#a", "@type": "PerformingGroup", "name": "Chor"}`:     "ensemble: Chor",
		`"performer": {"name": "Anna", "sameAs": "javascript:alert(1)"}`:                                     "performer: Anna",
		`"organizer": {"name": "Verein"}`: "",
		`"workFeatured": {"@type": "CreativeWork", "author": [{"@id": "#w"}]}, "contributor": [{"@id": "#w", "name": "W"}, {"name": "X"}]`: "author: W; other: X",
		`"workPerformed": {"@type": "Play", "author": "W"}`: "author: W",
	} {
		wantLines(t, properties, lines(t, event(properties), FieldContributors), "jazz @  Jazz 2027-03-05T20:00 contributors="+want)
	}
	many := `"performer": [`
	for i := range 20_000 {
		many += fmt.Sprintf(`"%05d", `, i)
	}
	if got := lines(t, event(many+`"last"]`), FieldContributors)[0]; len(got) > maxTexts+10_000 {
		t.Errorf("%d bytes of names", len(got))
	}
}
