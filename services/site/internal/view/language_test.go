package view

import (
	"fmt"
	"testing"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/text"
)

// An element has the language of its text where that is not the one of the page.
func TestTextsInAnotherLanguage(t *testing.T) {
	t.Parallel()
	danish := map[string]publicapi.EntryText{"da": {Title: "Koncert"}}
	for _, test := range []struct {
		page, title string // languages
		all         []string
		texts       map[string]publicapi.EntryText
		want        string // languages of title and subtitle, and whether the former is named
	}{
		{"de", "de", []string{"de"}, nil, "map[] map[] false"},
		{"en", "de", []string{"de", "da"}, danish, "map[lang:de] map[lang:de] true"},
		{"da", "da", []string{"de", "da"}, danish, "map[] map[lang:de] false"},
		{"da", "da", []string{"da"}, danish, "map[] map[] false"},
		{"en", "", []string{"da"}, danish, "map[] map[] false"},
		{"en", "", nil, nil, "map[] map[] false"},
		{"de", "en", []string{"en"}, nil, "map[lang:en] map[lang:en] true"},
		{"da", "en", []string{"en"}, nil, "map[lang:en] map[lang:en] true"},
		{"en", `x" y`, nil, nil, `map[lang:x" y] map[] false`},
	} {
		words := text.Of(test.page)
		entry := publicapi.Entry{TextLanguage: test.title, TextLanguages: test.all, Texts: test.texts}
		got := fmt.Sprint(In(words, entry.TextLanguage), SubtitleIn(words, entry), ForeignText(words, entry.TextLanguage) != "")
		if fmt.Sprint(got) != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}
