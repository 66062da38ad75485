package month

import (
	"net/url"
	"slices"
	"time"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/detail"
	"litfass/services/site/internal/filter"
	"litfass/services/site/internal/view"
)

// calendar is the data of the calendar of a month.
type calendar struct {
	First  time.Time  // day of the month
	Before bool       // whether there is a calendar of the month before
	After  bool       // and of the one after
	Filter url.Values // as in the address, without days
	Total  int        // events in the month
	Days   []calendarDay
	Runs   view.Runs
	Bar    filter.Bar
}

func (c calendar) isEmpty() bool { return c.Total == 0 && len(c.Runs.Entries) == 0 }

// calendarDay is one day of a calendar.
type calendarDay struct {
	Day   time.Time
	Count int               // of the events that run on it
	Dates []publicapi.Entry // that begin on it, one of each event
}

// namedADay is how many dates of a day the calendar names.
const namedADay = 3

// Named returns the dates of a day that the calendar names.
func (d calendarDay) Named() []publicapi.Entry { return d.Dates[:min(namedADay, len(d.Dates))] }

// Further returns how many events of a day the calendar does not name.
func (d calendarDay) Further() int { return max(0, d.Count-len(d.Named())) }

// Busy returns how full a day is compared with the fullest one, from 0, no date, to 4.
func (c calendar) Busy(d calendarDay) int {
	most := 1
	for _, other := range c.Days {
		most = max(most, other.Count)
	}
	return (d.Count*4 + most - 1) / most
}

// weeks returns the days by weeks that begin on Monday; nil stands for a day of another month.
func (c calendar) weeks() [][]*calendarDay {
	before := (int(c.First.Weekday()) + 6) % 7
	cells := make([]*calendarDay, (before+len(c.Days)+6)/7*7)
	for i := range c.Days {
		cells[before+i] = &c.Days[i]
	}
	return slices.Collect(slices.Chunk(cells, 7))
}

// month returns the address of the calendar of another month with the same filter.
func (c calendar) month(s view.Scope, months int) string {
	return s.Link("/month", view.WithParameter(c.Filter, "month", c.First.AddDate(0, months, 0).Format("2006-01")))
}

// on returns the address of the list of a day with the same filter.
func (c calendar) on(s view.Scope, day time.Time) string {
	return s.Link("/", view.WithParameter(c.Filter, "on", day.Format(time.DateOnly)))
}

// feed returns the query of the feeds of a month.
func (c calendar) feed() string {
	last := c.First.AddDate(0, 1, -1)
	return "?" + view.WithParameter(c.Filter, "on", c.First.Format(time.DateOnly)+","+last.Format(time.DateOnly)).Encode()
}

// isPresent reports whether the calendar is of the month of today.
func (c calendar) isPresent(s view.Scope) bool {
	return c.First.Format("2006-01") == s.Today.Format("2006-01")
}

// image returns the path of the image for share cards: of the first event with one, as of today in
// the present month. "" is for none.
func (c calendar) image(s view.Scope) string {
	var events []publicapi.Listed
	for _, day := range c.Days {
		if !c.isPresent(s) || !s.Past(day.Day) {
			for _, date := range day.Dates {
				events = append(events, publicapi.Listed{Entry: date})
			}
		}
	}
	return detail.ShareImageOf(append(events, c.Runs.Entries...))
}
