package feed

import (
	"bytes"
	"fmt"
	"math/bits"
	"strconv"
	"time"

	ics "github.com/arran4/golang-ical"

	"litfass/pkg/contracts/value"
)

// How iCalendar writes days and local moments (RFC 5545, 3.3.4 and 3.3.5).
const (
	icsDay    = "20060102"
	icsMoment = "20060102T150405"
)

// refresh is how often calendars should look for changes (RFC 7986, 5.7).
const refresh = "PT1H"

// ICS writes a calendar (RFC 5545): an event for each date, those of dates with opening hours as
// series. The uid of a date never changes, nor that of its openings at some times; one that is
// cancelled stays. Without a METHOD it is a calendar to look at and no invitation.
func ICS(f Feed) ([]byte, error) {
	calendar := ics.NewCalendar()
	calendar.SetProductId("-//Litfass//Events//EN")
	calendar.SetCalscale("GREGORIAN")
	calendar.SetName(line(f.Title))
	calendar.SetXWRCalName(line(f.Title))
	calendar.SetUrl(f.Page)
	calendar.SetRefreshInterval(refresh) // with VALUE=DURATION
	calendar.SetXPublishedTTL(refresh)
	items, err := f.timed()
	if err != nil {
		return nil, err
	}
	zones := observances{}
	if len(items) == 0 { // a calendar has at least one component (RFC 5545, 3.6)
		zones.add(period{start: time.Unix(0, 0).In(f.Site.Zone)})
	}
	for _, item := range items {
		if zones.add(item.period); !item.Hours.Empty() {
			zones.addYears(item)
		}
	}
	for _, zone := range zones.timezones() {
		calendar.AddVTimezone(zone)
	}
	for _, item := range items {
		if err := addEvents(calendar, f.Site, item); err != nil {
			return nil, fmt.Errorf("date %s: %w", item.DateUUID, err)
		}
	}
	var b bytes.Buffer
	if err := calendar.SerializeTo(&b, ics.WithNewLineWindows); err != nil {
		return nil, fmt.Errorf("write a calendar: %w", err)
	}
	return b.Bytes(), nil
}

// addEvents adds a date: one event, or with opening hours a series for each of their times.
func addEvents(calendar *ics.Calendar, s Site, i timedItem) error {
	blocks, err := i.blocks()
	if len(blocks) == 0 && err == nil { // without opening hours, or never open
		calendar.AddVEvent(calendarEvent(s, i, i.DateUUID, func(event *ics.VEvent) { err = setPeriod(event, i.period) }))
		return err
	}
	for _, block := range blocks {
		calendar.AddVEvent(calendarEvent(s, i, i.DateUUID+"-"+block.clocks(), func(event *ics.VEvent) { i.series(event, block) }))
	}
	return err
}

func calendarEvent(s Site, i timedItem, uid string, setTime func(*ics.VEvent)) *ics.VEvent {
	event := ics.NewEvent(uid)
	event.SetDtStampTime(i.changed()) // without a METHOD it is the time of the last revision (RFC 5545, 3.8.7.2)
	event.SetModifiedAt(i.changed())
	event.SetCreatedTime(i.created())
	event.SetSequence(sequence(i.Revision))
	setTime(event)
	event.SetStatus(calendarStatus(i.ReleaseStatus))
	event.SetTimeTransparency(ics.TransparencyTransparent) // listed dates take up no time of the calendar's owner
	if i.TextLanguage == "" {
		event.SetSummary(i.name())
	} else {
		event.SetSummary(i.name(), &ics.KeyValues{Key: string(ics.ParameterLanguage), Value: []string{i.TextLanguage}})
	}
	if text := i.about(); text != "" {
		event.SetDescription(text)
	}
	if place := i.place(); place != "" {
		event.SetLocation(place)
	}
	if i.VenueLat != nil && i.VenueLon != nil {
		event.SetGeo(degrees(*i.VenueLat), degrees(*i.VenueLon))
	}
	event.SetURL(i.page(s))
	for _, word := range i.keywords() {
		event.AddCategory(word)
	}
	return event
}

// about returns the text of a date in calendars.
func (i timedItem) about() string {
	return joined("\n\n", i.status(), i.moved(), i.tickets(), line(i.OpenHours), i.text(), i.contributors(), link(i.OnlineLink))
}

// setPeriod sets the start and the end, which is exclusive. A date that ends on another day at no
// known time ends with that day.
func setPeriod(event *ics.VEvent, p period) error {
	if p.allDay {
		event.SetProperty(ics.ComponentPropertyDtStart, p.start.Format(icsDay), ics.WithValue("DATE"))
		if p.lastDay == "" { // without an end
			return nil
		}
		end, err := dayAfter(p.lastDay)
		event.SetProperty(ics.ComponentPropertyDtEnd, end.Format(icsDay), ics.WithValue("DATE"))
		return err
	}
	setMoment(event, ics.ComponentPropertyDtStart, p.start)
	switch {
	case !p.end.IsZero():
		setMoment(event, ics.ComponentPropertyDtEnd, p.end)
	case p.lastDay != "":
		day, err := dayAfter(p.lastDay)
		if err != nil {
			return err
		}
		end, err := value.LocalTime(day.Format(dayLayout), "00:00", p.start.Location())
		setMoment(event, ics.ComponentPropertyDtEnd, end)
		return err
	}
	return nil
}

// setMoment sets a local time with its zone. One that a clock change repeats is written in UTC:
// readers disagree which of the two it is.
func setMoment(event *ics.VEvent, property ics.ComponentProperty, at time.Time) {
	if repeats(at) {
		event.SetProperty(property, at.UTC().Format(icsMoment)+"Z")
		return
	}
	event.SetProperty(property, at.Format(icsMoment), ics.WithTZID(at.Location().String()))
}

func calendarStatus(releaseStatus string) ics.ObjectStatus {
	switch releaseStatus {
	case cancelled:
		return ics.ObjectStatusCancelled
	case deferred:
		return ics.ObjectStatusTentative
	default:
		return ics.ObjectStatusConfirmed
	}
}

// degrees writes a coordinate without an exponent, which the standard does not know.
func degrees(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// sequence returns a revision as a number of 31 bits that grows with it (RFC 5545, 3.8.7.4). Below
// 2^30 it is the revision itself; each further power of two has 2^25 numbers, so that revisions
// near to each other may share one.
func sequence(revision int64) int {
	const exact, exponents, shown = 30, 32, 25
	if revision < 1<<exact {
		return int(max(revision, 0))
	}
	exponent := bits.Len64(uint64(revision)) - 1
	if exponent >= exact+exponents {
		return 1<<31 - 1
	}
	fraction := int(revision>>(exponent-shown)) & (1<<shown - 1)
	return 1<<exact + (exponent-exact)<<shown + fraction
}
