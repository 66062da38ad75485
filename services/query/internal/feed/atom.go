package feed

import (
	"encoding/xml"
	"time"
)

// atom is a document of Atom (RFC 4287).
type atom struct {
	XMLName   xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID        string      `xml:"id"`
	Title     string      `xml:"title"`
	Updated   string      `xml:"updated"`
	Links     []atomLink  `xml:"link"`
	Logo      string      `xml:"logo,omitempty"` // twice as wide as high
	Generator string      `xml:"generator"`
	Author    atomAuthor  `xml:"author"`
	Entries   []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomAuthor struct {
	Name string `xml:"name"`
}

type atomEntry struct {
	ID         string         `xml:"id"`
	Title      atomText       `xml:"title"`
	Published  string         `xml:"published"`
	Updated    string         `xml:"updated"`
	Links      []atomLink     `xml:"link"`
	Author     *atomAuthor    `xml:"author"`
	Categories []atomCategory `xml:"category"`
	Content    atomContent    `xml:"content"`
}

type atomText struct {
	Language string `xml:"xml:lang,attr,omitempty"`
	Text     string `xml:",chardata"`
}

type atomCategory struct {
	Term string `xml:"term,attr"`
}

type atomContent struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

// Atom writes Atom: an entry for each date, and a link to the next page.
func Atom(f Feed) ([]byte, error) {
	items, err := f.timed()
	if err != nil {
		return nil, err
	}
	document := atom{
		ID: f.Self, Title: line(f.Title), Logo: f.picture("2:1", 960), Generator: generator, Author: atomAuthor{line(f.Site.Name)},
		Updated: time.Unix(max(f.changed().Unix(), 0), 0).UTC().Format(time.RFC3339), // required also without entries
		Links: []atomLink{
			{Rel: "self", Type: "application/atom+xml", Href: f.Self}, {Rel: "alternate", Type: "text/html", Href: f.Page},
		},
	}
	if f.Next != "" {
		document.Links = append(document.Links, atomLink{Rel: "next", Type: "application/atom+xml", Href: f.Next})
	}
	for _, i := range items {
		document.Entries = append(document.Entries, entryOf(f.Site, i))
	}
	return writeXML(document)
}

func entryOf(s Site, i timedItem) atomEntry {
	entry := atomEntry{
		ID: i.urn(), Title: atomText{i.TextLanguage, i.title()}, Content: atomContent{"html", i.markup()},
		Published: i.created().Format(time.RFC3339), Updated: i.changed().Format(time.RFC3339),
		Links: []atomLink{{Rel: "alternate", Type: "text/html", Href: i.page(s)}},
	}
	if author := line(i.OrgName); author != "" {
		entry.Author = &atomAuthor{author}
	}
	for _, word := range i.keywords() {
		entry.Categories = append(entry.Categories, atomCategory{word})
	}
	return entry
}
