package event

import (
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/site/internal/sitetest"
)

const tickets = "https://tickets.example/"

// eventIn returns the page of the event of an API on a Sunday.
func eventIn(t *testing.T, api *sitetest.EntityAPI, parameters string) string {
	t.Helper()
	return sitetest.Page(t, sitetest.Over(t, api, sitetest.Sunday, Mount), "/event/"+sitetest.EventUUID+parameters)
}

// TestTheFactsComeFirst: time, place, price and the button precede the image, the dates and the
// text, and a page without an image has no place for one.
func TestTheFactsComeFirst(t *testing.T) {
	page := eventIn(t, sitetest.FullAPI("Jazz"), "?lang=en")
	at := 0
	for _, part := range []string{
		"<h1", `class="ticket-when"`, `class="ticket-venue"`, `class="tariffs"`, `class="hero"`, `class="prose"`,
		`id="route-title"`, `id="organizer-title"`, `id="related-venue"`,
	} {
		next := strings.Index(page[at:], part)
		if next < 0 {
			t.Fatalf("%s is missing or comes too early", part)
		}
		at += next
	}
	bare := eventIn(t, withDates([2]string{"2026-11-24", "released"}), "")
	if strings.Contains(bare, `class="hero`) {
		t.Error("an event without an image has a place for one")
	}
}

// TestWhoToAsk: the organizer's contact is a link, and one that is no address is only text.
func TestWhoToAsk(t *testing.T) {
	api := sitetest.FullAPI("Jazz")
	api.Event.OrgContactEmail, api.Event.OrgContactPhone = "post@haus.example", "+49 461 12"
	page := eventIn(t, api, "?lang=en")
	_, organizer, _ := strings.Cut(page, `id="organizer-title"`)
	organizer, _, _ = strings.Cut(organizer, "</section>")
	for _, part := range []string{`href="mailto:post@haus.example"`, `href="tel:+4946112"`} {
		if !strings.Contains(organizer, part) {
			t.Errorf("%s is missing in %s", part, organizer)
		}
	}
	api.Event.OrgContactEmail, api.Event.OrgContactPhone = "javascript:alert(1)", ""
	if page := eventIn(t, api, "?lang=en"); strings.Contains(page, `href="javascript`) || strings.Contains(page, "mailto:javascript") {
		t.Error("what is no address is a link")
	}
}

// TestImagesOfModels: the credit says which images a model has made, and of no other.
func TestImagesOfModels(t *testing.T) {
	api := sitetest.FullAPI("Jazz")
	if page := eventIn(t, api, "?lang=en"); !strings.Contains(page, "Made with AI") {
		t.Error("it is not said")
	}
	api.Event.Images[0].AIGenerated = false
	if page := eventIn(t, api, "?lang=en"); strings.Contains(page, "Made with AI") {
		t.Error("it is said of every image")
	}
}

// TestWhereToBook: the button leads to the link of the date, else to that of the event, and is
// there only for dates to come.
func TestWhereToBook(t *testing.T) {
	const elsewhere = "https://box.example/"
	coming, past, off := [2]string{"2026-11-24", "released"}, [2]string{"2026-11-20", "released"}, [2]string{"2026-11-24", "cancelled"}
	for name, test := range map[string]struct {
		date       [2]string
		ofDate     string
		links      []publicapi.Link
		flags      []string
		want, says string
	}{
		"of the date":      {coming, tickets, []publicapi.Link{{Type: "tickets", URL: elsewhere}}, nil, tickets, "Tickets"},
		"of the event":     {coming, "", []publicapi.Link{{Type: "website", URL: tickets}, {Type: "tickets", URL: elsewhere}}, nil, elsewhere, "Tickets"},
		"registration":     {coming, tickets, nil, []string{"registration_required"}, tickets, "Register"},
		"no link":          {coming, "", nil, nil, "", ""},
		"a hostile link":   {coming, "javascript:alert(1)", nil, nil, "", ""},
		"a past date":      {past, tickets, nil, nil, "", ""},
		"a cancelled date": {off, tickets, nil, nil, "", ""},
	} {
		api := withDates(test.date)
		api.Event.Dates[0].TicketLink = value.Text(test.ofDate)
		api.Event.EventLinks, api.Event.TicketFlags = test.links, test.flags
		page := eventIn(t, api, "?lang=en")
		_, action, found := strings.Cut(page, `class="ticket-action"`)
		action, _, _ = strings.Cut(action, "</p>")
		if found != (test.want != "") || !strings.Contains(action, test.want) || !strings.Contains(action, test.says) {
			t.Errorf("%s: %q", name, action)
		}
	}
}

