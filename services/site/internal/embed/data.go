package embed

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/text"
	"litfass/services/site/internal/view"
)

// The views for other websites, for Embed.View.
const (
	viewList  = "list"
	viewWeek  = "week"
	viewMonth = "month"
)

// Embed is the data of a page for other websites. All its links are absolute.
type Embed struct {
	view.Scope
	Public      string // address of the site
	View        string
	Heading     string // "" for none
	Level       int    // of the heading in a fragment; days are one below it
	Entries     []publicapi.Listed
	Runs        []publicapi.Listed // of several days, which began before the week or month
	First, Last time.Time          // days of a week or month, in UTC
	Cut         bool               // there are more dates than the API answers at once
	Filter      url.Values         // of the list of all events
	Feed        url.Values         // of the calendar feed

	Frame          bool   // whether it is a document of its own in a frame
	Earlier, Later string // addresses of the weeks or months before and after; "" in a fragment
}

// address returns the absolute address of a page of the site.
func (e Embed) address(path string, parameters url.Values) string {
	return e.Public + e.Link(path, parameters)
}

// event returns the absolute address of the page of an entry's event.
func (e Embed) event(entry publicapi.Listed) string {
	return e.address(view.EventPath(entry.UUID, entry.DateUUID))
}

// day returns the absolute address of the list of a day's events.
func (e Embed) day(day time.Time) string {
	parameters := url.Values{}
	for name, values := range e.Filter {
		parameters[name] = values
	}
	for _, name := range []string{"start", "end", "starts_before", "ongoing"} {
		parameters.Del(name)
	}
	parameters.Set("on", day.Format(time.DateOnly))
	return e.address("/", parameters)
}

// title names the content for screen readers.
func (e Embed) title() string {
	if e.Heading != "" {
		return e.Heading
	}
	return e.Text.T("embed.all")
}

// period names the days that are shown.
func (e Embed) period() string {
	if e.View == viewMonth {
		return e.Text.Month(e.First)
	}
	return e.Text.ShortDay(e.First) + " – " + e.Text.ShortDay(e.Last) + " " + e.Last.Format("2006")
}

// days returns every day that is shown.
func (e Embed) days() []time.Time {
	var days []time.Time
	for day := e.First; !day.After(e.Last); day = day.AddDate(0, 0, 1) {
		days = append(days, day)
	}
	return days
}

// weeks returns the days of a month in weeks from Monday on; the zero time stands for a day of
// another month.
func (e Embed) weeks() [][]time.Time {
	fields := append(make([]time.Time, (int(e.First.Weekday())+6)%7), e.days()...)
	fields = append(fields, make([]time.Time, (7-len(fields)%7)%7)...)
	return slices.Collect(slices.Chunk(fields, 7))
}

// on returns the entries that run on a day.
func (e Embed) on(day time.Time) []publicapi.Listed {
	var running []publicapi.Listed
	for _, entry := range e.Entries {
		if view.WhenOf(entry.Entry).On(day) {
			running = append(running, entry)
		}
	}
	return running
}

// today reports whether a day is today in the site's zone.
func (e Embed) today(day time.Time) bool {
	return day.Format(time.DateOnly) == e.Today.Format(time.DateOnly)
}

// embedTime writes when an entry is: with its day or days in a list, with only its hours below
// the name of its only day.
func embedTime(e Embed, entry publicapi.Listed) string {
	when := view.WhenOf(entry.Entry)
	if when.Several() && e.Past(when.Start()) {
		return when.Until(e.Text, e.Today)
	}
	var words []string
	if e.View == viewList || (when.End().After(when.Start()) && !when.Overnight()) {
		words = append(words, when.Days(e.Text, e.Today))
	}
	if hours := when.Hours(e.Text); hours != "" {
		words = append(words, hours)
	}
	return strings.Join(words, ", ")
}

// embedTitles is how many titles a day of the month's table holds.
const embedTitles = 4

// spokenDay names a day with how many events it has, for readers of screens.
func spokenDay(t *text.Texts, day time.Time, events int) string {
	return t.Day(day) + ": " + t.Count("list.found", events)
}
