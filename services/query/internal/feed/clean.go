package feed

import (
	"html"
	"net/url"
	"strings"
	"unicode"

	"litfass/pkg/contracts/value"
)

// clean removes characters that XML forbids and calendars cannot hold: control characters except
// tabs and line feeds, and code points that are not characters. Every line ends with a line feed.
func clean(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\r' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r) || r&0xFFFE == 0xFFFE:
			return -1
		default:
			return r
		}
	}, text))
}

// line returns a cleaned text in one line.
func line(text string) string { return strings.Join(strings.Fields(clean(text)), " ") }

// link returns an address that may become a link: an absolute one of the web; else "".
func link(address value.Text) string {
	parsed, err := url.Parse(string(address))
	if err != nil || parsed.Host == "" || (parsed.Scheme != "http" && parsed.Scheme != "https") {
		return ""
	}
	return parsed.String()
}

// markup returns a date as feed readers show it, in HTML: the status, time, place, image and texts.
func (i timedItem) markup() string {
	var b strings.Builder
	if status := i.status(); status != "" {
		b.WriteString("<p><strong>" + html.EscapeString(status) + "</strong></p>")
	}
	if note := clean(i.StatusNote); note != "" {
		b.WriteString("<p>" + strings.ReplaceAll(html.EscapeString(note), "\n", "<br>") + "</p>")
	}
	for _, fact := range []string{i.moved(), i.tickets()} {
		if fact != "" {
			b.WriteString("<p>" + html.EscapeString(fact) + "</p>")
		}
	}
	b.WriteString("<p>" + html.EscapeString(i.when()))
	if place := i.place(); place != "" {
		b.WriteString("<br>" + html.EscapeString(place))
	}
	b.WriteString("</p>")
	if picture := link(i.ImagePath); picture != "" {
		b.WriteString(`<p><img src="` + html.EscapeString(picture) + `" alt=""></p>`)
	}
	if subtitle := line(i.Subtitle); subtitle != "" {
		b.WriteString("<p>" + html.EscapeString(subtitle) + "</p>")
	}
	b.WriteString(asHTML(i.Summary))
	if i.Details != nil {
		b.WriteString(asHTML(i.Details.Description))
	}
	return b.String()
}
