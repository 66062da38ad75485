package feed

import (
	"cmp"
	"time"
)

// How the index writes moments, which are local to their place.
const (
	dayLayout    = time.DateOnly
	momentLayout = "2006-01-02 15:04"
)

// zones finds time zones by their names, each once.
type zones struct {
	fallback *time.Location
	known    map[string]*time.Location
}

func newZones(fallback *time.Location) zones {
	return zones{fallback: fallback, known: map[string]*time.Location{}}
}

// of returns the time zone of a date's venue, or the fallback for none and for an unknown one.
func (z zones) of(i Item) *time.Location {
	name := i.VenueTimezone
	if name == "" || name == time.Local.String() { // the latter would be the zone of this machine
		return z.fallback
	}
	zone, known := z.known[name]
	if !known {
		var err error
		if zone, err = time.LoadLocation(name); err != nil {
			zone = z.fallback
		}
		z.known[name] = zone
	}
	return zone
}

// period is when a date takes place. A timed one has an end when it is known to the minute.
type period struct {
	allDay     bool
	start, end time.Time // in the zone of the place; end is zero where there is none
	lastDay    string    // of an all-day date, and of one that ends on another day at no known time
}

// period returns the start and end of the date; ok is false when the index has no valid ones.
func (i Item) period(zone *time.Location) (p period, ok bool) {
	last := cmp.Or(string(i.EndDate), i.StartDate)
	var err error
	if i.AllDay {
		p.start, err = time.ParseInLocation(dayLayout, i.StartDate, zone)
		p.allDay, p.lastDay = true, last
		return p, err == nil
	}
	if p.start, err = time.ParseInLocation(momentLayout, i.StartDate+" "+i.StartTime, zone); err != nil {
		return p, false
	}
	switch {
	case i.EndTime != "":
		p.end, err = time.ParseInLocation(momentLayout, last+" "+string(i.EndTime), zone)
	case last != i.StartDate:
		p.lastDay = last
	}
	return p, err == nil
}

// dayAfter returns the day after a day YYYY-MM-DD.
func dayAfter(day string) (time.Time, error) {
	parsed, err := time.Parse(dayLayout, day)
	return parsed.AddDate(0, 0, 1), err
}
