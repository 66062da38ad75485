package sitemap

import (
	"bytes"
	"encoding/xml"
	"strconv"
)

const (
	declaration = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	namespace   = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
)

// writeIndex returns an index of this many files, without their modification times: these would
// require reading all of them.
func writeIndex(base string, files int) []byte {
	var b bytes.Buffer
	b.WriteString(declaration + "<sitemapindex " + namespace + ">\n")
	for number := range files {
		b.WriteString("<sitemap>")
		element(&b, "loc", base+"/sitemap/"+strconv.Itoa(number+1)+".xml")
		b.WriteString("</sitemap>\n")
	}
	b.WriteString("</sitemapindex>\n")
	return b.Bytes()
}

// writeFile returns a file of pages.
func writeFile(base string, pages []page) []byte {
	var b bytes.Buffer
	b.WriteString(declaration + "<urlset " + namespace + ">\n")
	for _, p := range pages {
		b.WriteString("<url>")
		element(&b, "loc", base+p.path)
		if p.changed != "" {
			element(&b, "lastmod", p.changed)
		}
		b.WriteString("</url>\n")
	}
	b.WriteString("</urlset>\n")
	return b.Bytes()
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
