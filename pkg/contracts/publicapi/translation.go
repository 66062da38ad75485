package publicapi

import (
	"bytes"

	"litfass/pkg/chassis/strictjson"
)

// The translations of texts have the keys of the texts that they stand for. An absent one is that
// of the original.

// EntryText are the texts of an entry in another language.
type EntryText struct {
	Title        string `json:"title,omitempty"`
	Subtitle     string `json:"subtitle,omitempty"`
	Summary      string `json:"summary,omitempty"`
	ImageAltText string `json:"image_alt_text,omitempty"`
	StatusNote   string `json:"status_note,omitempty"`
}

// EventText are the texts of an event in another language.
type EventText struct {
	Title             string `json:"title,omitempty"`
	Subtitle          string `json:"subtitle,omitempty"`
	Summary           string `json:"summary,omitempty"`
	Description       string `json:"description,omitempty"`
	ParticipationInfo string `json:"participation_info,omitempty"`
	MeetingPoint      string `json:"meeting_point,omitempty"`
	StatusNote        string `json:"status_note,omitempty"`
}

// SeriesText are the texts of a series in another language.
type SeriesText struct {
	Title       string `json:"title,omitempty"`
	Subtitle    string `json:"subtitle,omitempty"`
	Description string `json:"description,omitempty"`
}

// SeriesTitle is the text of a series with its events in another language.
type SeriesTitle struct {
	Title string `json:"title,omitempty"`
}

// ImageText are the texts of an image in another language.
type ImageText struct {
	AltText     string `json:"alt_text,omitempty"`
	Description string `json:"description,omitempty"`
}

// DateText are the texts of a date in another language.
type DateText struct {
	StatusNote        string `json:"status_note,omitempty"`
	AccessibilityInfo string `json:"accessibility_info,omitempty"`
}

// The keys that InLanguage reads and writes.
const (
	keyTexts        = "texts"
	keyTextLanguage = "text_language"
	keyTitle        = "title"
)

// InLanguage returns the JSON of an entry, an event or a series with its texts in a language, as
// far as they exist in it: those of its images, dates and series, too. text_language becomes the
// language where the title does. All else stays as it is, byte for byte. The JSON must be that of
// this program.
func InLanguage(object []byte, language string) []byte {
	translated := textsIn(object, language)
	data := append(make([]byte, 0, len(object)+len(object)/4), '{')
	for key, member := range strictjson.Members(object) {
		if len(data) > 1 {
			data = append(data, ',')
		}
		data = append(append(append(data, '"'), key...), `":`...)
		text, found := translated[key]
		switch _, titled := translated[keyTitle]; {
		case found:
			data = append(data, text...)
		case key == keyTextLanguage && titled:
			data = append(append(append(data, '"'), language...), '"')
		case key == "images" || key == "dates" || key == "series":
			data = appendElements(data, member, language)
		case key == "image" && string(member) != "null":
			data = append(data, InLanguage(member, language)...)
		default:
			data = append(data, member...)
		}
	}
	return append(data, '}')
}

// appendElements appends a list of objects in a language.
func appendElements(data, list []byte, language string) []byte {
	data = append(data, '[')
	for element := range strictjson.Elements(list) {
		if data[len(data)-1] != '[' {
			data = append(data, ',')
		}
		data = append(data, InLanguage(element, language)...)
	}
	return append(data, ']')
}

// textsIn returns the JSON of the texts of an object in a language by their keys; nil without any.
func textsIn(object []byte, language string) map[string][]byte {
	for key, member := range strictjson.Members(object) {
		if key != keyTexts {
			continue
		}
		for code, translation := range strictjson.Members(member) {
			if code != language {
				continue
			}
			texts := map[string][]byte{}
			for name, text := range strictjson.Members(translation) {
				texts[name] = text
			}
			return texts
		}
	}
	return nil
}

// LanguagesOf returns the languages into which an entry is translated, of its members: its JSON
// with or without the opening bracket.
func LanguagesOf(members []byte) (languages []string) {
	// No text has this: quotation marks in texts are escaped.
	_, texts, found := bytes.Cut(members, []byte(`"`+keyTexts+`":{"`))
	if !found {
		return nil
	}
	texts = append([]byte(`{"`), texts...)
	for code := range strictjson.Members(texts[:max(strictjson.ValueEnd(texts, 0), 0)]) {
		languages = append(languages, code)
	}
	return languages
}
