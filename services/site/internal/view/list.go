package view

import (
	"net/url"
	"strings"
	"time"

	"litfass/pkg/contracts/publicapi"
)

// Listing is what the list of events shows.
type Listing struct {
	Title string // the filter in words; "" for none
	Total int    // of events, on all pages
	// Uncounted says that the index cannot count now: Total and the numbers of the form are not known.
	Uncounted bool
	Days      []Day
	Chips     []Choice // the active filters; their links leave them out
	Clear     string   // address without any filter; "" when there is none
	Moments   []Choice // shortcuts to days
	Form      Form
	Rescue    Rescue
	First     string // address of the first page; "" on it
	Next      string // address of the next page; "" on the last
	Order     []Choice
	Outputs   Outputs

	Canonical string // path
	NoIndex   bool
}

// Day is the entries of one day of a list.
type Day struct {
	Day     time.Time // zero for entries that stand in no order of days
	Title   string    // in place of the day; "" for none
	Entries []publicapi.Listed
}

// Choice is a value that a filter can take.
type Choice struct {
	Value  string
	Name   string
	Count  int
	Chosen bool
	Link   string // address of the page with this choice made, or taken back
}

// Group is the values of one parameter of a list, of which several can be chosen.
type Group struct {
	Parameter string
	Title     string
	Choices   []Choice
	Open      bool
	Finer     []Choice // links to parts of what is chosen
	Coarser   Choice   // link to what the choices are parts of; empty for none
}

// Form is the state of the form of filters.
type Form struct {
	Search       string
	Hidden       []Choice // parameters that the form keeps and does not show, by name
	Cities       []Choice
	Start        string
	StartsBefore string
	Times        []Choice
	Radius       []Choice // empty unless a place is given
	Prices       []Choice
	Age          string
	Groups       []Group
	Active       int // filters
}

// Rescue is what may help after a search that found nothing.
type Rescue struct {
	Spelling Choice   // of the words; empty for none
	Without  []Choice // what is found without single filters
}

// Outputs are other forms of what a list shows.
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

// webcal returns the address that calendar programs subscribe to.
func (o Outputs) webcal() string {
	_, rest, _ := strings.Cut(o.feed("ics"), "://")
	return "webcal://" + rest
}

// heading returns the day of a group of entries as its heading.
func (d Day) heading(s Shown) string {
	if d.Title != "" {
		return d.Title
	}
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
func (d Day) word(s Shown) string {
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
func (d Day) year(s Shown) string {
	if d.Day.Year() == s.Today.Year() {
		return ""
	}
	return d.Day.Format(" 2006")
}

// shownChoices is how many values of a group are shown before the others are asked for.
const shownChoices = 6

// firstChoices returns the choices that are shown at once: the first ones and all that are chosen.
func (g Group) firstChoices() []Choice { return g.part(true) }

// moreChoices returns the others.
func (g Group) moreChoices() []Choice { return g.part(false) }

func (g Group) part(first bool) (choices []Choice) {
	for i, choice := range g.Choices {
		if (i < shownChoices || choice.Chosen) == first {
			choices = append(choices, choice)
		}
	}
	return choices
}

// idOf returns the id of an element for a value of a parameter: values are any text.
func idOf(parameter, value string) string { return "f-" + parameter + "-" + url.QueryEscape(value) }
