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

// describe returns the first of some texts in Markdown that is not empty as one line of plain text
// of at most about 200 characters, as search engines and share cards show it.
func describe(texts ...string) string {
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

// longest is how many characters of a description are shown, about.
const longest = 200

// shorten cuts a line behind a word, if it is too long.
func shorten(line string) string {
	if utf8.RuneCountInString(line) <= longest {
		return line
	}
	cut := string([]rune(line)[:longest])
	if space := strings.LastIndexByte(cut, ' '); space > 0 {
		cut = cut[:space]
	}
	return cut + " …"
}
