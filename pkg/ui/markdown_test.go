package ui

import (
	"strings"
	"testing"
)

func TestMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		"":                                "",
		"Jazz & *Soul*":                   "<p>Jazz &amp; <em>Soul</em></p>\n",
		"# Big\n\ntext":                   "<h3>Big</h3>\n<p>text</p>\n",
		"[x](https://a.example/?a=1&b=2)": `<p><a href="https://a.example/?a=1&amp;b=2" rel="nofollow noreferrer">x</a></p>` + "\n",
		"1. a\n2. b":                      "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n",
	} {
		got, err := Markdown(in)
		if err != nil || got != want {
			t.Errorf("%q: got %q (%v), want %q", in, got, err, want)
		}
	}
}

// TestMarkdownIsHarmless: no text makes a page run, load or submit anything.
func TestMarkdownIsHarmless(t *testing.T) {
	for _, text := range []string{
		"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "![x](https://a.example/x.png)",
		"[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](data:text/html,<script>alert(1)</script>)",
		"<javascript:alert(1)>", "[x](//a.example)", "<a href='https://a' onclick='x'>", "<form action=/x><input>",
		"<style>*{display:none}</style>", "<iframe src=https://a.example>", "# <svg onload=alert(1)>",
		"[a]: javascript:x\n[a]", "<h1 onclick=x>", "<h2/onmouseover=alert(1)>",
	} {
		html, err := Markdown(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{
			"<script", "<img", "<svg", "<form", "<style", "<iframe", "<input", "<h2", " onclick=\"", "<a href=https://a onclick",
			`href="javascript`, `href="data`, `href="//`,
		} {
			if strings.Contains(strings.ToLower(html), bad) {
				t.Errorf("%q becomes %q", text, html)
			}
		}
	}
}
