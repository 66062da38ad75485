package params

import (
	"slices"
	"strings"

	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/language"
)

func (r *reader) lang(text string) { r.query.Lang = language.Nearest(text) }

// langs reads languages, each shown once.
func (r *reader) langs(items []string) {
	r.query.Langs = nil
	for _, item := range items {
		if lang := language.Nearest(item); !slices.Contains(r.query.Langs, lang) {
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