// TestACancelledEventAdvertisesNothing: neither a price nor a ticket nor a calendar, in whichever
// way all of it is cancelled.
func TestACancelledEventAdvertisesNothing(t *testing.T) {
	price := 12.0
	for name, status := range map[string][2]string{"the event": {"cancelled", "released"}, "its dates": {"released", "cancelled"}} {
		api := withDates([2]string{"2026-11-24", status[1]}, [2]string{"2026-11-25", status[1]})
		api.Event.ReleaseStatus = status[0]
		api.Event.PriceType, api.Event.MinPrice, api.Event.Currency = "regular_price", &price, "EUR"
		api.Event.EventLinks = []publicapi.Link{{Type: "tickets", URL: "https://box.example/"}}
		page := eventIn(t, api, "?lang=en")
		sitetest.Wants(t, page, "cancelled")
		for _, absent := range []string{"ticket-price", "ticket-action", "ticket-calendar", "ticket-more", "date-calendar", tickets, "https://box.example/", "/date/", sitetest.EventUUID + ".ics"} {
			if strings.Contains(page, absent) {
				t.Errorf("%s: the page has %s", name, absent)
			}
		}
	}
}

// TestPricesOfADate: a date with tariffs of its own shows them, the others those of the event, and
// the list says what each date costs.
func TestPricesOfADate(t *testing.T) {
	api := withDates([2]string{"2026-11-24", "released"}, [2]string{"2026-11-25", "released"}, [2]string{"2026-11-26", "cancelled"})
	price, most, none := 12.0, 30.0, 0.0
	api.Event.Tariffs = []publicapi.Tariff{{Name: "Everyone", MinPrice: &price, MaxPrice: &price, Currency: "EUR"}}
	api.Event.PriceType, api.Event.MinPrice, api.Event.MaxPrice, api.Event.Currency = "regular_price", &price, &price, "EUR"
	if page := eventIn(t, api, "?lang=en"); strings.Count(page, "€12") != 1 {
		t.Error("the list has prices, though all dates cost the same")
	}
	own := []publicapi.Tariff{{Name: "Premiere", MinPrice: &price, MaxPrice: &most, Currency: "DKK"}}
	api.Event.Dates[1].Prices = publicapi.Prices{Tariffs: own, PriceType: "tiered_prices", MinPrice: &price, MaxPrice: &most, Currency: "DKK"}
	page := eventIn(t, api, "?lang=en&date=2026-11-25")
	sitetest.Wants(t, page, "Premiere", `<span class="date-note">€12</span>`)
	if strings.Contains(page, "Everyone") || strings.Count(page, `class="date-note">`) != 2 {
		t.Error("the date has the tariffs of its event, or the cancelled one a price")
	}
	page = eventIn(t, api, "?lang=en&date=2026-11-24")
	if !strings.Contains(page, "Everyone") || strings.Contains(page, "Premiere") {
		t.Error("the other date has the tariffs of this one")
	}
	own[0].MinPrice, own[0].MaxPrice = &none, &none
	api.Event.Dates[1].Prices = publicapi.Prices{Tariffs: own, PriceType: "free", MinPrice: &none, MaxPrice: &none, Currency: "EUR"}
	sitetest.Wants(t, eventIn(t, api, "?lang=en&date=2026-11-24"), `<span class="date-note">free</span>`)
}

