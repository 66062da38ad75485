package feed

import (
	"encoding/xml"
	"fmt"
	"time"
)

// rss is a document of RSS 2.0. The self link is of the namespace of Atom, the author, who needs no
// e-mail address there, of Dublin Core.
type rss struct {
	XMLName xml.Name   `xml:"rss"`
	Version string     `xml:"version,attr"`
	Atom    string     `xml:"xmlns:atom,attr"`
	DC      string     `xml:"xmlns:dc,attr"`
	Channel rssChannel `xml:"channel"`
}

type rssChannel struct {
	Title       string     `xml:"title"`
	Link        string     `xml:"link"`
	Description string     `xml:"description"`
	Self        atomLink   `xml:"atom:link"`
	Generator   string     `xml:"generator"`
	Changed     string     `xml:"lastBuildDate,omitempty"`
	Image       *rssImage  `xml:"image"`
	Minutes     int        `xml:"ttl"`
	Items       []rssEntry `xml:"item"`
}

type rssImage struct {
	URL   string `xml:"url"`
	Title string `xml:"title"`
	Link  string `xml:"link"`
}

type rssEntry struct {
	Title       string   `xml:"title"`
	Link        string   `xml:"link"`
	ID          rssID    `xml:"guid"`
	Published   string   `xml:"pubDate"`
	Updated     string   `xml:"atom:updated"`
	Author      string   `xml:"dc:creator,omitempty"`
	Categories  []string `xml:"category"`
	Description string   `xml:"description"`
}

type rssID struct {
	IsPermaLink bool   `xml:"isPermaLink,attr"`
	ID          string `xml:",chardata"`
}

const (
	atomNamespace = "http://www.w3.org/2005/Atom"
	dcNamespace   = "http://purl.org/dc/elements/1.1/"
	generator     = "Litfass"
	rssMinutes    = 60 // after which readers should look again
)

// RSS writes RSS 2.0: an item for each date.
func RSS(f Feed) ([]byte, error) {
	items, err := f.timed()
	if err != nil {
		return nil, err
	}
	document := rss{Version: "2.0", Atom: atomNamespace, DC: dcNamespace, Channel: rssChannel{
		Title: line(f.Title), Link: f.Page, Description: line(f.Title), Generator: generator, Minutes: rssMinutes,
		Self: atomLink{Rel: "self", Type: "application/rss+xml", Href: f.Self},
	}}
	if last := f.changed(); !last.IsZero() {
		document.Channel.Changed = last.Format(time.RFC1123Z)
	}
	if picture := f.picture("3:2", 480); picture != "" {
		document.Channel.Image = &rssImage{picture, line(f.Title), f.Page}
	}
	for _, i := range items {
		document.Channel.Items = append(document.Channel.Items, rssEntry{
			Title: i.title(), Link: i.page(f.Site), ID: rssID{ID: i.urn()}, Published: i.created().Format(time.RFC1123Z),
			Updated: i.changed().Format(time.RFC3339),
			Author:  line(i.OrgName), Categories: i.keywords(), Description: i.markup(),
		})
	}
	return writeXML(document)
}

func writeXML(document any) ([]byte, error) {
	body, err := xml.Marshal(document)
	if err != nil {
		return nil, fmt.Errorf("write a feed: %w", err)
	}
	return append([]byte(xml.Header), body...), nil
}
