package reference

import (
	"cmp"
	"sync"
	"time"
)

// notOver: the end has not passed on the clock of the date's place; without an end, its day.
func (r *Reference) notOver() filter {
	now := r.Now()
	return func(d *Dated) bool { return d.endsAt().After(now) }
}

// endsAt returns the moment of the end of a date; the end of its last day if it has none that is
// after its start.
func (d *Dated) endsAt() time.Time {
	zone := timeZone
	if d.Place.Venue != nil {
		zone = cmp.Or(string(d.Place.Venue.Timezone), zone)
	}
	location := zoneOf(zone)
	if !d.Date.AllDay && d.Date.EndTime != "" {
		end := moment(d.endDay()+" "+string(d.Date.EndTime), location)
		if end.After(moment(d.Date.StartDate+" "+string(d.Date.StartTime), location)) {
			return end
		}
	}
	if d.endDay() == never {
		return moment(never+" 00:00", location)
	}
	return moment(move(d.endDay(), 1)+" 00:00", location)
}

// zones are the time zones by name.
var zones sync.Map

func zoneOf(name string) *time.Location {
	if zone, known := zones.Load(name); known {
		return zone.(*time.Location)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	zones.Store(name, zone)
	return zone
}

// moment returns when clocks first show a local time; one that they skip is read with the offset
// from UTC of the time before.
func moment(local string, zone *time.Location) time.Time {
	const layout, day = "2006-01-02 15:04", 26 * time.Hour
	wall, err := time.Parse(layout, local)
	if err != nil {
		panic(err)
	}
	with := func(other time.Time) time.Time { // the offset from UTC at another time
		_, offset := other.In(zone).Zone()
		return wall.Add(-time.Duration(offset) * time.Second)
	}
	before, after := with(wall.Add(-day)), with(wall.Add(day))
	if after.Before(before) && after.In(zone).Format(layout) == local {
		return after
	}
	if before.In(zone).Format(layout) != local && after.In(zone).Format(layout) == local {
		return after
	}
	return before
}
