package view

import (
	"github.com/a-h/templ"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/text"
)

// In returns the attribute of an element with a text in a language: none for the language of the
// page, or an unknown one.
func In(t *text.Texts, language string) templ.Attributes {
	if language == "" || language == t.Code {
		return nil
	}
	return templ.Attributes{"lang": language}
}

// EntryIn is In for a text of an entry. translation returns that text of a translation.
func EntryIn(t *text.Texts, e publicapi.Entry, translation func(publicapi.EntryText) string) templ.Attributes {
	return In(t, languageOf(t, e.TextLanguages, e.Texts, translation))
}

// EventIn is In for a text of an event. translation returns that text of a translation.
func EventIn(t *text.Texts, e publicapi.Event, translation func(publicapi.EventText) string) templ.Attributes {
	return In(t, languageOf(t, e.TextLanguages, e.Texts, translation))
}

// SeriesIn is In for a text of a series. translation returns that text of a translation.
func SeriesIn(t *text.Texts, s publicapi.Series, translation func(publicapi.SeriesText) string) templ.Attributes {
	return In(t, languageOf(t, s.TextLanguages, s.Texts, translation))
}

// languageOf returns the language of a text that is shown in that of the page where it is
// translated, and else in that of the original: the first of all languages, unless that is one of
// the translations; "" when it is not stated.
func languageOf[T any](t *text.Texts, all []string, texts map[string]T, translation func(T) string) string {
	if translation(texts[t.Code]) != "" {
		return t.Code
	}
	if len(all) == 0 {
		return ""
	}
	if _, isTranslation := texts[all[0]]; isTranslation {
		return ""
	}
	return all[0]
}

// ForeignText names the language of a title that is not that of the page; "" for none.
func ForeignText(t *text.Texts, language string) string {
	if key := "text_in." + language; language != t.Code && t.Has(key) {
		return t.T(key)
	}
	return ""
}

// SubtitleIn is EntryIn for the subtitle.
func SubtitleIn(t *text.Texts, e publicapi.Entry) templ.Attributes {
	return EntryIn(t, e, func(in publicapi.EntryText) string { return in.Subtitle })
}
