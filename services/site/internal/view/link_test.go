package view

import (
	"strings"
	"testing"
)

func TestSafeLink(t *testing.T) {
	for given, want := range map[string]string{
		"https://a.example/b?c=1&d=%20#e":    "https://a.example/b?c=1&d=%20#e",
		"http://a.example":                   "http://a.example",
		"\thttps://a.example\n":              "https://a.example",
		"HTTPS://a.example/ä":                "https://a.example/%C3%A4",
		"":                                   "",
		"javascript:alert(1)":                "",
		"JaVaScRiPt://a.example/%0aalert(1)": "",
		"data:text/html,x":                   "",
		"//a.example":                        "",
		"/event/1":                           "",
		"https:a.example":                    "",
		"https://":                           "",
		"https://user:pw@a.example":          "",
		"https://bank.example@a.example":     "",
		"java\nscript:alert(1)":              "",
		"https://a.example/\x00":             "",
		"mailto:a@b.example":                 "",
	} {
		if got := string(SafeLink(given)); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
	if site := SiteOf("https://www.a.example.:8443/b"); site != "a.example" {
		t.Errorf("the site is %q", site)
	}
}

func TestLinksOfContacts(t *testing.T) {
	for given, want := range map[string]string{
		"anna@a.example": "mailto:anna@a.example", "anna": "", "Anna <anna@a.example>": "",
		"a?bcc=b@c.example": "mailto:a%3Fbcc%3Db@c.example", "a@b.example\r\nBcc: c@d.example": "",
	} {
		if got := string(MailLink(given)); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
	for given, want := range map[string]string{
		"+49 461 / 123-45": "tel:+4946112345", "0461 1234": "tel:04611234", "12": "", "": "",
		"ask at the door": "", "0461 1234 (mornings)": "",
	} {
		if got := string(PhoneLink(given)); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
	lat, lon := 54.79, 9.43
	if got := string(GeoLink(&lat, &lon)); got != "geo:54.790000,9.430000" {
		t.Errorf("the place is %q", got)
	}
	if got := GeoLink(&lat, nil); got != "" {
		t.Errorf("half a place is %q", got)
	}
}

func TestDescriptions(t *testing.T) {
	long := strings.Repeat("word ", 100)
	for want, given := range map[string][]string{
		"":                    {"", " \n"},
		"Jazz & soul tonight": {"", "*Jazz* & **soul**\n\n[tonight](https://a.example)"},
		"b":                   {"<script>x</script>a", "b"},
		strings.TrimSpace(strings.Repeat("word ", 40)) + " …": {long},
	} {
		if got := Describe(given...); got != want {
			t.Errorf("%q is described as %q, want %q", given, got, want)
		}
	}
}
