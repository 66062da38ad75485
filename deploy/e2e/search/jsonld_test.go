package search

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/pkg/chassis/lane"
)

// describedEvents is how many random events are compared.
var describedEvents = lane.Scale(80, 200)

// property is one that Google reads of an event in schema.org's vocabulary: a required one, or a
// recommended one, which an event must have if the catalogue has data for it.
type property struct {
	path string // below the event; of the first element of a list
	data func(d *reference.Dated) bool
	// otherwise means that the event may also have it without this data.
	otherwise bool
}

func always(*reference.Dated) bool { return true }

// googleProperties are the required and the recommended properties of Google's documentation of
// events (Search Central, Event structured data).
var googleProperties = []property{
	{path: "name", data: always},
	{path: "startDate", data: always},
	{path: "location", data: always},
	{path: "location.name", data: atVenue, otherwise: true}, // that of the organizer
	{path: "location.address", data: atVenue},

	{path: "description", data: func(d *reference.Dated) bool {
		return d.Event.Subtitle+d.Event.Summary+d.Event.Description != ""
	}, otherwise: true}, // the note of a status
	{path: "endDate", data: ends},
	{path: "eventStatus", data: always},
	{path: "eventAttendanceMode", data: always},
	{path: "previousStartDate", data: func(d *reference.Dated) bool {
		return d.Date.PreviousStart != "" && (d.Status == "released" || d.Status == "rescheduled")
	}},
	{path: "image", data: func(d *reference.Dated) bool { return len(d.Event.Images) > 0 }},
	{path: "organizer.name", data: always},
	{path: "organizer.url", data: always},
	{path: "performer.name", data: performed},
	{path: "offers.url", data: offered},
	{path: "offers.price", data: priced},
	{path: "offers.priceCurrency", data: func(d *reference.Dated) bool { return costs(d) && d.Money() != "" }},
	{path: "offers.availability", data: func(d *reference.Dated) bool { return d.Date.Availability != "" }},
	{path: "offers.validFrom", data: func(d *reference.Dated) bool { return offered(d) && d.Date.OnSaleFrom != "" }},
}

func atVenue(d *reference.Dated) bool { return d.Place.Venue != nil && !onlineOnly(d) }

// ends: a day that is known, or a time after the start. A date of a whole day ends on that day,
// and one with opening hours and without a last day never.
func ends(d *reference.Dated) bool {
	switch {
	case d.Date.AllDay:
		return d.Date.EndDate != "" || d.Date.Hours == nil
	case d.Date.EndTime == "":
		return string(d.Date.EndDate) > d.Date.StartDate
	default:
		return string(d.Date.EndDate+"T"+d.Date.EndTime) > d.Date.StartDate+"T"+string(d.Date.StartTime)
	}
}

// notSeen are the roles of contributors whom visitors neither see nor hear.
var notSeen = []string{"author", "artist", "choreographer", "composer", "curator", "director", "other"}

func performed(d *reference.Dated) bool {
	return slices.ContainsFunc(d.Event.Contributors, func(p reference.Participant) bool { return !slices.Contains(notSeen, p.Role) })
}

// priced: it is free, or has a least price.
func priced(d *reference.Dated) bool {
	kind, low, _ := d.Price()
	return kind == "free" || kind != "donation" && low != nil
}

// costs: it is free, or has a least or a greatest price.
func costs(d *reference.Dated) bool {
	kind, _, high := d.Price()
	return priced(d) || kind != "donation" && high != nil
}

// offered: there is a price, or a statement of places. Random dates have no address of tickets.
func offered(d *reference.Dated) bool { return costs(d) || d.Date.Availability != "" }

// onlineOnly: the visitor information says so, and a link says where.
func onlineOnly(d *reference.Dated) bool {
	return d.Event.OnlineLink != "" && d.Event.VisitorInfoFlags.Has(14)
}

// testJSONLD compares the descriptions of random events for search engines with a table of the
// properties that they read.
func testJSONLD(s *harness.System, t *testing.T, c *reference.Catalogue) {
	described := map[string]bool{}
	used := make([]int, len(googleProperties))
	for _, d := range s.Reference(c).Dates() {
		if described[d.Event.UUID] || len(described) == describedEvents {
			continue
		}
		described[d.Event.UUID] = true
		event := descriptionOf(s, t, d)
		for i, p := range googleProperties {
			has, wants := valueAt(event, p.path) != nil, p.data(d)
			if has != wants && (wants || !p.otherwise) {
				t.Errorf("date %s: %s is there: %t, want %t, in %v", d.Date.UUID, p.path, has, wants, event)
			}
			if wants {
				used[i]++
			}
		}
	}
	for i, p := range googleProperties {
		if used[i] == 0 {
			t.Errorf("no event has data for %s", p.path)
		}
		t.Logf("%-22s %d of %d events", p.path, used[i], len(described))
	}
	if len(described) < describedEvents {
		t.Errorf("only %d events", len(described))
	}
}

// descriptionOf returns how the feed of an event's date describes it.
func descriptionOf(s *harness.System, t *testing.T, d *reference.Dated) map[string]any {
	t.Helper()
	path := fmt.Sprintf("/api/event/%s/date/%s.jsonld", d.Event.UUID, d.Date.UUID)
	answer, err := s.Client.Get(t.Context(), path)
	if err != nil || answer.Status != http.StatusOK {
		t.Fatalf("%s: %d, %v", path, answer.Status, err)
	}
	var document struct {
		Graph []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal(answer.Body, &document); err != nil || len(document.Graph) == 0 || document.Graph[0]["startDate"] == nil {
		t.Fatalf("%s: %v in %.300s", path, err, answer.Body)
	}
	return document.Graph[0]
}

// valueAt returns the value at a path, nil without one. Lists are looked at by their first element.
func valueAt(value any, path string) any {
	for key := range strings.SplitSeq(path, ".") {
		if list, ok := value.([]any); ok && len(list) > 0 {
			value = list[0]
		}
		object, _ := value.(map[string]any)
		value = object[key]
	}
	return value
}
