package list

import (
	"time"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/filter"
	"litfass/services/site/internal/view"
)

// Listing is the data of the list of events.
type Listing struct {
	Title string // of the page; "" for that of all events
	Words string // the filter in words; "" for none
	From  string // after the number of events; "" for none
	City  string // of which the list has all events; "" for any other list
	Total int    // of events, on all pages
	// Uncounted means that the index cannot count now: Total and the numbers of the form are not
	// known.
	Uncounted bool
	program
	Bar      filter.Bar
	Moments  []filter.Choice // shortcuts to days
	Rescue   Rescue
	First    string // address of the first page; "" on it
	Next     string // address of the next page; "" on the last
	Order    []filter.Choice
	Outputs  Outputs
	Landings landings

	Canonical string // path
	NoIndex   bool
	Image     string // path of the image for share cards; "" for none
}

// Day is the entries of one day of a list.
type Day struct {
	Day     time.Time // zero for entries that stand in no order of days
	Entries []publicapi.Listed
}

// Rescue helps after a search without results.
type Rescue struct {
	Spelling filter.Choice   // of the words; empty for none
	Without  []filter.Choice // the number of events without one of the filters
}

// Outputs are the other forms of a list.
type Outputs struct {
	Public  string // address of the site, without a slash at its end
	Query   string // of the feeds, with its question mark
	Address string // absolute, of the page
	Month   string // addresses of other views of the same filter
	Map     string
	Print   string
	Embed   string
}

// feed returns the absolute address of a feed.
func (o Outputs) feed(extension string) string {
	return o.Public + "/api/events." + extension + o.Query
}

// heading returns the day of a group of entries as its heading.
func (d Day) heading(s view.Scope) string {
	name := s.Text.Day(d.Day)
	switch d.Day.Format(time.DateOnly) {
	case s.Today.Format(time.DateOnly):
		return s.Text.T("list.today") + ", " + name
	case s.Today.AddDate(0, 0, 1).Format(time.DateOnly):
		return s.Text.T("list.tomorrow") + ", " + name
	default:
		return name
	}
}

// word returns the weekday, or the word for a day that is near.
func (d Day) word(s view.Scope) string {
	switch d.Day.Format(time.DateOnly) {
	case s.Today.Format(time.DateOnly):
		return s.Text.T("list.today")
	case s.Today.AddDate(0, 0, 1).Format(time.DateOnly):
		return s.Text.T("list.tomorrow")
	default:
		return s.Text.Weekday(d.Day.Weekday())
	}
}

// year returns the year of a day that is in another one, with a space before it.
func (d Day) year(s view.Scope) string {
	if d.Day.Year() == s.Today.Year() {
		return ""
	}
	return d.Day.Format(" 2006")
}
