package model

import (
	"slices"
	"time"
)

// faults returns which rules an event breaks.
func (w *World) faults(e Object) []string {
	var faults []string
	wrong := func(broken bool, fault string) {
		if broken {
			faults = append(faults, fault)
		}
	}
	wrong(!w.isPlace(e), "the space is none of the venue")
	wrong(above(e, "min_age", "max_age"), "max_age is below min_age")
	wrong(above(e, "min_price", "max_price"), "max_price is below min_price")
	wrong(wrongTariffs(e), "the tariffs have several currencies, or a max_price below min_price")
	wrong(e["currency"] == nil && (e["min_price"] != nil || e["max_price"] != nil), "a price has no currency")
	wrong(e["price_type"] == "free" && (costs(e, "min_price") || costs(e, "max_price")), "what is free has a price")
	everyDateHasVenue := true
	for _, date := range Parts(e, "dates") {
		everyDateHasVenue = everyDateHasVenue && date["venue_uuid"] != nil
		wrong(!w.isPlace(date), "the space of a date is none of its venue")
		wrong(wrongTariffs(date), "the tariffs of a date have several currencies, or a max_price below min_price")
		wrong(!w.isPart(e, date), "the part of a date is none of the series of the event")
		faults = append(faults, faultsOfDate(date)...)
	}
	for _, link := range Parts(e, "event_links") {
		wrong(link["type"] == "" || link["url"] == "", "a link has no type or url")
	}
	for _, image := range Parts(e, "images") {
		wrong((image["focus_x"] == nil) != (image["focus_y"] == nil), "half a focus point")
	}
	if isPublic(text(e, "release_status")) {
		dates := Parts(e, "dates")
		wrong(e["title"] == "", "a public event has no title")
		wrong(len(dates) == 0, "a public event has no date")
		placed := e["venue_uuid"] != nil || e["online_link"] != nil || everyDateHasVenue && len(dates) > 0
		wrong(!placed, "a public event has no place")
	}
	return faults
}

// isPlace reports whether the space of an event or date is one of its venue. Whether the venue
// exists is another question.
func (w *World) isPlace(at Object) bool {
	venue, space := text(at, "venue_uuid"), text(at, "space_uuid")
	if space == "" {
		return true
	}
	found := w.Find(Space, space)
	return venue != "" && found != nil && text(found.Fields, "venue_uuid") == venue
}

// above reports whether the lower one of two bounds is above the other.
func above(e Object, low, high string) bool {
	from, hasLow := e[low].(float64)
	to, hasHigh := e[high].(float64)
	return hasLow && hasHigh && from > to
}

// wrongTariffs reports whether a tariff of an event or a date is out of order, or has another
// currency than the first.
func wrongTariffs(of Object) bool {
	all := Parts(of, "tariffs")
	return slices.ContainsFunc(all, func(tariff Object) bool {
		return above(tariff, "min_price", "max_price") || tariff["currency"] != all[0]["currency"]
	})
}

func costs(e Object, key string) bool {
	price, _ := e[key].(float64)
	return price > 0
}

// faultsOfDate returns the rules that a date breaks, regardless of other dates.
func faultsOfDate(d Object) []string {
	var faults []string
	wrong := func(broken bool, fault string) {
		if broken {
			faults = append(faults, fault)
		}
	}
	start, end, entry := text(d, "start_time"), text(d, "end_time"), text(d, "entry_time")
	first, last := text(d, "start_date"), text(d, "end_date")
	allDay, _ := d["all_day"].(bool)
	wrong(wrongPlaces(d), "there are places, but it is sold out")
	wrong(text(d, "on_sale_until") != "" && text(d, "on_sale_until") < text(d, "on_sale_from"), "the sale ends before it begins")
	_, err := time.Parse(time.DateOnly, first)
	wrong(err != nil, "the date has no day")
	wrong(last != "" && last < first, "the date ends on a day before it starts")
	if allDay {
		wrong(start != "" || end != "" || entry != "", "an all-day date has a time")
		return faults
	}
	wrong(d["hours"] != nil, "a date with opening hours is not all-day")
	wrong(start == "", "the date has no start time")
	wrong((last == "" || last == first) && end != "" && end < start, "the date ends before it starts")
	wrong(entry > start, "the doors open after the start")
	return faults
}
