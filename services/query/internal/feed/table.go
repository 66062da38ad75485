package feed

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Table is a file with a row for each date. Its columns have the names that admin's import of files
// recognizes, so that an export can be imported again: the rows of an event share an external_id.
// The others are for other programs, and the import leaves them out.
type Table interface {
	// Add writes the row of a date.
	Add(i Item) error
	// Close writes the end of the file; without rows it is one with only names of columns.
	Close() error
}

// cell is the type of a column's values.
type cell int

const (
	textCell   cell = iota
	dayCell         // YYYY-MM-DD
	clockCell       // HH:MM
	numberCell      // with a decimal point
)

// column is a column of a table. An absent value is "".
type column struct {
	name     string
	cell     cell
	detailed bool // known only with the details of an event
	value    func(s Site, i Item) string
}

// columns are all columns. An empty one would empty a field in an import, so tables of items
// without details lack the detailed ones.
var columns = []column{
	{name: "external_id", value: func(_ Site, i Item) string { return i.UUID }},
	{name: "title", value: func(_ Site, i Item) string { return line(i.Title) }},
	{name: "subtitle", value: func(_ Site, i Item) string { return line(i.Subtitle) }},
	{name: "start_date", cell: dayCell, value: func(_ Site, i Item) string { return i.StartDate }},
	{name: "start_time", cell: clockCell, value: func(_ Site, i Item) string { return i.timeOfDay(i.StartTime) }},
	{name: "end_date", cell: dayCell, value: func(_ Site, i Item) string { return string(i.EndDate) }},
	{name: "end_time", cell: clockCell, value: func(_ Site, i Item) string { return i.timeOfDay(string(i.EndTime)) }},
	{name: "entry_time", cell: clockCell, detailed: true, value: func(_ Site, i Item) string { return i.timeOfDay(string(i.details().EntryTime)) }},
	{name: "status", value: func(_ Site, i Item) string { return i.ReleaseStatus }},
	{name: "venue", value: func(_ Site, i Item) string { return line(i.VenueName) }},
	{name: "space", value: func(_ Site, i Item) string { return line(i.SpaceName) }},
	{name: "street", value: func(_ Site, i Item) string { return line(i.VenueStreet) }},
	{name: "house_number", value: func(_ Site, i Item) string { return line(i.VenueHouseNumber) }},
	{name: "postal_code", value: func(_ Site, i Item) string { return line(i.VenuePostalCode) }},
	{name: "city", value: func(_ Site, i Item) string { return line(i.VenueCity) }},
	{name: "summary", value: func(_ Site, i Item) string { return clean(i.Summary) }},
	{name: "description", detailed: true, value: func(_ Site, i Item) string { return clean(i.details().Description) }},
	{name: "event_types", value: func(_ Site, i Item) string { return names(i.TypeNames) }},
	{name: "categories", value: func(_ Site, i Item) string { return names(i.CategoryNames) }},
	{name: "tags", value: func(_ Site, i Item) string { return names(i.Tags) }},
	{name: "languages", value: func(_ Site, i Item) string { return names(i.Languages) }},
	{name: "price", value: func(_ Site, i Item) string { return i.price() }},
	{name: "age", value: func(_ Site, i Item) string { return i.ages() }},
	{name: "online_link", value: func(_ Site, i Item) string { return link(i.OnlineLink) }},
	{name: "video_link", detailed: true, value: func(_ Site, i Item) string { return link(i.details().VideoLink) }},
	{name: "source_link", detailed: true, value: func(_ Site, i Item) string { return link(i.details().SourceLink) }},
	{name: "ticket_link", detailed: true, value: func(_ Site, i Item) string { return link(i.details().TicketLink) }},
	{name: "image", value: func(_ Site, i Item) string { return link(i.ImagePath) }},
	{name: "image_alt", value: func(_ Site, i Item) string { return line(i.ImageAltText) }},
	{name: "image_creator", value: func(_ Site, i Item) string { return line(i.ImageCreator) }},
	{name: "image_license", value: func(_ Site, i Item) string { return line(string(i.ImageLicense)) }},

	{name: "labels", value: func(_ Site, i Item) string { return names(i.LabelNames) }},
	{name: "org_name", value: func(_ Site, i Item) string { return line(i.OrgName) }},
	{name: "venue_country", value: func(_ Site, i Item) string { return i.VenueCountry }},
	{name: "venue_timezone", value: func(_ Site, i Item) string { return i.VenueTimezone }},
	{name: "venue_lat", cell: numberCell, value: func(_ Site, i Item) string { return decimal(i.VenueLat) }},
	{name: "venue_lon", cell: numberCell, value: func(_ Site, i Item) string { return decimal(i.VenueLon) }},
	{name: "page_url", value: func(s Site, i Item) string { return i.page(s) }},
	{name: "availability", value: func(_ Site, i Item) string { return i.Availability }},
	{name: "remaining_places", cell: numberCell, value: func(_ Site, i Item) string { return i.RemainingPlaces.String() }},
	{name: "on_sale_from", value: func(_ Site, i Item) string { return string(i.OnSaleFrom) }},
	{name: "on_sale_until", value: func(_ Site, i Item) string { return string(i.OnSaleUntil) }},
	{name: "previous_start", value: func(_ Site, i Item) string { return string(i.PreviousStart) }},
	{name: "text_language", value: func(_ Site, i Item) string { return i.TextLanguage }},
	{name: "image_ai_generated", value: func(_ Site, i Item) string { return whether(i.ImageAIGenerated) }},
	{name: "date_uuid", value: func(_ Site, i Item) string { return i.DateUUID }},
}

