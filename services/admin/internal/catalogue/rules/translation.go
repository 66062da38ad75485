package rules

import (
	"maps"
	"reflect"
	"slices"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
)

// translation is a translation of the texts of an entity in one language.
type translation[T any] interface {
	*T
	Fields() map[string]*value.Text
	ImageTexts() *map[string]adminapi.ImageText
}

// normalizeTexts brings translations into their stored form.
func (e *Event) normalizeTexts() {
	cleanLower(&e.TextLanguage)
	e.Texts = cleanTranslations(e.Texts, func(text *adminapi.EventText) { text.Dates = cleanParts(text.Dates, cleanDateText) })
}

func (s *Series) normalizeTexts() {
	cleanLower(&s.TextLanguage)
	s.Texts = cleanTranslations(s.Texts, func(*adminapi.SeriesText) {})
}

// cleanTranslations returns the stored form of translations; cleanRest is for the parts of one that
// only its kind has. A language without a text is removed, as is an image without one.
func cleanTranslations[M ~map[string]T, T any, P translation[T]](given M, cleanRest func(P)) M {
	texts := make(M, len(given))
	for _, language := range slices.Sorted(maps.Keys(given)) {
		text := given[language]
		cleanLower(&language)
		for name, field := range P(&text).Fields() {
			if ofOneLine[name] {
				cleanLines(field)
			} else {
				cleanTexts(field)
			}
		}
		images := P(&text).ImageTexts()
		*images = cleanParts(*images, cleanImageText)
		if cleanRest(&text); !IsBlank(text) {
			texts[language] = text
		}
	}
	return texts
}

var ofOneLine = map[string]bool{"title": true, "subtitle": true, "meeting_point": true}

func cleanImageText(text *adminapi.ImageText) {
	cleanLines(&text.AltText)
	cleanTexts(&text.Description)
}

func cleanDateText(text *adminapi.DateText) {
	cleanTexts(&text.AccessibilityInfo, &text.StatusNote)
}

// cleanParts returns the clean form of the translations of images or dates, by their uuids; nil
// when none has a text.
func cleanParts[T comparable](parts map[string]T, clean func(*T)) map[string]T {
	var none T
	cleaned := make(map[string]T, len(parts))
	for uuid, text := range parts {
		cleanLower(&uuid)
		if clean(&text); text != none {
			cleaned[uuid] = text
		}
	}
	if len(cleaned) == 0 {
		return nil
	}
	return cleaned
}

// IsBlank reports whether a translation has no text. It must be in its stored form.
func IsBlank[T any](text T) bool { return reflect.ValueOf(text).IsZero() }

func (e *Event) checkTranslations(c checker) {
	checkTranslations(c, e.TextLanguage, e.Texts, maxTextsOfEvent, e.hasImage)
	for _, language := range slices.Sorted(maps.Keys(e.Texts)) {
		e.checkDateTexts(c, "texts."+language+".dates.", e.Texts[language].Dates)
	}
}

func (s *Series) checkTranslations(c checker) {
	checkTranslations(c, s.TextLanguage, s.Texts, maxTextsOfSeries, s.hasImage)
	for _, language := range slices.Sorted(maps.Keys(s.Texts)) {
		c.visible("texts."+language+".title", string(s.Texts[language].Title))
	}
}

// checkTranslations checks translations by the rules of the original texts, whose maximum lengths
// are limits. None is in the language of the original.
func checkTranslations[M ~map[string]T, T any, P translation[T]](
	c checker, original value.Text, texts M, limits map[string]int, hasImage func(uuid string) bool,
) {
	if original != "" {
		c.siteLanguage("text_language", string(original))
	}
	for _, language := range slices.Sorted(maps.Keys(texts)) {
		field, text := "texts."+language, texts[language]
		c.siteLanguage(field, language)
		if language == string(original) {
			c.bad(field, reason.OriginalLanguage)
		}
		given := P(&text).Fields()
		for _, name := range slices.Sorted(maps.Keys(given)) {
			c.text(field+"."+name, string(*given[name]), limits[name])
		}
		images := *P(&text).ImageTexts()
		for _, uuid := range slices.Sorted(maps.Keys(images)) {
			image, at := images[uuid], field+".images."+uuid
			if !hasImage(uuid) {
				c.bad(at, reason.NotImage)
			}
			c.text(at+".alt_text", string(image.AltText), adminapi.MaxTitle)
			c.text(at+".description", string(image.Description), adminapi.MaxText)
		}
	}
}

func (e *Event) checkDateTexts(c checker, field string, texts map[string]adminapi.DateText) {
	for _, uuid := range slices.Sorted(maps.Keys(texts)) {
		text, at := texts[uuid], field+uuid
		if !e.hasDate(uuid) {
			c.bad(at, reason.NotDateOfEvent)
		}
		c.text(at+".accessibility_info", string(text.AccessibilityInfo), adminapi.MaxText)
		c.text(at+".status_note", string(text.StatusNote), adminapi.MaxReason)
	}
}

func (e *Event) hasImage(uuid string) bool {
	return slices.ContainsFunc(e.Images, func(m Image) bool { return m.UUID == uuid })
}

func (e *Event) hasDate(uuid string) bool {
	return slices.ContainsFunc(e.Dates, func(d Date) bool { return d.UUID == uuid })
}

