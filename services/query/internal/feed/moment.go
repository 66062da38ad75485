package feed

import (
	"cmp"
	"fmt"
	"time"

	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/value"
)

// How the index writes moments, which are local to their place.
const (
	dayLayout   = time.DateOnly
	clockLayout = "15:04"
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
	start, end time.Time // in the zone of the place, of all-day dates in UTC; end is zero where there is none
	lastDay    string    // of an all-day date, and of one that ends on another day at no known time
}

// timedItem is an item with its period.
type timedItem struct {
	Item
	period
	zone *time.Location // of the place
	room int            // for its openings, in bytes
}

// timed returns the items with their periods and, in the place of local times that a clock change
// skips, the times that clocks show. The error is that of an item without a valid start or end,
// which the index does not contain.
func (f Feed) timed() ([]timedItem, error) {
	items, zones, room := make([]timedItem, len(f.Items)), newZones(f.Site.Zone), f.room()
	for n, i := range f.Items {
		p, err := i.period(zones.of(i))
		if err != nil {
			return nil, fmt.Errorf("date %s has no moment: %w", i.DateUUID, err)
		}
		if !p.allDay {
			i.StartDate, i.StartTime, i.EndTime = p.start.Format(dayLayout), p.start.Format(clockLayout), ""
			if !p.end.IsZero() {
				i.EndTime = value.Text(p.end.Format(clockLayout))
				if last := p.end.Format(dayLayout); i.EndDate != "" || last != i.StartDate {
					i.EndDate = value.Text(last)
				}
			}
		}
		items[n] = timedItem{i, p, zones.of(i), room}
		if !i.Hours.Empty() {
			if _, err := i.Hours.Over(i.StartDate, string(i.EndDate)); err != nil {
				return nil, fmt.Errorf("date %s: %w", i.DateUUID, err)
			}
		}
	}
	return items, nil
}

// Upcoming returns the feed with at most so many of its dates: those that are not over at a moment,
// or the last one if all are. The error is that of an item without a valid moment.
func (f Feed) Upcoming(at time.Time, most int) (Feed, error) {
	all, zones := f.Items, newZones(f.Site.Zone)
	f.Items = nil
	for n, i := range all {
		end, err := i.endsAt(zones.of(i))
		if err != nil {
			return f, err
		}
		if end.After(at) || n == len(all)-1 && len(f.Items) == 0 {
			f.Items = append(f.Items, i)
		}
		if len(f.Items) == most {
			break
		}
	}
	return f, nil
}

// endsAt returns the moment from which on the date is over (RULES.md, Dates and places).
func (i Item) endsAt(zone *time.Location) (time.Time, error) {
	p, err := i.period(zone)
	switch {
	case err != nil || !p.end.IsZero():
		return p.end, err
	case i.endless():
		return hours.Forever.Time(), nil
	}
	next, err := dayAfter(cmp.Or(p.lastDay, i.StartDate))
	if err != nil {
		return next, err
	}
	return value.LocalTime(next.Format(dayLayout), "00:00", zone)
}

// period returns the start and end of the date. An end that is not after the start is none.
func (i Item) period(zone *time.Location) (p period, err error) {
	last := cmp.Or(string(i.EndDate), i.StartDate)
	if i.AllDay { // days have no zone: in some, they do not begin at 00:00
		p.start, err = time.Parse(dayLayout, i.StartDate)
		if p.allDay = true; !i.endless() {
			p.lastDay = last
		}
		return p, err
	}
	if p.start, err = value.LocalTime(i.StartDate, i.StartTime, zone); err != nil {
		return p, err
	}
	switch {
	case i.EndTime != "":
		if p.end, err = value.LocalTime(last, string(i.EndTime), zone); !p.end.After(p.start) {
			p.end = time.Time{}
		}
	case last != i.StartDate:
		p.lastDay = last
	}
	return p, err
}

// repeats reports whether the local time of a moment comes again after a clock change.
func repeats(at time.Time) bool {
	_, change := at.ZoneBounds()
	_, before := at.Zone()
	_, after := change.In(at.Location()).Zone()
	return !change.IsZero() && !at.Add(time.Duration(before-after)*time.Second).Before(change)
}

// dayAfter returns the day after a day YYYY-MM-DD.
func dayAfter(day string) (time.Time, error) {
	parsed, err := time.Parse(dayLayout, day)
	return parsed.AddDate(0, 0, 1), err
}