// TestCalendarsOfOthers: the addresses name the time on the clock of the place, and an all-day date
// ends on the day after its last one.
func TestCalendarsOfOthers(t *testing.T) {
	e := eventData{EventDetails: publicapi.EventDetails{Event: publicapi.Event{UUID: sitetest.EventUUID, Title: "Jazz & Blues"}}}
	place := publicapi.Place{VenueName: "Roter Schuppen", VenueStreet: "Große Straße", VenueHouseNumber: "48", VenueCity: "Flensburg", VenueTimezone: "Europe/Berlin"}
	for name, test := range map[string]struct {
		date                publicapi.Date
		google, start, last string
	}{
		"evening": {publicapi.Date{StartDate: "2026-11-24", StartTime: "20:00", EndTime: "22:30"}, "20261124T200000/20261124T223000", "2026-11-24T20:00:00+01:00", "2026-11-24T22:30:00+01:00"},
		"summer":  {publicapi.Date{StartDate: "2026-07-01", StartTime: "20:00"}, "20260701T200000/20260701T200000", "2026-07-01T20:00:00+02:00", "2026-07-01T20:00:00+02:00"},
		"night":   {publicapi.Date{StartDate: "2026-11-24", StartTime: "23:00", EndDate: "2026-11-25", EndTime: "04:00"}, "20261124T230000/20261125T040000", "2026-11-24T23:00:00+01:00", "2026-11-25T04:00:00+01:00"},
		"days":    {publicapi.Date{StartDate: "2026-11-24", EndDate: "2026-11-26", AllDay: true}, "20261124/20261127", "2026-11-24", "2026-11-27"},
	} {
		test.date.UUID, test.date.Place = sitetest.DateUUID, place
		google, outlook := parametersOf(t, googleCalendar(e, test.date, "https://site.example")), parametersOf(t, outlookCalendar(e, test.date, "https://site.example"))
		if google.Get("dates") != test.google || outlook.Get("startdt") != test.start || outlook.Get("enddt") != test.last {
			t.Errorf("%s: %q, %q to %q", name, google.Get("dates"), outlook.Get("startdt"), outlook.Get("enddt"))
		}
		page := "https://site.example/event/" + sitetest.EventUUID + "?date=" + sitetest.DateUUID
		if google.Get("details") != page || outlook.Get("body") != page || google.Get("text") != "Jazz & Blues" ||
			google.Get("location") != "Roter Schuppen, Große Straße 48, Flensburg" || (google.Get("ctz") == "") != test.date.AllDay {
			t.Errorf("%s: %v %v", name, google, outlook)
		}
	}
}

// TestTitlesOfEvents: results of search engines differ by day and place.
func TestTitlesOfEvents(t *testing.T) {
	api := withDates([2]string{"2026-11-24", "released"}, [2]string{"2027-01-08", "released"})
	for i := range api.Event.Dates {
		api.Event.Dates[i].VenueName, api.Event.Dates[i].VenueCity = "Schuppen", "Flensburg"
	}
	for parameters, want := range map[string]string{
		"?lang=en":                 "Jazz – Tue 24 Nov, Schuppen, Flensburg",
		"?lang=de":                 "Jazz – Di, 24. Nov., Schuppen, Flensburg",
		"?lang=en&date=2027-01-08": "Jazz – Fri 8 Jan 2027, Schuppen, Flensburg",
	} {
		if page := eventIn(t, api, parameters); !strings.Contains(page, "<title>"+want) {
			_, title, _ := strings.Cut(page, "<title>")
			t.Errorf("%s: %.90s", parameters, title)
		}
	}
}

func parametersOf(t *testing.T, address string) url.Values {
	t.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Query()
}

// TestWhyADateDoesNotTakePlace: the organizer's words follow the status, at the top and in the list
// of dates, and those of the event stand for a date that has none.
func TestWhyADateDoesNotTakePlace(t *testing.T) {
	api := withDates([2]string{"2026-11-24", "rescheduled"}, [2]string{"2026-11-25", "released"})
	api.Event.Dates[0].StatusNote = "The singer is <ill>."
	page := eventIn(t, api, "?lang=en&date=2026-11-24")
	if got := strings.Count(page, "The singer is &lt;ill&gt;."); got != 2 {
		t.Errorf("the reason is there %d times", got)
	}
	// One text that wraps as a whole: side by side, both are too narrow on a phone.
	sitetest.Wants(t, page, `</strong> <bdi>The singer is &lt;ill&gt;.</bdi></span></p>`)
	if page := eventIn(t, api, "?lang=en&date=2026-11-25"); strings.Count(page, "The singer is") != 1 {
		t.Error("the other date has the reason, too")
	}
	api = withDates([2]string{"2026-11-24", "cancelled"})
	api.Event.ReleaseStatus, api.Event.StatusNote = "cancelled", "The hall is closed."
	sitetest.Wants(t, eventIn(t, api, "?lang=en"), "The hall is closed.")
}
