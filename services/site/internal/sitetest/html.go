package sitetest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Attributes returns the values of an attribute in a page, in order.
func Attributes(page, name string) (values []string) {
	for _, match := range regexp.MustCompile(` `+name+`="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		values = append(values, html.UnescapeString(match[1]))
	}
	return values
}

// Elements returns the elements of a page.
func Elements(t *testing.T, page string) (all []*html.Node) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for node := range root.Descendants() {
		if node.Type == html.ElementNode {
			all = append(all, node)
		}
	}
	return all
}

// HostileWords are texts that must reach no page as anything but text.
var HostileWords = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, `javascript:alert(1)`,
	`</title><svg onload=alert(1)>`, strings.Repeat("Donaudampfschifffahrt", 100), "\u202Eevil\u202C", "🎷🎺 مرحبا",
}

// WantHarmless fails for a page that holds an element or an address which its templates do not.
func WantHarmless(t *testing.T, address, html string) {
	t.Helper()
	lower := strings.ToLower(html)
	for _, bad := range []string{"<script>", "onerror=alert(1)>", "<svg onload", `href="javascript`, `src="javascript`, " onmouseover='"} {
		if strings.Contains(lower, bad) {
			t.Errorf("%s shows %s", address, bad)
		}
	}
}

// HostileTexts are texts of organizers that must stay texts.
var HostileTexts = []string{
	`"><script>alert(1)</script><img src=x onerror=alert(1)>`, `</script><script>alert(1)</script>`,
	`javascript:alert(1)`, ` JaVaScRiPt:alert(1)`, `data:text/html,<script>alert(1)</script>`, `//evil.example/x`,
	`[x](javascript:alert(1)) ![x](https://evil.example/x.png) <a href="javascript:x" onclick=x>`,
	`https://bank.example@evil.example/`, strings.Repeat("W", 2000), "\u202eמזרח 🎭👩🏽‍🎤\u202c", `' onfocus=alert(1) autofocus '`,
	"x", `{{.Title}} %s ${a}`,
}

// CheckHarmless fails for an element that runs, loads or submits something.
func CheckHarmless(t *testing.T, where string, element *html.Node) {
	t.Helper()
	if slices.Contains([]string{"iframe", "object", "embed", "base", "style", "math", "template", "audio", "video"}, element.Data) {
		t.Errorf("%s: there is <%s>", where, element.Data)
	}
	attributes := map[string]string{}
	for _, attribute := range element.Attr {
		attributes[attribute.Key] = attribute.Val
		if strings.HasPrefix(attribute.Key, "on") || attribute.Key == "style" || attribute.Key == "autofocus" {
			t.Errorf("%s: <%s> has %s", where, element.Data, attribute.Key)
		}
	}
	if element.Data == "script" && attributes["src"] == "" {
		content := element.FirstChild.Data
		if attributes["type"] != "application/ld+json" || !json.Valid([]byte(content)) || strings.Contains(content, "<") {
			t.Errorf("%s: there is a script %s", where, content)
		}
	}
	for _, name := range []string{"href", "src", "action", "formaction"} {
		checkAddress(t, where, element.Data, name, attributes[name])
	}
}

func checkAddress(t *testing.T, where, element, name, address string) {
	t.Helper()
	own := strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") || strings.HasPrefix(address, "#") || strings.HasPrefix(address, "?")
	scheme, _, _ := strings.Cut(address, ":")
	linked := slices.Contains([]string{"https", "http", "mailto", "tel", "geo"}, scheme)
	switch {
	case address == "" || own:
	case element == "a" && linked:
	case element == "link" && strings.HasPrefix(address, "https://litfass.example/"):
	default:
		t.Errorf("%s: <%s> has %s=%q", where, element, name, address)
	}
}
