package eventfile

import (
	"html"
	"regexp"
	"slices"
)

// texts are the fields for people, in which some programs write characters as HTML entities.
var texts = []string{
	FieldTitle, FieldSubtitle, FieldSummary, FieldDescription, FieldVenue, FieldSpace, FieldTags,
}

// entity is an HTML entity. Without its semicolon it may be a text such as AT&T.
var entity = regexp.MustCompile(`&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

// unescape returns the text of a field with the characters of its entities.
func unescape(field, text string) string {
	if !slices.Contains(texts, field) {
		return text
	}
	return entity.ReplaceAllStringFunc(text, func(found string) string {
		if character := html.UnescapeString(found); character != "\u00a0" {
			return character
		}
		return " "
	})
}
