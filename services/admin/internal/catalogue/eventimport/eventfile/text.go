package eventfile

import (
	"html"
	"regexp"
	"slices"
	"strings"
)

// texts are the fields for people, in which some programs write characters as HTML entities.
var texts = []string{
	FieldTitle, FieldSubtitle, FieldSummary, FieldDescription, FieldVenue, FieldSpace, FieldTags,
}

// entity is an HTML entity. Without its semicolon it may be a text such as AT&T.
var entity = regexp.MustCompile(`&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

// markup are the tags of HTML that calendars have in descriptions.
var (
	markup = regexp.MustCompile(`(?i)<(/?)(p|br|div|span|b|strong|i|em|u|a|ul|ol|li|h[1-6]|html|body|font|hr|blockquote|html-blob)(?:\s+[\w-]+=(?:"[^"]*"|'[^']*'|[^\s<>"']+))*\s*/?>`)
	anchor = regexp.MustCompile(`(?i)<a\s[^<>]*href="(https?://[^"<>]+)"[^<>]*>([^<>]*)</a>`)
	gaps   = regexp.MustCompile(`\s*\n\s*\n\s*`)
)

// markdown returns a text with tags of HTML as Markdown, and any other text unchanged.
func markdown(text string) string {
	if !markup.MatchString(text) {
		return text
	}
	text = anchor.ReplaceAllString(text, "[$2]($1)")
	text = markup.ReplaceAllStringFunc(text, func(tag string) string {
		part := markup.FindStringSubmatch(tag)
		switch closes, name := part[1] != "", strings.ToLower(part[2]); {
		case name == "b" || name == "strong":
			return "**"
		case name == "i" || name == "em":
			return "*"
		case name == "br":
			return "\n"
		case name == "li" && !closes:
			return "\n- "
		case name == "li" || name == "span" || name == "a" || name == "u" || name == "font":
			return ""
		default: // a block
			return "\n\n"
		}
	})
	return strings.TrimSpace(gaps.ReplaceAllString(text, "\n\n"))
}

// unescape returns the text of a field with the characters of its entities.
func unescape(field, text string) string {
	if !slices.Contains(texts, field) {
		return text
	}
	if field == FieldDescription || field == FieldSummary {
		text = markdown(text)
	}
	return entity.ReplaceAllStringFunc(text, func(found string) string {
		if character := html.UnescapeString(found); character != "\u00a0" {
			return character
		}
		return " "
	})
}
