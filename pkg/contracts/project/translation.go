package project

import (
	"maps"
	"slices"
	"strings"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

// textLanguages returns the languages in which there are texts: that of the original, if it is
// stated, then those of the translations in order.
func textLanguages[T any](original value.Text, texts map[string]T) []string {
	languages := []string{}
	if original != "" {
		languages = append(languages, string(original))
	}
	return append(languages, slices.Sorted(maps.Keys(texts))...)
}

// languagesOf returns the languages of the translations in order.
func languagesOf(e change.Event) []string { return slices.Sorted(maps.Keys(e.Texts)) }

// inAll returns a text in all its languages, the original first.
func inAll(e change.Event, original string, translated func(change.EventText) string) string {
	texts := []string{original}
	for _, language := range languagesOf(e) {
		texts = append(texts, translated(e.Texts[language]))
	}
	return strings.Join(texts, "\n")
}

func title(t change.EventText) string    { return string(t.Title) }
func subtitle(t change.EventText) string { return string(t.Subtitle) }

func searchedText(t change.EventText) string {
	return withoutMarkup(string(t.Summary)) + "\n" + string(t.Description)
}

// titles returns the titles of an event, the original first.
func titles(e change.Event) []string {
	titles := []string{e.Title}
	for _, language := range languagesOf(e) {
		if title := string(e.Texts[language].Title); title != "" {
			titles = append(titles, title)
		}
	}
	return titles
}

func titleKeys(e change.Event) []string {
	keys := []string{}
	for _, title := range titles(e) {
		keys = append(keys, document.TextKeys(title)...)
	}
	return keys
}

func titleEnds(e change.Event) (ends document.Texts) {
	for _, title := range titles(e) {
		ends = append(ends, document.TextEnd(title))
	}
	return ends
}

// every returns a part of each translation by language; never nil.
func every[T, P any](translations map[string]T, of func(T) P) map[string]P {
	parts := make(map[string]P, len(translations))
	for language, text := range translations {
		parts[language] = of(text)
	}
	return parts
}

// present returns the parts of translations that have a text; never nil.
func present[T any, P comparable](translations map[string]T, of func(T) P) map[string]P {
	var none P
	parts := every(translations, of)
	maps.DeleteFunc(parts, func(_ string, part P) bool { return part == none })
	return parts
}

func eventTexts(e change.Event) map[string]publicapi.EventText {
	return every(e.Texts, func(t change.EventText) publicapi.EventText {
		text := publicapi.EventText{
			Title: string(t.Title), Subtitle: string(t.Subtitle), Summary: string(t.Summary), Description: string(t.Description),
			ParticipationInfo: string(t.ParticipationInfo), MeetingPoint: string(t.MeetingPoint),
		}
		if altered(e.ReleaseStatus) {
			text.StatusNote = string(t.StatusNote)
		}
		return text
	})
}

// entryTexts returns the translations of the entry of a date with an image.
func entryTexts(e change.Event, d change.Date, image string) map[string]publicapi.EntryText {
	return every(e.Texts, func(t change.EventText) publicapi.EntryText {
		return publicapi.EntryText{
			Title: string(t.Title), Subtitle: string(t.Subtitle), Summary: string(t.Summary),
			ImageAltText: string(t.Images[image].AltText), StatusNote: noteOf(e, d, t),
		}
	})
}

func dateTexts(e change.Event, d change.Date) map[string]publicapi.DateText {
	return present(e.Texts, func(t change.EventText) publicapi.DateText {
		return publicapi.DateText{StatusNote: noteOf(e, d, t), AccessibilityInfo: string(t.Dates[d.UUID].AccessibilityInfo)}
	})
}

// noteOf returns the translation of statusNote.
func noteOf(e change.Event, d change.Date, t change.EventText) string {
	switch {
	case !altered(releaseStatus(e, d)):
		return ""
	case hasNote(d):
		return string(t.Dates[d.UUID].StatusNote)
	default:
		return string(t.StatusNote)
	}
}

func seriesTexts(s change.Series) map[string]publicapi.SeriesText {
	return every(s.Texts, func(t change.SeriesText) publicapi.SeriesText {
		return publicapi.SeriesText{Title: string(t.Title), Subtitle: string(t.Subtitle), Description: string(t.Description)}
	})
}

func seriesTitles(s change.SeriesOfEvent) map[string]publicapi.SeriesTitle {
	return present(s.Texts, func(t change.SeriesText) publicapi.SeriesTitle {
		return publicapi.SeriesTitle{Title: string(t.Title)}
	})
}

// addTexts gives images the translations of their texts.
func addTexts[T any](images []publicapi.Image, translations map[string]T, of func(T) map[string]change.ImageText) {
	for i, image := range images {
		images[i].Texts = present(translations, func(t T) publicapi.ImageText {
			text := of(t)[image.UUID]
			return publicapi.ImageText{AltText: string(text.AltText), Description: string(text.Description)}
		})
	}
}
