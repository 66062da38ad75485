// Package feed writes dates of events, and venues, as feeds: iCalendar, RSS, Atom, JSON Feed,
// GeoJSON, JSON-LD, CSV and spreadsheets. It is pure, and equal input gives equal bytes.
//
// Organizers' summaries and descriptions are Markdown: HTML where the format has HTML, otherwise
// plain text. HTML in any input is text and escaped, characters that XML forbids are removed, and
// only http and https addresses become links.
package feed

import (
	"fmt"
	"strings"
	"time"

	"litfass/pkg/contracts/value"
)

// Site describes the origin of all feeds.
type Site struct {
	Name string         // for people
	URL  string         // the base address for visitors, without a slash at its end
	Zone *time.Location // of dates without a venue, or with one without a time zone
}

// Feed is the content of a feed. Addresses are absolute.
type Feed struct {
	Site  Site
	Title string
	Image string // of all of it, without parameters; "" for none
	Self  string // of the feed itself
	Page  string // that shows the same to visitors
	Next  string // of the feed's next page; "" after the last one
	Items []Item
}

// changed returns the time of the last change of an item; zero without items.
func (f Feed) changed() (last time.Time) {
	for _, i := range f.Items {
		if changed := i.changed(); changed.After(last) {
			last = changed
		}
	}
	return last
}

// Format is a way to write dates.
type Format struct {
	Name        string // the ending of its addresses
	ContentType string
	Limit       int // number of dates, unless the request sets another one
	Write       func(Feed) ([]byte, error)
}

// The default numbers of dates in a feed. Calendars, maps and tables cannot page; news readers
// show only the first dates.
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
	{Name: "csv", ContentType: "text/csv; charset=utf-8; header=present", Limit: whole, Write: tabled(NewCSV)},
	{Name: "xlsx", ContentType: ContentTypeXLSX, Limit: whole, Write: tabled(NewXLSX)},
}

// ContentTypeXLSX is the content type of spreadsheets.
const ContentTypeXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

// ContentTypeGeoJSON is the content type of GeoJSON and of Venues.
const ContentTypeGeoJSON = "application/geo+json"

// joined returns the non-empty texts with a separator between them.
func joined(separator string, texts ...string) string {
	present := make([]string, 0, len(texts))
	for _, text := range texts {
		if text != "" {
			present = append(present, text)
		}
	}
	return strings.Join(present, separator)
}

// picture returns the address of the image of the feed in a shape and a width in pixels, "" for
// none.
func (f Feed) picture(ratio string, width int) string {
	if link(value.Text(f.Image)) == "" {
		return ""
	}
	return fmt.Sprintf("%s?ratio=%s&width=%d", f.Image, ratio, width)
}
