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

// varying are the attributes by which dates of one event may be counted under different values.
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
}

// Relate sets Varies and the Earlier attributes in all dates of an event, which are in order of
// start and uuid. Counts of events need them. If the dates differ only in their times, bounds of
// these times find a part of the sequence. Its first date is the one whose earlier date is not
// found, which a filter can express. If they vary, the engine counts the event by the values of any
// one of its dates.
func Relate(dates []Date) {
	names := differences(dates)
	for i := range dates {
		d := &dates[i]
		d.Varies = names
		d.EarlierStartDay, d.EarlierEndDay, d.EarlierEndsAt = nil, nil, nil
		if i > 0 && names == nil {
			earlier := dates[i-1]
			d.EarlierStartDay, d.EarlierEndDay, d.EarlierEndsAt = &earlier.StartDay, &earlier.EndDay, &earlier.EndsAt
		}
	}
}

// differences names the attributes in which dates differ; "order" if a date ends before an earlier
// one, and "other" for attributes that are not counted by.
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
		names = append(names, "order")
	}
	if len(names) > 0 {
		return names
	}
	first := dates[0].withoutTimes()
	if slices.ContainsFunc(dates[1:], func(d Date) bool { return !reflect.DeepEqual(d.withoutTimes(), first) }) {
		return []string{"other"}
	}
	return nil
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

// withoutTimes returns the date without what distinguishes it from the other dates of its event, if
// these differ only in their times.
func (d Date) withoutTimes() Date {
	d.DateUUID, d.Entry = "", Encoded[publicapi.Entry]{}
	d.StartKey, d.StartDay, d.EndDay, d.StartMinute, d.EndsAt = 0, 0, 0, nil, 0
	d.Varies, d.EarlierStartDay, d.EarlierEndDay, d.EarlierEndsAt = nil, nil, nil, nil
	return d
}
