package event

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/text"
	"litfass/services/site/internal/view"
)

// zone names the time zone of a place, "" when its clocks match the site's at the start of a date.
func zone(t *text.Texts, place publicapi.Place, w view.When, site *time.Location) string {
	there, err := time.LoadLocation(place.VenueTimezone)
	if err != nil || place.VenueTimezone == "" || w.AllDay {
		return ""
	}
	start := w.Start().Add(12 * time.Hour) // clocks change in the night
	_, here := start.In(site).Zone()
	if _, offset := start.In(there).Zone(); offset == here {
		return ""
	}
	return t.With("event.zone", "Zone", strings.ReplaceAll(place.VenueTimezone, "_", " "))
}

// longDays writes the day of a date in full, or its first and last one with their year, and only
// the last one of a period with opening hours that has begun.
func longDays(t *text.Texts, w view.When, today time.Time) string {
	if w.Start().IsZero() {
		return ""
	}
	if w.Open(today) && w.Endless() {
		return t.T("hours.permanent")
	}
	if w.Open(today) {
		return t.With("until", "End", t.Day(w.End()))
	}
	if w.Endless() {
		return t.With("hours.from", "Day", t.ShortDay(w.Start())+" "+w.Start().Format("2006"))
	}
	if !w.End().After(w.Start()) || w.Overnight() {
		return t.Day(w.Start())
	}
	first, last := t.ShortDay(w.Start()), t.ShortDay(w.End())+" "+w.End().Format("2006")
	if w.Start().Year() != w.End().Year() {
		first += " " + w.Start().Format("2006")
	}
	return first + " – " + last
}

// dayWord returns the word for a day that is near, "" for any other.
func dayWord(t *text.Texts, w view.When, today time.Time) string {
	switch w.StartDate {
	case today.Format(time.DateOnly):
		return t.T("today")
	case today.AddDate(0, 0, 1).Format(time.DateOnly):
		return t.T("tomorrow")
	default:
		return ""
	}
}

// furtherDates counts the coming dates that take place besides the one that is shown.
func (e eventData) furtherDates(current *publicapi.Date, today time.Time) int {
	count := 0
	for _, date := range e.Dates {
		if e.takesPlace(&date, today) && (current == nil || date.UUID != current.UUID) {
			count++
		}
	}
	return count
}

// dateParameter returns the parameter that names a date, nil for none.
func dateParameter(date *publicapi.Date) url.Values {
	if date == nil {
		return nil
	}
	return url.Values{"date": {date.UUID}}
}

// nearAddress returns the address of a date relative to the page of its event, which is short.
func nearAddress(s view.Scope, date publicapi.Date) string {
	return s.Link("", url.Values{"date": {cmp.Or(date.Slug, date.UUID)}})
}

// sameHours reports whether all dates have the same hours.
func sameHours(dates []publicapi.Date) bool {
	return !slices.ContainsFunc(dates, func(d publicapi.Date) bool {
		first := dates[0]
		return d.Hours.Text("") != first.Hours.Text("") || d.AllDay != first.AllDay || d.StartTime != first.StartTime || d.EndTime != first.EndTime
	})
}

// foldedDate writes a date in one line.
func foldedDate(s view.Scope, date publicapi.Date, hours bool) string {
	when := view.WhenOfDate(date)
	words := when.Days(s.Text, s.Today)
	if written := when.Hours(s.Text); hours && written != "" {
		words += " · " + written
	}
	return words
}

func dateAccess(date *publicapi.Date) string {
	if date == nil {
		return ""
	}
	return date.AccessibilityInfo
}