// columnsOf returns the columns of a table of items with details or without.
func columnsOf(detailed bool) []column {
	return slices.DeleteFunc(slices.Clone(columns), func(c column) bool { return c.detailed && !detailed })
}

// tabled returns a function that writes a feed as a table.
func tabled(begin func(w io.Writer, site Site, detailed bool) (Table, error)) func(Feed) ([]byte, error) {
	return func(f Feed) ([]byte, error) {
		if _, err := f.timed(); err != nil { // rows have the times as organizers write them
			return nil, err
		}
		var data bytes.Buffer
		detailed := slices.ContainsFunc(f.Items, func(i Item) bool { return i.Details != nil })
		table, err := begin(&data, f.Site, detailed)
		if err != nil {
			return nil, err
		}
		for _, i := range f.Items {
			if err := table.Add(i); err != nil {
				return nil, err
			}
		}
		err = table.Close()
		return data.Bytes(), err
	}
}

// details returns the details; empty ones where they are not known.
func (i Item) details() Details {
	if i.Details == nil {
		return Details{}
	}
	return *i.Details
}

// timeOfDay returns a time, and none of an all-day date.
func (i Item) timeOfDay(clock string) string {
	if i.AllDay {
		return ""
	}
	return clock
}

// names writes a list, each name once. A name in it may have commas.
func names(list []string) string {
	var once []string
	for _, name := range list {
		if name = line(name); !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	return joined("; ", once...)
}

// The price types without an amount that imports read.
const (
	priceFree     = "free"
	priceDonation = "donation"
)

// price writes the price as imports read it: free, donation, 8 EUR or 8–12.5 EUR; "" for none.
func (i Item) price() string {
	if i.PriceType == priceFree || i.PriceType == priceDonation {
		return i.PriceType
	}
	low, high := decimal(i.MinPrice), decimal(i.MaxPrice)
	if low == high {
		high = ""
	}
	if amount := joined("–", low, high); amount != "" {
		return joined(" ", amount, i.Currency)
	}
	return ""
}

// ages writes the ages that an event is for as imports read them: 6–12, 6+ or up to 12.
func (i Item) ages() string {
	switch {
	case i.MinAge != nil && i.MaxAge != nil:
		return strconv.Itoa(*i.MinAge) + "–" + strconv.Itoa(*i.MaxAge)
	case i.MinAge != nil:
		return strconv.Itoa(*i.MinAge) + "+"
	case i.MaxAge != nil:
		return "up to " + strconv.Itoa(*i.MaxAge)
	default:
		return ""
	}
}

// whether writes a statement that holds; "" for one that does not.
func whether(holds bool) string {
	if holds {
		return "yes"
	}
	return ""
}

// decimal writes a number without an exponent; "" for none.
func decimal(n *float64) string {
	if n == nil {
		return ""
	}
	return degrees(*n)
}

// formulas are the characters with which spreadsheets begin a formula, also in full width.
const formulas = "=+-@\t\r＝＋－＠"

// isFormula reports whether a spreadsheet would take a text for a formula.
func isFormula(text string) bool { return text != "" && strings.IndexAny(text, formulas) == 0 }
