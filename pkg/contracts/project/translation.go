package project

import (
	"maps"
	"slices"
	"strings"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
)

// textLanguages returns the languages in which an event has texts: that of the original, if it is
// stated, then the others in order.
func textLanguages(e change.Event) []string {
	languages := []string{}
	if e.TextLanguage != "" {
		languages = append(languages, string(e.TextLanguage))
	}
	return append(languages, languagesOf(e)...)
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
func every[T any](e change.Event, of func(change.EventText) T) map[string]T {
	texts := make(map[string]T, len(e.Texts))
	for language, text := range e.Texts {
		texts[language] = of(text)
	}
	return texts
}

// present returns the parts of translations that have a text; never nil.
func present[T comparable](e change.Event, of func(change.EventText) T) map[string]T {
	var none T
	texts := every(e, of)
	maps.DeleteFunc(texts, func(_ string, text T) bool { return text == none })
	return texts
}

func eventTexts(e change.Event) map[string]publicapi.EventText {
	return every(e, func(t change.EventText) publicapi.EventText {
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
	return every(e, func(t change.EventText) publicapi.EntryText {
		return publicapi.EntryText{
			Title: string(t.Title), Subtitle: string(t.Subtitle), Summary: string(t.Summary),
			ImageAltText: string(t.Images[image].AltText), StatusNote: noteOf(e, d, t),
		}
	})
}

func dateTexts(e change.Event, d change.Date) map[string]publicapi.DateText {
	return present(e, func(t change.EventText) publicapi.DateText {
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

// imagesWithTexts returns images with the translations of their texts.
func imagesWithTexts(images []publicapi.Image, e change.Event) []publicapi.Image {
	for i, image := range images {
		images[i].Texts = present(e, func(t change.EventText) publicapi.ImageText {
			return publicapi.ImageText{AltText: string(t.Images[image.UUID].AltText), Description: string(t.Images[image.UUID].Description)}
		})
	}
	return images
}
