package event

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/detail"
	"litfass/services/site/internal/view"
)

// calendarPath returns the path of the calendar file of an event, or of one of its dates.
func calendarPath(event, date string) string {
	if date == "" {
		return "/api/event/" + event + ".ics"
	}
	return "/api/event/" + event + "/date/" + date + ".ics"
}

// googleCalendar returns the address at which Google's calendar offers to add a date. site is the
// address of the site, which the entry links.
func googleCalendar(e eventData, date publicapi.Date, site string) string {
	start, end := span(date)
	layout := "20060102T150405"
	if date.AllDay {
		layout = "20060102"
	}
	place := e.place(&date)
	parameters := url.Values{
		"action": {"TEMPLATE"}, "text": {e.Title}, "dates": {start.Format(layout) + "/" + end.Format(layout)},
		"details": {dateAddress(e, date, site)}, "location": {location(place)},
	}
	if place.VenueTimezone != "" && !date.AllDay {
		parameters.Set("ctz", place.VenueTimezone)
	}
	return "https://calendar.google.com/calendar/render?" + parameters.Encode()
}

// outlookCalendar returns the address at which Outlook offers to add a date.
func outlookCalendar(e eventData, date publicapi.Date, site string) string {
	start, end := span(date)
	place := e.place(&date)
	layout := time.DateOnly
	if !date.AllDay {
		layout = "2006-01-02T15:04:05Z07:00"
		start, end = inZone(start, place.VenueTimezone), inZone(end, place.VenueTimezone)
	}
	parameters := url.Values{
		"path": {"/calendar/action/compose"}, "rru": {"addevent"}, "subject": {e.Title},
		"startdt": {start.Format(layout)}, "enddt": {end.Format(layout)},
		"body": {dateAddress(e, date, site)}, "location": {location(place)},
	}
	if date.AllDay {
		parameters.Set("allday", "true")
	}
	return "https://outlook.live.com/calendar/0/deeplink/compose?" + parameters.Encode()
}

// span returns the start and the end of a date on the clock of its place, as if that were UTC. The
// end of an all-day date is the day after its last one; without a known end it is the start.
func span(date publicapi.Date) (start, end time.Time) {
	when := view.WhenOfDate(date)
	if date.AllDay {
		return when.Start(), when.End().AddDate(0, 0, 1)
	}
	start = at(when.Start(), date.StartTime)
	if date.EndTime == "" {
		return start, start
	}
	return start, at(when.End(), string(date.EndTime))
}

// at returns the time of a clock ("19:30") on a day; midnight for one that cannot be read.
func at(day time.Time, clock string) time.Time {
	read, err := time.Parse("15:04", clock)
	if err != nil {
		return day
	}
	return day.Add(time.Duration(read.Hour())*time.Hour + time.Duration(read.Minute())*time.Minute)
}

// inZone returns the time at which clocks of a zone show what t shows in UTC, and t for an unknown
// zone.
func inZone(t time.Time, zone string) time.Time {
	place, err := time.LoadLocation(zone)
	if err != nil || zone == "" {
		return t
	}
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), 0, 0, place)
}

// dateAddress returns the absolute address of the page of a date.
func dateAddress(e eventData, date publicapi.Date, site string) string {
	path, parameters := view.EventPath(e.UUID, date.UUID)
	return site + path + "?" + parameters.Encode()
}

// location writes a place in one line.
func location(place publicapi.Place) string {
	street, city := detail.Address(place)
	parts := slices.DeleteFunc([]string{place.VenueName, street, city}, func(part string) bool { return part == "" })
	return strings.Join(parts, ", ")
}
