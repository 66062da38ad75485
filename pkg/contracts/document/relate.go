package document

import (
	"fmt"
	"reflect"
	"slices"

	"litfass/pkg/contracts/publicapi"
)

// EarlierAttributes are the attributes that only counts of events read: they follow from the times
// of the dates of an event.
var EarlierAttributes = []string{"earlier_start_day", "earlier_end_day", "earlier_ends_at"}

// varying are the attributes by which dates of one event may be counted under different values, and
// those in which they often differ.
var varying = []struct {
	name string
	of   func(Date) string
}{
	{"release_status", func(d Date) string { return d.ReleaseStatus }},
	{"venue_uuid", func(d Date) string { return d.VenueUUID }},
	{"venue_country", func(d Date) string { return d.VenueCountry }},
	{"city_spelling", func(d Date) string { return d.CitySpelling }},
	{"space_type", func(d Date) string { return d.SpaceType }},
	{"availability", func(d Date) string { return d.Availability }},
	{"price_type", func(d Date) string { return d.PriceType }},
	{"accessibility_bits", func(d Date) string { return fmt.Sprint(d.AccessibilityBits) }},
	{"series_part_uuid", func(d Date) string { return d.SeriesPartUUID }},
}

// Names of differences between the dates of an event, in VariesIn, besides those of attributes.
const (
	VariesInOrder = "order" // a date ends before an earlier one
	VariesInOther = "other" // attributes that have no name in VariesIn
)

// VariesIn returns the names in Date.VariesIn for differences in some attributes.
func VariesIn(attributes []string) (names []string) {
	for _, attribute := range varying {
		if slices.Contains(attributes, attribute.name) {
			names = append(names, attribute.name)
		}
	}
	return append(names, VariesInOther)
}

// Relate sets VariesIn and the Earlier attributes in all dates of an event, which are in order of
// start and uuid. Counts of events need them. If the dates in a range of times are otherwise all
// found or none of them is, they are a part of the sequence, and its first date is the one whose
// earlier date is not found. A filter can express that, so the engine need not compare the dates of
// an event.
func Relate(dates []Date) {
	names := differences(dates)
	for i := range dates {
		d := &dates[i]
		d.VariesIn = names
		d.EarlierStartDay, d.EarlierEndDay, d.EarlierEndsAt = nil, nil, nil
		if i > 0 {
			earlier := dates[i-1]
			d.EarlierStartDay, d.EarlierEndDay, d.EarlierEndsAt = &earlier.StartDay, &earlier.EndDay, &earlier.EndsAt
		}
	}
}

// differences returns the names of Date.VariesIn.
func differences(dates []Date) (names []string) {
	if len(dates) < 2 {
		return nil
	}
	for _, attribute := range varying {
		if slices.ContainsFunc(dates, func(d Date) bool { return attribute.of(d) != attribute.of(dates[0]) }) {
			names = append(names, attribute.name)
		}
	}
	if !inOrder(dates) {
		names = append(names, VariesInOrder)
	}
	first := dates[0].unnamed()
	if slices.ContainsFunc(dates[1:], func(d Date) bool { return !reflect.DeepEqual(d.unnamed(), first) }) {
		names = append(names, VariesInOther)
	}
	return names
}

// inOrder reports whether no date starts or ends before the one that it follows.
func inOrder(dates []Date) bool {
	for i, d := range dates[1:] {
		earlier := dates[i]
		if d.StartKey < earlier.StartKey || d.StartDay < earlier.StartDay || d.EndDay < earlier.EndDay || d.EndsAt < earlier.EndsAt {
			return false
		}
	}
	return true
}

// unnamed returns the date without its times, what follows from them, and the attributes that have
// names in VariesIn.
func (d Date) unnamed() Date {
	d.DateUUID, d.Entry = "", Encoded[publicapi.Entry]{}
	d.StartKey, d.StartDay, d.EndDay, d.StartMinute, d.EndsAt = 0, 0, 0, nil, 0
	d.VariesIn, d.EarlierStartDay, d.EarlierEndDay, d.EarlierEndsAt = nil, nil, nil, nil
	d.ReleaseStatus, d.VenueUUID, d.VenueCountry, d.CitySpelling, d.SpaceType = "", "", "", "", ""
	d.Availability, d.PriceType, d.AccessibilityBits, d.SeriesPartUUID = "", "", nil, ""
	return d
}
