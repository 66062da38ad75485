package params

import (
	"slices"
	"strings"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/language"
)

func (r *reader) lang(text string) {
	r.query.Lang = language.Nearest(text)
	r.query.TextLang = r.query.Lang
}

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
		r.bad(reason.NotCountry)
	}
	if r.query.Country != "" && r.query.Country != country {
		r.bad(reason.CountryConflict)
	}
	r.query.Country = country
}

// part reads a part of a name.
func (r *reader) part(text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		r.bad(reason.OnlySpaces)
	}
	if len(document.PartKey(text)) > document.MaxPatternBytes {
		r.bad(reason.PartTooLong(document.MaxPatternBytes))
	}
	r.query.Part = text
}
