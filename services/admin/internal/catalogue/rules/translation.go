package rules

import (
	"maps"
	"slices"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
)

// normalizeTexts brings translations into their stored form. A language without a text is removed,
// as is an image without one.
func (e *Event) normalizeTexts() {
	cleanLower(&e.TextLanguage)
	texts := make(adminapi.EventTexts, len(e.Texts))
	for _, language := range slices.Sorted(maps.Keys(e.Texts)) {
		text := e.Texts[language]
		cleanLower(&language)
		cleanLines(&text.Title, &text.Subtitle, &text.MeetingPoint)
		cleanTexts(&text.Summary, &text.Description, &text.ParticipationInfo, &text.StatusNote)
		text.Images, text.Dates = cleanParts(text.Images, cleanImageText), cleanParts(text.Dates, cleanDateText)
		if !IsBlank(text) {
			texts[language] = text
		}
	}
	e.Texts = texts
}

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

// IsBlank reports whether a translation has no text.
func IsBlank(text adminapi.EventText) bool {
	for _, field := range text.Fields() {
		if *field != "" {
			return false
		}
	}
	return len(text.Images) == 0 && len(text.Dates) == 0
}

// checkTranslations checks the translations by the rules of the original texts. None is in the
// language of the original.
func (e *Event) checkTranslations(c checker) {
	if e.TextLanguage != "" {
		c.siteLanguage("text_language", string(e.TextLanguage))
	}
	for _, language := range slices.Sorted(maps.Keys(e.Texts)) {
		field, text := "texts."+language, e.Texts[language]
		c.siteLanguage(field, language)
		if language == string(e.TextLanguage) {
			c.bad(field, reason.OriginalLanguage)
		}
		given := text.Fields()
		for _, name := range slices.Sorted(maps.Keys(given)) {
			c.text(field+"."+name, string(*given[name]), maxTranslation[name])
		}
		for _, uuid := range slices.Sorted(maps.Keys(text.Images)) {
			image, at := text.Images[uuid], field+".images."+uuid
			if !e.hasImage(uuid) {
				c.bad(at, reason.NotImage)
			}
			c.text(at+".alt_text", string(image.AltText), adminapi.MaxTitle)
			c.text(at+".description", string(image.Description), adminapi.MaxText)
		}
		e.checkDateTexts(c, field+".dates.", text.Dates)
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

// maxTranslation are the maximum lengths of translated texts, those of the originals.
var maxTranslation = map[string]int{
	"title": adminapi.MaxTitle, "subtitle": adminapi.MaxTitle, "summary": adminapi.MaxText, "description": adminapi.MaxDescription,
	"participation_info": adminapi.MaxText, "meeting_point": adminapi.MaxTitle, "status_note": adminapi.MaxReason,
}

// DropTextsOfImages removes the translations of the texts of images that the event does not have
// any more.
func (e *Event) DropTextsOfImages() {
	e.renameTextsOfImages(func(uuid string) string {
		if e.hasImage(uuid) {
			return uuid
		}
		return ""
	})
}

// MoveTextsOfImages gives the translations of the texts of images to others: renamed are the uuids
// by those of before.
func (e *Event) MoveTextsOfImages(renamed map[string]string) {
	e.renameTextsOfImages(func(uuid string) string { return renamed[uuid] })
}

// renameTextsOfImages replaces the uuids of images; "" removes the texts of one.
func (e *Event) renameTextsOfImages(name func(uuid string) string) {
	e.changeTexts(func(_ string, text *adminapi.EventText) { text.Images = renameParts(text.Images, name) })
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
	texts := make(adminapi.EventTexts, len(e.Texts))
	for language, text := range e.Texts {
		change(language, &text)
		texts[language] = text
	}
	e.Texts = texts
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
