package feed

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"
)

// observances collects the time zones that a calendar must define: by zone, the years in which
// dates begin or end.
type observances map[string]*zoneYears

// zoneYears is a zone with years.
type zoneYears struct {
	zone  *time.Location
	years map[int]bool
}

// earliest is the onset of a time that was always observed.
const earliest = "16010101T000000"

func (o observances) add(p period) {
	if p.allDay {
		return
	}
	zone := p.start.Location()
	if o[zone.String()] == nil {
		o[zone.String()] = &zoneYears{zone: zone, years: map[int]bool{}}
	}
	years := o[zone.String()].years
	years[p.start.Year()] = true
	if !p.end.IsZero() {
		years[p.end.Year()] = true
	}
	if end, err := dayAfter(p.lastDay); err == nil {
		years[end.Year()] = true
	}
}

// timezones returns a VTIMEZONE for each zone, by name. It has each onset in the years of dates,
// and the one in force when a year begins, according to this program's time zone database.
func (o observances) timezones() []*ics.VTimezone {
	list := make([]*ics.VTimezone, 0, len(o))
	for _, name := range slices.Sorted(maps.Keys(o)) {
		timezone := ics.NewTimezone(name)
		for _, in := range o[name].phases() {
			timezone.Components = append(timezone.Components, in.component())
		}
		list = append(list, timezone)
	}
	return list
}

// phase is a time in which a zone has one offset.
type phase struct {
	onset time.Time // zero when it was always so
	at    time.Time // a moment in it
}

// phases returns the phases of the years, each once, by onset.
func (z *zoneYears) phases() []phase {
	var list []phase
	for _, year := range slices.Sorted(maps.Keys(z.years)) {
		at := time.Date(year, time.January, 1, 0, 0, 0, 0, z.zone)
		for {
			onset, end := at.ZoneBounds()
			if len(list) == 0 || !list[len(list)-1].onset.Equal(onset) {
				list = append(list, phase{onset: onset, at: at})
			}
			if end.IsZero() || end.Year() > year {
				break
			}
			at = end
		}
	}
	return list
}

// component returns the phase as a calendar writes it: the onset in the local time before it.
func (p phase) component() ics.Component {
	name, after := p.at.Zone()
	before, onset := after, earliest
	if !p.onset.IsZero() {
		_, before = p.onset.Add(-time.Second).Zone()
		onset = p.onset.In(time.FixedZone("", before)).Format(icsMoment)
	}
	base := ics.ComponentBase{}
	base.SetProperty(ics.ComponentPropertyDtStart, onset)
	base.SetProperty(ics.ComponentProperty(ics.PropertyTzoffsetfrom), offset(before))
	base.SetProperty(ics.ComponentProperty(ics.PropertyTzoffsetto), offset(after))
	base.SetProperty(ics.ComponentProperty(ics.PropertyTzname), name)
	if p.at.IsDST() {
		return &ics.Daylight{ComponentBase: base}
	}
	return &ics.Standard{ComponentBase: base}
}

// offset writes seconds east of UTC (RFC 5545, 3.3.14).
func offset(seconds int) string {
	sign := "+"
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	text := fmt.Sprintf("%s%02d%02d%02d", sign, seconds/3600, seconds/60%60, seconds%60)
	return strings.TrimSuffix(text, "00")
}
