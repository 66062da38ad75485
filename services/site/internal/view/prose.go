package view

import (
	"html"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"
	"github.com/microcosm-cc/bluemonday"

	"litfass/pkg/ui"
)

// Prose shows a text of organizers in Markdown. One that cannot be read is shown as it is.
func Prose(text string) templ.Component {
	markup, err := ui.Markdown(text)
	if err != nil {
		markup = html.EscapeString(text)
	}
	return templ.Raw(markup)
}

// withoutMarkup leaves the text of HTML.
var withoutMarkup = bluemonday.StrictPolicy()

// Describe returns the first of some texts in Markdown that is not empty as one line of plain text
// of at most about 200 characters, as search engines and share cards show it.
func Describe(texts ...string) string {
	for _, text := range texts {
		markup, err := ui.Markdown(text)
		if err != nil {
			continue
		}
		plain := html.UnescapeString(withoutMarkup.Sanitize(markup))
		if line := strings.Join(strings.Fields(plain), " "); line != "" {
			return shorten(line)
		}
	}
	return ""
}

// maxDescription is the length of a description in characters, about.
const maxDescription = 200

// shorten cuts a line after a word if it is too long.
func shorten(line string) string {
	if utf8.RuneCountInString(line) <= maxDescription {
		return line
	}
	cut := string([]rune(line)[:maxDescription])
	if space := strings.LastIndexByte(cut, ' '); space > 0 {
		cut = cut[:space]
	}
	return cut + " …"
}
