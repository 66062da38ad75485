// Package ui holds what the pages of the site and of the console share: texts of organizers as safe
// HTML, icons, and the Content-Security-Policy. The shared styles are in css.
package ui

import (
	"bytes"
	"regexp"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

// markdown reads CommonMark with bare links. HTML in the text is left out.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.NewLinkify(), extension.Strikethrough),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
)

// safe lets through the elements that descriptions need. Links state that the site does not vouch
// for them. Images are left out: a page loads nothing from other hosts.
var safe = policy()

func policy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "em", "strong", "del", "blockquote", "code", "pre", "ul", "ol", "li")
	p.AllowElements("h3", "h4", "h5", "h6")
	p.AllowAttrs("start").Matching(regexp.MustCompile(`^\d{1,4}$`)).OnElements("ol")
	p.AllowStandardURLs()
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	p.AllowRelativeURLs(false)
	p.AllowAttrs("href").OnElements("a")
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	return p
}

// headings moves the headings of a text below the headings of the page that shows it.
var headings = regexp.MustCompile(`<(/?)h([12])\b[^>]*>`)

// Markdown returns the safe HTML of a text in Markdown. A text without any markup becomes
// paragraphs.
func Markdown(text string) (string, error) {
	var html bytes.Buffer
	if err := markdown.Convert([]byte(text), &html); err != nil {
		return "", err
	}
	lowered := headings.ReplaceAll(html.Bytes(), []byte("<${1}h3>"))
	return string(safe.SanitizeBytes(lowered)), nil
}
