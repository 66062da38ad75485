package embed

import (
	"fmt"
	"html"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// Snippet is the data of the code for another website.
type Snippet struct {
	Public                     string     // address of the site
	Filter                     url.Values // in the API's parameters
	View, Heading, Theme, Lang string     // "" for the usual one
	Rows                       int        // whose height the element takes; 0: as its content needs
}

const (
	// rowHeight and aroundRows are the heights of a row of the element and of the parts around the
	// rows, in pixels: the same as in widget/style.ts.
	rowHeight  = 72
	aroundRows = 120
	// frameHeight is that of a frame until its page has named its own, in pixels.
	frameHeight = 600
)

// attribute is one of the element's.
type attribute struct{ name, value string }

// attributeName is how parameters of the API are named. Others are written nowhere.
var attributeName = regexp.MustCompile(`^[a-z_]+$`)

// attributes returns the attributes of the element: first the filter, then its look.
func (s Snippet) attributes() []attribute {
	var all []attribute
	for _, name := range slices.Sorted(maps.Keys(s.Filter)) {
		if attributeName.MatchString(name) {
			all = append(all, attribute{name, strings.Join(s.Filter[name], ",")})
		}
	}
	for _, a := range []attribute{
		{"view", s.View}, {"heading", s.Heading}, {"theme", s.Theme}, {"lang", s.Lang}, {"rows", s.rows()},
	} {
		if a.value != "" {
			all = append(all, a)
		}
	}
	return all
}

func (s Snippet) rows() string {
	if s.Rows == 0 {
		return ""
	}
	return strconv.Itoa(s.Rows)
}

// Attributes returns the attributes of the element for a page of the site.
func (s Snippet) Attributes() templ.Attributes {
	attributes := templ.Attributes{}
	for _, a := range s.attributes() {
		attributes[a.name] = a.value
	}
	return attributes
}

// Element returns the code of the element. more is the text of the link that stays in it where
// scripts are blocked.
func (s Snippet) Element(more string) string {
	var code strings.Builder
	fmt.Fprintf(&code, "<script src=\"%s/widget.v1.js\" async></script>\n<litfass-events", html.EscapeString(s.Public))
	for _, a := range s.attributes() {
		fmt.Fprintf(&code, ` %s="%s"`, a.name, html.EscapeString(a.value))
	}
	if s.Rows > 0 { // the place is there before the script is
		fmt.Fprintf(&code, ` style="display: block; min-height: %dpx"`, s.Rows*rowHeight+aroundRows)
	}
	fmt.Fprintf(&code, ">\n  <a href=\"%s\">%s</a>\n</litfass-events>\n", html.EscapeString(s.list()), html.EscapeString(more))
	return code.String()
}

// IFrame returns the code of the frame. title names it to readers of screens.
func (s Snippet) IFrame(title string) string {
	if s.Heading != "" {
		title = s.Heading
	}
	return fmt.Sprintf(
		"<iframe data-litfass src=\"%s\" title=\"%s\" loading=\"lazy\" style=\"width: 100%%; height: %dpx; border: 0\"></iframe>\n"+
			"<script src=\"%s/widget.v1.js\" async></script>\n",
		html.EscapeString(s.page("")), html.EscapeString(title), frameHeight, html.EscapeString(s.Public),
	)
}

// Include returns the code of the server-side include in PHP, with a link in case the site does
// not answer. An encoded address holds neither quotes nor backslashes.
func (s Snippet) Include(more string) string {
	link := fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(s.list()), html.EscapeString(more))
	return fmt.Sprintf("<?= @file_get_contents('%s') ?: '%s' ?>\n", s.Fragment(), phpText.Replace(link))
}

var phpText = strings.NewReplacer(`\`, `\\`, `'`, `\'`)

// Fragment returns the address of the HTML for includes.
func (s Snippet) Fragment() string { return s.page("fragment") }

// page returns the address of the page for frames, or in another format.
func (s Snippet) page(format string) string {
	parameters := s.named(s.Filter)
	for name, value := range map[string]string{"view": s.View, "heading": s.Heading, "theme": s.Theme, "format": format} {
		if value != "" {
			parameters.Set(name, value)
		}
	}
	return s.Public + "/embed?" + parameters.Encode()
}

// list returns the address of the list of all that the filter finds.
func (s Snippet) list() string {
	parameters := s.named(s.Filter)
	parameters.Del("limit")
	return strings.TrimSuffix(s.Public+"/?"+parameters.Encode(), "?")
}

// named returns the parameters with the language, if one is set.
func (s Snippet) named(parameters url.Values) url.Values {
	all := url.Values{}
	for name, values := range parameters {
		if attributeName.MatchString(name) {
			all[name] = values
		}
	}
	if s.Lang != "" {
		all.Set("lang", s.Lang)
	}
	return all
}
