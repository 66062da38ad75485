package eventfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/hours"
)

// row is one row of a CSV file, or one component of a calendar.
type row struct {
	number  int
	id      string // of its event
	givesID bool   // the file gives it
	values  map[string]string
	own     map[string]string // that a date gives for fields of the event
	dates   []Date
	reasons []Reason

	placeHours *hours.Hours
}

func (r *row) refuse(field string, why *reason.Reason) {
	r.reasons = append(r.reasons, Reason{r.number, fault.Violate(field, why)})
}

// identify sets the identifier of a row's event, for which title and venue count as the file writes
// them, and then resolves the entities in its texts. An address as the venue is an online link.
func (r *row) identify() {
	fold := func(field string) string { return strings.ToLower(strings.Join(strings.Fields(r.values[field]), " ")) }
	if r.id, r.givesID = r.values[FieldExternalID], true; r.id == "" {
		r.id, r.givesID = fold(FieldTitle)+" @ "+fold(FieldVenue), false
	}
	for _, values := range []map[string]string{r.values, r.own} {
		for field, text := range values {
			values[field] = unescape(field, text)
		}
	}
	if link := r.values[FieldVenue]; strings.HasPrefix(link, "https:") || strings.HasPrefix(link, "http:") {
		r.values[FieldVenue] = ""
		if r.values[FieldOnlineLink] == "" {
			r.values[FieldOnlineLink] = link
		}
	}
}

// group joins the rows of one event. A reason against one of them refuses the event: half of its
// dates would look like all of them.
func group(rows []row) []Event {
	var events []Event
	places := map[string]int{}
	for _, r := range rows {
		key := fmt.Sprint(r.givesID, r.id)
		place, known := places[key]
		if !known {
			place = len(events)
			places[key] = place
			if r.values[FieldTitle] == "" {
				r.refuse(FieldTitle, reason.Required)
			}
			events = append(events, Event{ExternalID: r.id, Values: maps.Clone(r.values), PlaceHours: r.placeHours, seen: map[Moment]bool{}})
		} else {
			events[place].join(&r)
		}
		events[place].add(&r)
	}
	return events
}

// join adds the values of a further row for fields that the event lacks; of two values that differ
// only in case the first stays. It notes the texts that a date has of its own, which have no place
// in the catalogue.
func (e *Event) join(r *row) {
	for _, field := range slices.Sorted(maps.Keys(r.own)) {
		if text := r.own[field]; text != "" && !strings.EqualFold(e.Values[field], text) {
			e.Notes = append(e.Notes, Reason{r.number, fault.Violate(field, reason.TextOfDate(shorten(text)))})
		}
	}
	for _, field := range slices.Sorted(maps.Keys(r.values)) {
		text := r.values[field]
		if text == "" || slices.Contains(ofDates, field) || strings.EqualFold(e.Values[field], text) {
			continue
		}
		if e.Values[field] != "" {
			r.refuse(field, reason.DiffersFromRow(e.Rows[0]))
			continue
		}
		e.Values[field] = text
	}
}

// add appends the dates and the reasons of a row.
func (e *Event) add(r *row) {
	e.Rows = append(e.Rows, r.number)
	e.Reasons = append(e.Reasons, r.reasons...)
	for _, d := range r.dates {
		if d.Values == nil {
			d.Values = map[string]string{}
			for _, field := range ofDates {
				if text, given := r.values[field]; given {
					d.Values[field] = text
				}
			}
		}
		if e.seen[d.Key] && d.Key.Day != "" {
			e.Reasons = append(e.Reasons, Reason{r.number, fault.Violate(FieldStartDate, reason.Duplicate(reason.WordRow))})
			continue
		}
		e.seen[d.Key] = true
		e.Dates = append(e.Dates, d)
	}
}