// The maximum lengths of translated texts are those of the originals.
var (
	maxTextsOfEvent = map[string]int{
		"title": adminapi.MaxTitle, "subtitle": adminapi.MaxTitle, "summary": adminapi.MaxText, "description": adminapi.MaxDescription,
		"participation_info": adminapi.MaxText, "meeting_point": adminapi.MaxTitle, "status_note": adminapi.MaxReason,
	}
	maxTextsOfSeries = map[string]int{"title": adminapi.MaxName, "subtitle": adminapi.MaxTitle, "description": adminapi.MaxText}
)

func (s *Series) hasImage(uuid string) bool { return s.Image != nil && s.Image.UUID == uuid }

// DropTextsOfImages removes the translations of the texts of images that the event does not have
// any more.
func (e *Event) DropTextsOfImages() { e.Texts = textsOfImages(e.Texts, e.hasImage) }

// dropTextsOfImages is DropTextsOfImages for a series.
func (s *Series) dropTextsOfImages() { s.Texts = textsOfImages(s.Texts, s.hasImage) }

// textsOfImages returns translations with the texts of those images only that an entity has.
func textsOfImages[M ~map[string]T, T any, P translation[T]](texts M, has func(uuid string) bool) M {
	return changed(texts, func(_ string, text P) {
		images := text.ImageTexts()
		*images = renameParts(*images, func(uuid string) string {
			if has(uuid) {
				return uuid
			}
			return ""
		})
	})
}

// MoveTextsOfImages gives the translations of the texts of images to others: renamed are the uuids
// by those of before.
func (e *Event) MoveTextsOfImages(renamed map[string]string) {
	e.changeTexts(func(_ string, text *adminapi.EventText) {
		text.Images = renameParts(text.Images, func(uuid string) string { return renamed[uuid] })
	})
}

func renameParts[T any](parts map[string]T, name func(uuid string) string) map[string]T {
	renamed := make(map[string]T, len(parts))
	for uuid, text := range parts {
		if named := name(uuid); named != "" {
			renamed[named] = text
		}
	}
	return renamed
}

// DropTextsOfDates removes the translations of the texts of dates that the event before had, and
// that this one does not have any more.
func (e *Event) DropTextsOfDates(before *Event) {
	e.renameTextsOfDates(func(uuid string) string {
		if before.hasDate(uuid) && !e.hasDate(uuid) {
			return ""
		}
		return uuid
	})
}

// MoveTextsOfDates is MoveTextsOfImages for dates.
func (e *Event) MoveTextsOfDates(renamed map[string]string) {
	e.renameTextsOfDates(func(uuid string) string { return renamed[uuid] })
}

// renameTextsOfDates replaces the uuids of dates; "" removes the texts of one.
func (e *Event) renameTextsOfDates(name func(uuid string) string) {
	e.changeTexts(func(_ string, text *adminapi.EventText) { text.Dates = renameParts(text.Dates, name) })
}

// TranslateImage replaces the translations of the texts of an image.
func (e *Event) TranslateImage(uuid string, texts map[string]adminapi.ImageText) {
	addLanguages(e, texts)
	e.changeTexts(func(language string, text *adminapi.EventText) {
		images := map[string]adminapi.ImageText{}
		maps.Copy(images, text.Images)
		images[uuid] = texts[language]
		text.Images = images
	})
}

// TranslateDate replaces the translations of the texts of a date.
func (e *Event) TranslateDate(uuid string, texts map[string]adminapi.DateText) {
	addLanguages(e, texts)
	e.changeTexts(func(language string, text *adminapi.EventText) {
		dates := map[string]adminapi.DateText{}
		maps.Copy(dates, text.Dates)
		dates[uuid] = texts[language]
		text.Dates = dates
	})
}

// TextsOfDate returns the translations of the texts of a date by their languages.
func (e *Event) TextsOfDate(uuid string) map[string]adminapi.DateText {
	texts := map[string]adminapi.DateText{}
	for language, text := range e.Texts {
		if of, translated := text.Dates[uuid]; translated {
			texts[language] = of
		}
	}
	return texts
}

// addLanguages adds to a copy of the translations of an event those of further languages.
func addLanguages[T any](e *Event, texts map[string]T) {
	all := make(adminapi.EventTexts, len(texts))
	for language := range texts {
		if language != string(e.TextLanguage) {
			all[language] = adminapi.EventText{}
		}
	}
	maps.Copy(all, e.Texts)
	e.Texts = all
}

// changeTexts changes each translation of a copy of them.
func (e *Event) changeTexts(change func(language string, text *adminapi.EventText)) {
	e.Texts = changed(e.Texts, change)
}

// changed returns a copy of translations in which each is changed.
func changed[M ~map[string]T, T any, P interface{ *T }](given M, change func(language string, text P)) M {
	texts := make(M, len(given))
	for language, text := range given {
		change(language, &text)
		texts[language] = text
	}
	return texts
}

// DropStatusNotes removes the translations of the status notes.
func (e *Event) DropStatusNotes() {
	e.changeTexts(func(_ string, text *adminapi.EventText) {
		text.StatusNote, text.Dates = "", maps.Clone(text.Dates)
		for uuid, date := range text.Dates {
			text.Dates[uuid] = adminapi.DateText{AccessibilityInfo: date.AccessibilityInfo}
		}
	})
}
