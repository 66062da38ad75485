package feed

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/value"
)

// described returns the events of a graph as maps.
func described(t *testing.T, items ...Item) []map[string]any {
	t.Helper()
	data, err := JSONLD(feedOf(t, items...))
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(string(data), "<>&\u2028") {
		t.Errorf("it may not stand in a script element: %s", data)
	}
	var document struct {
		Context string           `json:"@context"`
		Graph   []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal(data, &document); err != nil || document.Context != "https://schema.org" || len(document.Graph) < len(items) {
		t.Fatalf("%v %s", err, data)
	}
	return document.Graph
}

// TestTheWayToAnEvent: the graph of one event has the pages that lead to it.
func TestTheWayToAnEvent(t *testing.T) {
	t.Parallel()
	for city, want := range map[string][]string{
		"Sankt Peter & Ording": {"https://litfass.example/", "https://litfass.example/?city=Sankt+Peter+%26+Ording", "https://litfass.example/event/" + eventUUID},
		"":                     {"https://litfass.example/", "https://litfass.example/event/" + eventUUID},
	} {
		graph := described(t, changed("1", func(i *Item) { i.Details, i.VenueCity = &Details{}, city }))
		var pages []string
		for n, item := range graph[1]["itemListElement"].([]any) {
			crumb := item.(map[string]any)
			if pages = append(pages, crumb["item"].(string)); crumb["position"] != float64(n+1) || crumb["name"] == "" {
				t.Errorf("%d: %v", n, crumb)
			}
		}
		if len(graph) != 2 || graph[1]["@type"] != "BreadcrumbList" || !slices.Equal(pages, want) {
			t.Errorf("%q: %v", city, graph[1])
		}
	}
	if graph := described(t, concert()); len(graph) != 1 {
		t.Errorf("a search has the way to an event: %v", graph)
	}
}

// TestUpcomingDates: what is over is left out, unless nothing else is left.
func TestUpcomingDates(t *testing.T) {
	t.Parallel()
	var items []Item
	for day := 1; day <= 9; day++ {
		items = append(items, changed(strconv.Itoa(day), func(i *Item) {
			i.StartDate, i.EndDate, i.EndTime = "2026-11-0"+strconv.Itoa(day), "", "23:00"
		}))
	}
	for at, want := range map[string]string{
		"2026-10-01T00:00:00Z": "1234", "2026-11-03T21:59:59Z": "3456", "2026-11-03T22:00:00Z": "4567",
		"2026-11-08T22:00:00Z": "9", "2027-01-01T00:00:00Z": "9",
	} {
		now, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		upcoming, err := feedOf(t, items...).Upcoming(now, 4)
		found := ""
		for _, i := range upcoming.Items {
			found += i.StartDate[len(i.StartDate)-1:]
		}
		if err != nil || found != want {
			t.Errorf("at %s: %s, %v; want %s", at, found, err, want)
		}
	}
}

// TestEventsOfSchemaOrg compares the properties of each date of the sample.
func TestEventsOfSchemaOrg(t *testing.T) {
	const prefix = "https://schema.org/"
	got := described(t, sample()...)
	for n, want := range []map[string]any{
		{
			"startDate": "2026-11-20T19:30:00+01:00", "endDate": "2026-11-21T01:00:00+01:00", "eventStatus": prefix + "EventScheduled",
			"eventAttendanceMode": prefix + "MixedEventAttendanceMode", "typicalAgeRange": "12-", "isAccessibleForFree": false,
			"identifier": dateUUID("1"), "@id": "https://litfass.example/event/" + eventUUID + "?date=" + dateUUID("1"),
			"inLanguage": []any{"de", "da"}, "image": []any{"https://litfass.example/api/image/1/50-25"},
			"offers": map[string]any{
				"@type": "AggregateOffer", "lowPrice": 12.5, "highPrice": 20.0, "priceCurrency": "EUR",
				"url": "https://litfass.example/event/" + eventUUID + "?date=" + dateUUID("1"),
			},
			"organizer": map[string]any{"@type": "Organization", "name": "Kulturhaus Nord", "url": "https://litfass.example/organization/" + orgUUID},
			"location": []any{
				map[string]any{
					"@type": "Place", "name": "Kulturhalle, Großer Saal", "url": "https://litfass.example/venue/" + venueUUID,
					"address": map[string]any{
						"@type": "PostalAddress", "streetAddress": "Hauptstraße 7a", "postalCode": "24937", "addressLocality": "Flensburg",
						"addressRegion": "SH", "addressCountry": "DE",
					},
					"geo": map[string]any{"@type": "GeoCoordinates", "latitude": 54.79, "longitude": 0.00000943},
				},
				map[string]any{"@type": "VirtualLocation", "url": "https://stream.example/jazz"},
			},
		},
		{
			"startDate": "2028-02-28", "endDate": "2028-02-29", "eventAttendanceMode": prefix + "OnlineEventAttendanceMode",
			"location": []any{map[string]any{"@type": "VirtualLocation", "url": "https://stream.example/jazz"}},
			"offers":   nil, "isAccessibleForFree": nil, "typicalAgeRange": nil,
		},
		{
			"startDate": "2026-07-01T19:30:00+02:00", "endDate": nil, "eventStatus": prefix + "EventCancelled", "isAccessibleForFree": true,
			"eventAttendanceMode": prefix + "OfflineEventAttendanceMode", "typicalAgeRange": "12-99",
		},
		{"startDate": "2026-10-30T10:00:00-04:00", "endDate": "2027-01-02", "eventStatus": prefix + "EventPostponed"},
		{
			"eventStatus": prefix + "EventRescheduled", "previousStartDate": nil, "doorTime": "2026-11-20T18:30:00+01:00",
			"maximumAttendeeCapacity": 300.0,
			"image":                   []any{"https://litfass.example/api/image/1/50-25", "https://litfass.example/api/image/2/50-50"},
			"offers": map[string]any{
				"@type": "AggregateOffer", "lowPrice": 12.5, "highPrice": 20.0, "priceCurrency": "EUR", "url": "https://tickets.example/?a=1&b=2",
			},
		},
		{"image": nil, "eventAttendanceMode": prefix + "OfflineEventAttendanceMode"},
	} {
		for key, value := range want {
			if !reflect.DeepEqual(got[n][key], value) {
				t.Errorf("%d: %s is %v, want %v", n, key, got[n][key], value)
			}
		}
	}
}

// TestLocationsOfADate: one that is flagged as only online keeps its venue unless it has a link.
func TestLocationsOfADate(t *testing.T) {
	for name, test := range map[string]struct {
		flagged   bool
		link      string
		venue     bool
		mode      string
		locations []string
	}{
		"at a venue":                    {false, "", true, "Offline", []string{"Place"}},
		"at a venue and online":         {false, "https://stream.example", true, "Mixed", []string{"Place", "VirtualLocation"}},
		"online, with a venue":          {true, "https://stream.example", true, "Online", []string{"VirtualLocation"}},
		"also online, without a link":   {true, "", true, "Mixed", []string{"Place"}},
		"also online, with no web link": {true, "javascript:x", true, "Mixed", []string{"Place"}},
		"online":                        {true, "https://stream.example", false, "Online", []string{"VirtualLocation"}},
		"online at an unknown address":  {true, "", false, "Online", []string{"VirtualLocation"}},
		"nowhere":                       {false, "", false, "Offline", []string{"Place"}},
	} {
		got := described(t, changed("1", func(i *Item) {
			i.OnlineLink = value.Text(test.link)
			if test.flagged {
				i.VisitorInfoFlags = mask(onlineOnly)
			}
			if !test.venue {
				i.Entry = withoutPlace(i.Entry)
			}
		}))[0]
		var types []string
		locations, _ := got["location"].([]any)
		for _, one := range locations {
			types = append(types, one.(map[string]any)["@type"].(string))
		}
		if got["eventAttendanceMode"] != "https://schema.org/"+test.mode+"EventAttendanceMode" || !slices.Equal(types, test.locations) {
			t.Errorf("%s: %v at %v", name, got["eventAttendanceMode"], types)
		}
	}
}

// TestOffers: unknown properties are omitted.
func TestOffers(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Item)
		want   string // of the offer, without its address
	}{
		"one price":    {func(i *Item) { i.MaxPrice = nil }, `{"@type":"Offer","price":12.5,"priceCurrency":"EUR"`},
		"equal prices": {func(i *Item) { i.MaxPrice = i.MinPrice }, `{"@type":"Offer","price":12.5,"priceCurrency":"EUR"`},
		"from":         {func(i *Item) { i.PriceType, i.MaxPrice = "tiered_prices", nil }, `{"@type":"AggregateOffer","lowPrice":12.5,"priceCurrency":"EUR"`},
		"up to":        {func(i *Item) { i.MinPrice = nil }, `{"@type":"AggregateOffer","highPrice":20,"priceCurrency":"EUR"`},
		"free":         {func(i *Item) { i.PriceType, i.MinPrice, i.Currency = "free", nil, "" }, `{"@type":"Offer","price":0`},
		"tickets only": {func(i *Item) {
			i.MinPrice, i.MaxPrice, i.Details = nil, nil, &Details{TicketLink: "https://tickets.example"}
		}, `{"@type":"Offer"`},
	} {
		offer := changed("1", test.change).offers(feedOf(t).Site)
		data, err := json.Marshal(offer)
		if got, _, _ := strings.Cut(string(data), `,"url"`); err != nil || got != test.want {
			t.Errorf("%s: %s, want %s (%v)", name, got, test.want, err)
		}
	}
	suggested := changed("1", func(i *Item) { i.PriceType = "donation" })
	if offer := suggested.offers(feedOf(t).Site); offer != nil || suggested.free() != nil {
		t.Errorf("a donation with suggestions: %+v", offer)
	}
	if offer := changed("1", func(i *Item) { i.PriceType, i.MinPrice, i.MaxPrice = "donation", nil, nil }).offers(feedOf(t).Site); offer != nil {
		t.Errorf("a donation: %+v", offer)
	}
}
