package sitemap

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"
)

const (
	declaration = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	namespace   = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
	alternates  = `xmlns:xhtml="http://www.w3.org/1999/xhtml"`
)

// writeIndex returns an index of the file of lists and of this many other ones, without their
// modification times: these would require reading all of them.
func writeIndex(base string, files int) []byte {
	var b bytes.Buffer
	b.WriteString(declaration + "<sitemapindex " + namespace + ">\n")
	link := func(name string) {
		b.WriteString("<sitemap>")
		element(&b, "loc", base+"/sitemap/"+name+".xml")
		b.WriteString("</sitemap>\n")
	}
	link("lists")
	for number := range files {
		link(strconv.Itoa(number + 1))
	}
	b.WriteString("</sitemapindex>\n")
	return b.Bytes()
}

// writeFile returns a file of pages, each in every language with links to the others.
func (r *Reader) writeFile(pages []page) []byte {
	var b bytes.Buffer
	b.WriteString(declaration + "<urlset " + namespace + " " + alternates + ">\n")
	for _, p := range pages {
		for _, code := range r.languages {
			b.WriteString("<url>")
			element(&b, "loc", r.address(p.path, code))
			if p.changed != "" {
				element(&b, "lastmod", p.changed)
			}
			r.writeAlternates(&b, p.path)
			b.WriteString("</url>\n")
		}
	}
	b.WriteString("</urlset>\n")
	return b.Bytes()
}

// writeAlternates links the page of a path in each language.
func (r *Reader) writeAlternates(b *bytes.Buffer, path string) {
	link := func(code, address string) {
		b.WriteString(`<xhtml:link rel="alternate" hreflang="` + code + `" href="`)
		_ = xml.EscapeText(b, []byte(address)) // a buffer takes everything
		b.WriteString(`"/>`)
	}
	for _, code := range r.languages {
		link(code, r.address(path, code))
	}
	link("x-default", r.address(path, r.language))
}

// address returns the address of a page in a language, as the page's own canonical link names it.
func (r *Reader) address(path, code string) string {
	switch {
	case code == r.language:
		return r.base + path
	case strings.Contains(path, "?"):
		return r.base + path + "&lang=" + code
	default:
		return r.base + path + "?lang=" + code
	}
}

func element(b *bytes.Buffer, name, text string) {
	b.WriteString("<" + name + ">")
	_ = xml.EscapeText(b, []byte(text)) // a buffer takes everything
	b.WriteString("</" + name + ">")
}

// Robots returns robots.txt: programs may read pages, images and the feeds that people subscribe
// to, but not the rest of the API, whose filters are endless.
func (r *Reader) Robots() []byte {
	return []byte("User-agent: *\nAllow: /\nDisallow: /api/\nAllow: /api/image/\n" +
		"Allow: /api/*.ics\nAllow: /api/*.rss\nAllow: /api/*.atom\n\nSitemap: " + r.base + "/sitemap.xml\n")
}
