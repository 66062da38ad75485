// Package feed writes dates of events, and venues, as feeds: iCalendar, RSS, Atom, JSON Feed,
// GeoJSON and JSON-LD. It is pure: what is shown goes in, the bytes of an answer come out, and
// equal input gives equal bytes.
//
// What organizers write is text everywhere: HTML in it is escaped, characters that XML forbids are
// left out, and only http and https addresses become links.
package feed

import (
	"strings"
	"time"
)

// Site is what all feeds say of where they come from.
type Site struct {
	Name string         // for people
	URL  string         // the base address for visitors, without a slash at its end
	Zone *time.Location // of dates whose venue has no time zone, and of those without a venue
}

// Feed is what a feed shows. Addresses are absolute.
type Feed struct {
	Site  Site
	Title string
	Self  string // of the feed itself
	Page  string // that shows the same to visitors
	Next  string // of the feed's next page; "" behind the last one
	Items []Item
}

// Format is a way to write dates.
type Format struct {
	Name        string // the ending of its addresses
	ContentType string
	Limit       int // how many dates it shows at most, unless more are asked for
	Write       func(Feed) ([]byte, error)
}

// How many dates a feed shows unless it is asked for another number. Calendars and maps cannot
// page; readers of news look at the first ones.
const (
	whole = 1000
	first = 100
)

// Formats are all formats.
var Formats = []Format{
	{Name: "ics", ContentType: "text/calendar; charset=utf-8", Limit: whole, Write: ICS},
	{Name: "rss", ContentType: "application/rss+xml; charset=utf-8", Limit: first, Write: RSS},
	{Name: "atom", ContentType: "application/atom+xml; charset=utf-8", Limit: first, Write: Atom},
	{Name: "json", ContentType: "application/feed+json", Limit: first, Write: JSON},
	{Name: "geojson", ContentType: ContentTypeGeoJSON, Limit: whole, Write: GeoJSON},
	{Name: "jsonld", ContentType: "application/ld+json", Limit: first, Write: JSONLD},
}

// ContentTypeGeoJSON is that of GeoJSON and of Venues.
const ContentTypeGeoJSON = "application/geo+json"

// joined returns the texts that are there, parted by a separator.
func joined(separator string, texts ...string) string {
	present := make([]string, 0, len(texts))
	for _, text := range texts {
		if text != "" {
			present = append(present, text)
		}
	}
	return strings.Join(present, separator)
}
