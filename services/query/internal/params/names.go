package params

import (
	"slices"
	"strings"

	"litfass/pkg/document"
)

// Languages are the languages in which names are shown. The first is the one for every language
// that is not among them.
var Languages = []string{"en", "de", "da"}

// language returns the language whose names are shown to those who ask for the given one; de-DE
// means de.
func language(asked string) string {
	asked, _, _ = strings.Cut(strings.ToLower(asked), "-")
	if slices.Contains(Languages, asked) {
		return asked
	}
	return Languages[0]
}

func (r *reader) lang(text string) { r.query.Lang = language(text) }

// langs reads languages, each shown once.
func (r *reader) langs(items []string) {
	r.query.Langs = nil
	for _, item := range items {
		if lang := language(item); !slices.Contains(r.query.Langs, lang) {
			r.query.Langs = append(r.query.Langs, lang)
		}
	}
}

// country reads the country of states under either of its names.
func (r *reader) country(text string) {
	country, ok := code(text)
	if !ok {
		r.bad("is not an ISO 3166-1 alpha-3 code of three letters")
	}
	if r.query.Country != "" && r.query.Country != country {
		r.bad("is given as country and, with another value, as country-code")
	}
	r.query.Country = country
}

// part reads a part of a name.
func (r *reader) part(text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		r.bad("holds only spaces")
	}
	if len(document.PartKey(text)) > document.MaxPatternBytes {
		r.bad("is too long: at most %d letters and digits, where every other character counts as 4", document.MaxPatternBytes)
	}
	r.query.Part = text
}
