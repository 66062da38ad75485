package feed

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/publicapi"
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
				"@type": "AggregateOffer", "price": 12.5, "lowPrice": 12.5, "highPrice": 20.0, "priceCurrency": "EUR",
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
			"image": []any{"https://litfass.example/api/image/1/50-25", map[string]any{
				"@type": "ImageObject", "contentUrl": "https://litfass.example/api/image/2/50-50",
				"digitalSourceType": prefix + "TrainedAlgorithmicMediaDigitalSource",
			}},
			"organizer": map[string]any{
				"@type": "Organization", "name": "Kulturhaus Nord", "url": "https://litfass.example/organization/" + orgUUID,
				"sameAs": "https://nord.example", "email": "post@nord.example", "telephone": "+49 461 1",
			},
			"offers": map[string]any{
				"@type": "AggregateOffer", "price": 12.5, "lowPrice": 12.5, "highPrice": 20.0, "priceCurrency": "EUR", "url": "https://tickets.example/?a=1&b=2",
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

// TestKindsOfEvents: the first type that is a kind of event for certain is that of the date.
func TestKindsOfEvents(t *testing.T) {
	t.Parallel()
	for want, types := range map[string][]int{
		"MusicEvent": {13, 1, 18}, "TheaterEvent": {2}, "Event": {13}, "ExhibitionEvent": {17}, "Festival": {18, 1}, "VisualArtsEvent": {8, 17},
	} {
		got := described(t, changed("1", func(i *Item) {
			i.EventTypes = nil
			for _, id := range types {
				i.EventTypes = append(i.EventTypes, publicapi.EventType{TypeID: id})
			}
		}))[0]
		if got["@type"] != want {
			t.Errorf("%v is %v, want %s", types, got["@type"], want)
		}
	}
	open := Item{Entry: publicapi.Entry{
		EventTypes: []publicapi.EventType{{TypeID: 35}, {TypeID: 17}}, Hours: hours.Hours{Weekly: []hours.Weekly{{Day: "tue", From: "10:00", To: "18:00"}}},
	}}
	if got := kindOf(open.Entry); got != "ExhibitionEvent" {
		t.Errorf("an exhibition with opening hours is %s", got)
	}
}

// TestContributorsOfADate: each under the property of its role, once.
func TestContributorsOfADate(t *testing.T) {
	t.Parallel()
	const address = "https://litfass.example/contributor/"
	got := described(t, changed("1", func(i *Item) {
		i.Details = &Details{Contributors: []publicapi.Participant{
			{UUID: "a", Role: "soloist", Type: "person", Name: " Anna\nThomsen ", WebLink: "https://anna.example", Wikidata: "Q254"},
			{UUID: "a", Role: "moderator", Type: "person", Name: "Anna Thomsen"},
			{UUID: "b", Role: "ensemble", Type: "group", Name: "Trio", WebLink: "javascript:x"},
			{UUID: "c", Role: "composer", Type: "person", Name: "C"}, {UUID: "d", Role: "director", Type: "person", Name: "D"},
			{UUID: "a", Role: "author", Type: "person", Name: "Anna Thomsen"},
		}}
	}))[0]
	one := func(kind, uuid, name string) map[string]any {
		return map[string]any{"@type": kind, "@id": address + uuid, "url": address + uuid, "name": name}
	}
	anna := one("Person", "a", "Anna Thomsen")
	anna["sameAs"] = []any{"https://anna.example", "https://www.wikidata.org/wiki/Q254"}
	for property, want := range map[string]any{
		"performer": []any{anna, one("PerformingGroup", "b", "Trio")}, "composer": []any{one("Person", "c", "C")},
		"director": []any{one("Person", "d", "D")}, "contributor": []any{one("Person", "a", "Anna Thomsen")},
		"workFeatured": []any{map[string]any{"@type": "CreativeWork", "author": []any{map[string]any{"@id": address + "a"}}}},
	} {
		if !reflect.DeepEqual(got[property], want) {
			t.Errorf("%s is %v, want %v", property, got[property], want)
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

// offersOf returns the offers of an item as JSON, "null" without any.
func offersOf(t *testing.T, i Item) string {
	t.Helper()
	f := feedOf(t, i)
	items, err := f.timed()
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(items[0].offers(f.Site))
	if err != nil {
		t.Fatal(err)
	}
	page := items[0].page(f.Site)
	return strings.NewReplacer(page, "PAGE", `"@type":"AggregateOffer"`, "AGGREGATE", `"@type":"Offer"`, "OFFER", "https://schema.org/", "S:").Replace(string(data))
}

// TestOffers: unknown properties are omitted.
func TestOffers(t *testing.T) {
	sale := func(availability string) func(*Item) {
		return func(i *Item) { i.MaxPrice, i.Availability = i.MinPrice, availability }
	}
	none := func(i *Item) { i.MinPrice, i.MaxPrice = nil, nil }
	for name, test := range map[string]struct {
		change func(*Item)
		want   string
	}{
		"one price":    {func(i *Item) { i.MaxPrice = nil }, `[{OFFER,"price":12.5,"priceCurrency":"EUR","url":"PAGE"}]`},
		"equal prices": {func(i *Item) { i.MaxPrice = i.MinPrice }, `[{OFFER,"price":12.5,"priceCurrency":"EUR","url":"PAGE"}]`},
		"two prices":   {func(*Item) {}, `[{AGGREGATE,"price":12.5,"lowPrice":12.5,"highPrice":20,"priceCurrency":"EUR","url":"PAGE"}]`},
		"from": {func(i *Item) { i.PriceType, i.MaxPrice = "tiered_prices", nil },
			`[{AGGREGATE,"price":12.5,"lowPrice":12.5,"priceCurrency":"EUR","url":"PAGE"}]`},
		"up to": {func(i *Item) { i.MinPrice = nil }, `[{AGGREGATE,"highPrice":20,"priceCurrency":"EUR","url":"PAGE"}]`},
		"free":  {func(i *Item) { i.PriceType, i.MinPrice, i.Currency = "free", nil, "" }, `[{OFFER,"price":0,"url":"PAGE"}]`},
		"tickets only": {func(i *Item) { none(i); i.Details = &Details{TicketLink: "https://tickets.example"} },
			`[{OFFER,"url":"https://tickets.example"}]`},
		"nothing known":   {none, "null"},
		"only sold out":   {func(i *Item) { none(i); i.Availability = "sold_out" }, `[{OFFER,"url":"PAGE","availability":"S:SoldOut"}]`},
		"available":       {sale("available"), `[{OFFER,"price":12.5,"priceCurrency":"EUR","url":"PAGE","availability":"S:InStock"}]`},
		"waiting list":    {sale("waiting_list"), `[{OFFER,"price":12.5,"priceCurrency":"EUR","url":"PAGE","availability":"S:SoldOut"}]`},
		"not yet on sale": {sale("not_yet_on_sale"), `[{OFFER,"price":12.5,"priceCurrency":"EUR","url":"PAGE","availability":"S:PreOrder"}]`},
		"sale": {
			func(i *Item) {
				sale("few_left")(i)
				i.OnSaleFrom, i.OnSaleUntil, i.RemainingPlaces = "2026-06-01T10:00", "2026-11-20T18:00", value.Counted(7)
			},
			`[{OFFER,"price":12.5,"priceCurrency":"EUR","url":"PAGE","availability":"S:InStock","validFrom":"2026-06-01T10:00:00+02:00",` +
				`"validThrough":"2026-11-20T18:00:00+01:00","inventoryLevel":{"@type":"QuantitativeValue","value":7}}]`,
		},
		"tariffs": {
			func(i *Item) {
				i.Availability = "available"
				i.Details = &Details{Tariffs: []publicapi.Tariff{
					{Name: "Rang", MinPrice: i.MinPrice, MaxPrice: i.MinPrice, Currency: "EUR", Condition: "bis 14"},
					{Name: "Parkett", MinPrice: i.MinPrice, MaxPrice: i.MaxPrice, Currency: "EUR"},
				}}
			},
			`[{OFFER,"name":"Rang","description":"bis 14","price":12.5,"priceCurrency":"EUR","url":"PAGE","availability":"S:InStock"},` +
				`{AGGREGATE,"name":"Parkett","price":12.5,"lowPrice":12.5,"highPrice":20,"priceCurrency":"EUR","url":"PAGE","availability":"S:InStock"}]`,
		},
		"a donation with suggestions": {func(i *Item) { i.PriceType = "donation" }, "null"},
		"a donation":                  {func(i *Item) { none(i); i.PriceType = "donation" }, "null"},
	} {
		if got := offersOf(t, changed("1", test.change)); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
	if changed("1", func(i *Item) { i.PriceType = "donation" }).free() != nil {
		t.Error("a donation is free or not")
	}
}

// TestMovedDates: a date that was moved has its former start, which search engines read with no
// other status than rescheduled.
func TestMovedDates(t *testing.T) {
	for status, want := range map[string][2]any{
		"released": {"2026-07-01T19:30:00+02:00", "EventRescheduled"}, "rescheduled": {"2026-07-01T19:30:00+02:00", "EventRescheduled"},
		"cancelled": {nil, "EventCancelled"}, "deferred": {nil, "EventPostponed"},
	} {
		moved := changed("1", func(i *Item) { i.ReleaseStatus, i.PreviousStart, i.MovedName = status, "2026-07-01T19:30", "Verlegt" })
		got := described(t, moved)[0]
		if got["previousStartDate"] != want[0] || got["eventStatus"] != "https://schema.org/"+want[1].(string) {
			t.Errorf("%s: %v, %v", status, got["previousStartDate"], got["eventStatus"])
		}
		calendar, err := ICS(feedOf(t, moved))
		if told := strings.Contains(strings.ReplaceAll(string(calendar), "\r\n ", ""), "Verlegt: 2026-07-01 19:30 → 2026-11-20 19:30"); err != nil || told != (want[0] != nil) {
			t.Errorf("%s: the calendar says where it was: %t, %v", status, told, err)
		}
	}
	got := described(t, changed("1", func(i *Item) { i.PreviousStart = "2026-07-01" }))[0]
	if got["previousStartDate"] != "2026-07-01" {
		t.Errorf("it was all-day: %v", got["previousStartDate"])
	}
}

func TestAgesAreRanges(t *testing.T) {
	for want, bounds := range map[string][2]*int{
		"6-12": {number(6), number(12)}, "12-": {number(12), nil}, "0-12": {nil, number(12)}, "": {},
	} {
		if got := ages(bounds[0], bounds[1]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
