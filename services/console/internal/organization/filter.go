package organization

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
)

// statuses are the statuses of an event in their usual order.
var statuses = []string{
	adminapi.StatusDraft, adminapi.StatusReview, adminapi.StatusReleased, adminapi.StatusCancelled,
	adminapi.StatusDeferred, adminapi.StatusRescheduled,
}

// The periods of the list, besides that between two days.
const (
	upcoming = "upcoming" // dates that are not over, and events without a date
	allTimes = "all"
	undated  = "undated" // events without a date
)

var periods = []string{upcoming, allTimes, undated}

var orders = []string{"start", "-start", "title", "-updated"}

// earliest is the first day that the admin service knows.
const earliest = "1900-01-01"

// size is how many events the list shows at once.
const size = 50

// filter is which events the list shows. Invalid parameters are ignored.
type filter struct {
	search   string
	statuses []string
	venue    string
	period   string
	from, to string // days; either narrows the period
	dates    bool   // each date, not each event
	order    string
	page     int // from 1
}

func filterOf(query url.Values) filter {
	f := filter{
		search: strings.TrimSpace(query.Get("search")), period: oneOf(periods, query.Get("period")),
		from: dayOf(query.Get("from")), to: dayOf(query.Get("to")), dates: query.Get("each") == "date",
		order: oneOf(orders, query.Get("sort")), page: 1,
	}
	for _, status := range query["status"] {
		if slices.Contains(statuses, status) && !slices.Contains(f.statuses, status) {
			f.statuses = append(f.statuses, status)
		}
	}
	f.venue, _ = value.UUIDv7(query.Get("venue")) // another value is none
	if number, err := strconv.Atoi(query.Get("page")); err == nil && number > 0 && number < 10000 {
		f.page = number
	}
	return f
}

// oneOf returns a value that is among others, else the first of these.
func oneOf(known []string, given string) string {
	if slices.Contains(known, given) {
		return given
	}
	return known[0]
}

// dayOf returns a day as YYYY-MM-DD; "" for an invalid one.
func dayOf(text string) string {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Year() < 1900 || day.Year() > 2999 {
		return ""
	}
	return text
}

// ask returns the filter as the admin service reads it.
func (f filter) ask() url.Values {
	asked := url.Values{
		"has_dates": {"any"}, "sort": {f.order}, "limit": {strconv.Itoa(size)}, "offset": {strconv.Itoa((f.page - 1) * size)},
	}
	set := func(name, value string) {
		if value != "" {
			asked.Set(name, value)
		}
	}
	if !f.dates {
		asked.Set("per_event", "true")
	}
	set("search", f.search)
	set("statuses", strings.Join(f.statuses, ","))
	set("venue_uuid", f.venue)
	switch f.period {
	case undated:
		asked.Set("has_dates", "false")
		return asked
	case allTimes:
		asked.Set("start", earliest)
	}
	if f.from != "" || f.to != "" {
		asked.Set("has_dates", "true")
	}
	set("start", f.from)
	set("end", f.to)
	return asked
}

// query returns the filter as an address of the list, without its page.
func (f filter) query() url.Values {
	query := url.Values{}
	set := func(name, value, usual string) {
		if value != usual {
			query.Set(name, value)
		}
	}
	set("search", f.search, "")
	set("venue", f.venue, "")
	set("period", f.period, upcoming)
	set("from", f.from, "")
	set("to", f.to, "")
	set("sort", f.order, orders[0])
	if f.dates {
		query.Set("each", "date")
	}
	if len(f.statuses) > 0 {
		query["status"] = f.statuses
	}
	return query
}

// more returns how many filters narrow the list that are not seen at once.
func (f filter) more() int {
	count := len(f.statuses)
	for _, set := range []bool{f.venue != "", f.from != "", f.to != "", f.dates, f.order != orders[0]} {
		if set {
			count++
		}
	}
	return count
}

// narrowed reports whether the list shows less than all upcoming events.
func (f filter) narrowed() bool { return len(f.query()) > 0 }
