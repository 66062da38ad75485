package feed

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"

	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

var update = flag.Bool("update", false, "renew the golden files")

const (
	eventUUID = "01920000-0000-7000-8000-0000000000c1"
	orgUUID   = "01920000-0000-7000-8000-0000000000a1"
	venueUUID = "01920000-0000-7000-8000-0000000000b1"
)

func at(n float64) *float64 { return &n }
func number(n int) *int     { return &n }

func mask(bits ...int) *value.Mask {
	var m value.Mask
	for _, bit := range bits {
		m |= 1 << bit
	}
	return &m
}

func berlin(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// dateUUID returns the uuid of the date with this last digit.
func dateUUID(digit string) string { return "01920000-0000-7000-8000-0000000000d" + digit }

// concert is a date in the evening with every field of an entry.
func concert() Item {
	return Item{Revision: 4711, ChangedAt: "2026-11-02T10:00:00Z", Types: []string{"Culture", "Concert", "Jazz"}, StatusName: "Released", Entry: publicapi.Entry{
		UUID: eventUUID, DateUUID: dateUUID("1"), DateSlug: "2026-11-20-1930", Title: "Jazz am Hafen", Subtitle: "Drei Abende",
		Summary: "Drei Abende *live*\nmit Gästen", StartDate: "2026-11-20", StartTime: "19:30", EndDate: "2026-11-21", EndTime: "01:00",
		SpaceName: "Großer Saal", VenueUUID: venueUUID, VenueName: "Kulturhalle", VenueCity: "Flensburg", VenueStreet: "Hauptstraße",
		VenueHouseNumber: "7a", VenuePostalCode: "24937", VenueState: "SH", VenueCountry: "DEU", VenueLat: at(54.79),
		VenueLon: at(0.00000943), VenueTimezone: "Europe/Berlin", OrgUUID: orgUUID, OrgName: "Kulturhaus Nord",
		ImagePath: "https://litfass.example/api/image/1/50-25", Languages: []string{"de", "da"}, Tags: []string{"Jazz", "open air"},
		MinAge: number(12), PriceType: "regular_price", MinPrice: at(12.5), MaxPrice: at(20), Currency: "EUR", ReleaseStatus: "released",
		OnlineLink: "https://stream.example/jazz",
	}}
}

func changed(digit string, change func(*Item)) Item {
	item := concert()
	item.DateUUID = dateUUID(digit)
	change(&item)
	return item
}

// museum returns opening hours with closed days, and special ones at usual times and at others.
func museum() (h hours.Hours) {
	for _, day := range hours.Weekdays[1:] {
		h.Weekly = append(h.Weekly, hours.Weekly{Day: day, From: "10:00", To: "18:00"})
	}
	h.Weekly = append(h.Weekly, hours.Weekly{Day: "thu", From: "19:00", To: "21:30"})
	h.Closed = []hours.Closed{{From: "2026-12-24", To: "2026-12-25", Note: "Weihnachten"}}
	h.Special = []hours.Special{
		{Date: "2026-12-25", From: "10:00", To: "18:00"}, {Date: "2026-12-28", From: "10:00", To: "18:00"}, {Date: "2026-12-31", From: "10:00", To: "14:00"},
	}
	h.Normalize()
	return h
}

// hostile is input of a malicious organizer, with characters that break careless programs.
const hostile = "</script><script>alert(1)</script>\r\nBEGIN:VEVENT\r\n \x00\x08\x0b\x1b\x7f\u0085\uFFFE\u2028" +
	`"]]>'; , \n \\ {{.}} &amp; javascript:alert(1) 🎷 🏳️‍🌈 ` + "\u202eשלום مرحبا"

func sample() []Item {
	return []Item{
		concert(),
		changed("2", func(i *Item) { // all day, over several days, only online, without a price; of an older document
			i.ChangedAt = ""
			i.AllDay, i.StartDate, i.StartTime, i.EndDate, i.EndTime = true, "2028-02-28", "00:00", "2028-02-29", ""
			i.Entry = withoutPlace(i.Entry)
			i.PriceType, i.MinPrice, i.MaxPrice, i.Currency, i.MinAge = "not_specified", nil, nil, "", nil
			i.VisitorInfoFlags = mask(onlineOnly)
		}),
		changed("3", func(i *Item) { // in summer, cancelled, without an end
			i.StartDate, i.EndDate, i.EndTime, i.ReleaseStatus, i.StatusName = "2026-07-01", "", "", "cancelled", "Cancelled"
			i.StatusNote = "The singer is ill.\nTickets <stay> valid."
			i.OnlineLink, i.PriceType, i.MinPrice, i.MaxPrice, i.MaxAge = "", "free", nil, nil, number(99)
		}),
		changed("4", func(i *Item) { // deferred; ends on another day at no known time, in another zone
			i.StartDate, i.StartTime, i.EndDate, i.EndTime = "2026-10-30", "10:00", "2027-01-02", ""
			i.ReleaseStatus, i.StatusName, i.VenueTimezone = "deferred", "", "America/New_York"
			i.MaxPrice = nil
			i.OnlineLink = ""
		}),
		changed("5", func(i *Item) { // moved; an unknown zone, an end that is the start
			i.ReleaseStatus, i.StatusName, i.VenueTimezone = "rescheduled", "Rescheduled", "Mars/Olympus"
			i.EndDate, i.EndTime, i.VenueLat, i.VenueLon = "", "19:30", nil, nil
			i.Details = &Details{
				Description: "Sechs Bands.\n\n- Einlass eine Stunde vorher", OrgWebLink: "https://nord.example", VenueWebLink: "https://halle.example",
				TicketLink: "https://tickets.example/?a=1&b=2", EntryTime: "18:30", MaxAttendees: number(300),
				Images:          []Image{{Address: "https://litfass.example/api/image/1/50-25"}, {"https://litfass.example/api/image/2/50-50", true}},
				OrgContactEmail: "post@nord.example", OrgContactPhone: "+49 461 1",
				VenuePages: []string{"https://www.wikidata.org/wiki/Q64", "https://www.openstreetmap.org/way/123"},
			}
		}),
		changed("6", func(i *Item) {
			i.Title, i.Subtitle, i.Summary = hostile, strings.Repeat("ä", 2000), strings.Repeat("a", 2000)+hostile
			i.VenueName, i.SpaceName, i.VenueCity, i.VenueStreet, i.OrgName = hostile, hostile, hostile, hostile, hostile
			i.Tags, i.Types, i.OnlineLink, i.ImagePath = []string{hostile, hostile}, []string{hostile}, "javascript:alert(1)", "data:text/html,x"
			i.Details = &Details{Description: hostile, OrgWebLink: "javascript:alert(1)", TicketLink: "//evil.example", VenueWebLink: "ftp://x"}
		}),
		changed("7", func(i *Item) { // an exhibition, past clock changes
			i.AllDay, i.StartDate, i.StartTime, i.EndDate, i.EndTime = true, "2026-09-01", "00:00", "2027-04-30", ""
			i.Hours = museum()
			i.OpenHours = i.Hours.Text("en")
		}),
		changed("8", func(i *Item) { // a permanent one
			i.AllDay, i.StartDate, i.StartTime, i.EndDate, i.EndTime = true, "2024-03-01", "00:00", "", ""
			i.Hours = hours.Hours{Weekly: []hours.Weekly{{Day: "fri", From: "22:00", To: "04:00"}}}
			i.OpenHours = i.Hours.Text("de")
		}),
		changed("9", func(i *Item) { // one that never opens
			i.AllDay, i.StartDate, i.StartTime, i.EndDate, i.EndTime = true, "2026-12-01", "00:00", "2026-12-05", ""
			i.Hours = hours.Hours{Special: []hours.Special{{Date: "2026-12-06", From: "10:00", To: "12:00"}}}
		}),
	}
}

func withoutPlace(e publicapi.Entry) publicapi.Entry {
	e.SpaceName, e.VenueUUID, e.VenueName, e.VenueCity, e.VenueStreet, e.VenueHouseNumber = "", "", "", "", "", ""
	e.VenuePostalCode, e.VenueState, e.VenueCountry, e.VenueTimezone, e.VenueLat, e.VenueLon = "", "", "", "", nil, nil
	return e
}

func feedOf(t testing.TB, items ...Item) Feed {
	t.Helper()
	return Feed{
		Site: Site{Name: "Litfass", URL: "https://litfass.example", Zone: berlin(t)}, Title: "Litfass", Items: items,
		Self: "https://litfass.example/api/events.x?limit=6&title=%2Aa%2A", Page: "https://litfass.example/?title=%2Aa%2A",
		Next: "https://litfass.example/api/events.x?limit=6&last_event_date_uuid=" + dateUUID("6"),
	}
}

// TestGolden compares every format with its golden file; -update writes it.
func TestGolden(t *testing.T) {
	for name, items := range map[string][]Item{"sample": sample(), "zones": zoneSample(t)} {
		for _, format := range Formats {
			checkGolden(t, name, format, items)
		}
	}
}

func checkGolden(t *testing.T, name string, format Format, items []Item) {
	t.Helper()
	got, err := format.Write(feedOf(t, items...))
	if err != nil {
		t.Fatalf("%s: %v", format.Name, err)
	}
	file := filepath.Join("testdata", name+"."+format.Name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s differs from %s (%v); run the test with -update and look at the difference", format.Name, file, err)
	}
	again, err := format.Write(feedOf(t, items...))
	if err != nil || !bytes.Equal(got, again) {
		t.Errorf("%s: the same dates are written otherwise: %v", format.Name, err)
	}
}

// TestReadersOfNewsFindEveryDate: an independent parser reads RSS, Atom and JSON Feed.
func TestReadersOfNewsFindEveryDate(t *testing.T) {
	for name, write := range map[string]func(Feed) ([]byte, error){"rss": RSS, "atom": Atom, "json": JSON} {
		f := feedOf(t, sample()...)
		data, err := write(f)
		if err != nil {
			t.Fatal(err)
		}
		items, err := f.timed()
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := gofeed.NewParser().Parse(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if parsed.FeedType != name || parsed.FeedLink != f.Self || parsed.Link != f.Page || len(parsed.Items) != len(f.Items) {
			t.Errorf("%s: %s %s %s, %d items", name, parsed.FeedType, parsed.FeedLink, parsed.Link, len(parsed.Items))
		}
		for n, item := range parsed.Items {
			want := items[n]
			if item.GUID != "urn:uuid:"+want.DateUUID || item.PublishedParsed == nil || !item.PublishedParsed.Equal(want.created()) ||
				item.Link != "https://litfass.example/event/"+eventUUID+"?date="+want.DateUUID {
				t.Errorf("%s: item %+v", name, item)
			}
			if name != "rss" && item.Title != want.title() {
				t.Errorf("%s: title %q", name, item.Title)
			}
			content := item.Content + item.Description
			if strings.Contains(content, "<script") || strings.Contains(content, `"javascript:`) || strings.Contains(content, `"data:`) {
				t.Errorf("%s: content %s", name, content)
			}
		}
	}
}

// TestAnEmptyFeedIsReadable: lists are empty, not null.
func TestAnEmptyFeedIsReadable(t *testing.T) {
	f := feedOf(t)
	f.Next = ""
	for _, format := range Formats {
		data, err := format.Write(f)
		if err != nil || bytes.Contains(data, []byte("null")) || bytes.Contains(data, []byte("next")) {
			t.Errorf("%s: %v %s", format.Name, err, data)
		}
		if strings.HasSuffix(format.ContentType, "json") && !json.Valid(data) {
			t.Errorf("%s: %s", format.Name, data)
		}
		if strings.HasSuffix(format.ContentType, "utf-8") && format.Name != "ics" {
			if _, err := gofeed.NewParser().Parse(bytes.NewReader(data)); err != nil {
				t.Errorf("%s: %v in %s", format.Name, err, data)
			}
		}
	}
}

func TestGeoJSON(t *testing.T) {
	items := sample()
	data, err := GeoJSON(feedOf(t, items...))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Type     string
		Features []struct {
			Type, ID string
			Geometry *struct {
				Type        string
				Coordinates []float64
			}
			Properties map[string]any
		}
		Links []struct{ Rel, Href string }
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Type != "FeatureCollection" || len(got.Features) != len(items) || len(got.Links) != 3 || got.Links[2].Rel != "next" {
		t.Fatalf("%s", data)
	}
	first, online := got.Features[0], got.Features[1]
	if first.Type != "Feature" || first.ID != dateUUID("1") || !slices.Equal(first.Geometry.Coordinates, []float64{0.00000943, 54.79}) {
		t.Errorf("%+v", first)
	}
	if online.Geometry != nil || online.Properties["venue_uuid"] != nil || online.Properties["all_day"] != true {
		t.Errorf("%+v", online)
	}
}

func TestVenues(t *testing.T) {
	f := feedOf(t)
	data, tail := Frame(f)
	for i, venue := range []publicapi.Venue{
		{UUID: venueUUID, Name: hostile, Lat: at(54.5), Lon: at(-9.5), Country: "DEU"}, {UUID: orgUUID, Name: "Nowhere"},
	} {
		view, err := json.Marshal(venue)
		if err != nil {
			t.Fatal(err)
		}
		feature, err := Venue(f.Site, view)
		if err != nil {
			t.Fatal(err)
		}
		data = append(append(data, ","[:min(i, 1)]...), feature...)
	}
	if data = append(data, tail...); !json.Valid(data) {
		t.Errorf("%s", data)
	}
	for _, part := range []string{
		`"geometry":{"type":"Point","coordinates":[-9.5,54.5]}`, `"geometry":null`, `"url":"https://litfass.example/venue/` + venueUUID + `"`,
	} {
		if !strings.Contains(string(data), part) {
			t.Errorf("no %s in %s", part, data)
		}
	}
	if strings.Contains(string(data), "<") {
		t.Errorf("%s", data)
	}
}

func TestTimesOfADate(t *testing.T) {
	const nine, epoch = "2026-11-02T09:00:00Z", "1970-01-01T00:00:00Z"
	for _, test := range []struct{ uuid, changedAt, created, changed string }{
		{"017f22e2-79b0-7cc3-98c4-dc0c0c07398f", nine, "2022-02-22T19:22:22Z", nine}, // RFC 9562, A.6
		{"017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "", "2022-02-22T19:22:22Z", "2022-02-22T19:22:22Z"},
		{"019f22e2-79b0-7cc3-98c4-dc0c0c07398f", "2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"},
		{"ffffffff-ffff-7cc3-98c4-dc0c0c07398f", nine, epoch, nine}, // the year 10889
		{"ffffffff-ffff-7cc3-98c4-dc0c0c07398f", "", epoch, epoch},
		{"", nine, epoch, nine},
		{"xxxxxxxx-79b0-7cc3-98c4-dc0c0c07398f", "", epoch, epoch},
	} {
		i := Item{ChangedAt: test.changedAt, Entry: publicapi.Entry{DateUUID: test.uuid}}
		if created, changed := i.created().Format(time.RFC3339), i.changed().Format(time.RFC3339); created != test.created || changed != test.changed {
			t.Errorf("%s, %q: created %s, changed %s", test.uuid, test.changedAt, created, changed)
		}
	}
}

// TestFeedsSayWhenADateChanged: each format as another parser reads it, also of a date whose uuid
// contains a time that no format can write.
func TestFeedsSayWhenADateChanged(t *testing.T) {
	const far = "ffffffff-ffff-7000-8000-0000000000d9" // of the year 10889
	last := time.Date(2026, time.November, 3, 11, 12, 13, 0, time.UTC)
	items := []Item{concert(), changed("9", func(i *Item) { i.DateUUID, i.ChangedAt = far, last.Format(time.RFC3339) })}
	for name, write := range map[string]func(Feed) ([]byte, error){"rss": RSS, "atom": Atom, "json": JSON} {
		data, err := write(feedOf(t, items...))
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := gofeed.NewParser().Parse(bytes.NewReader(data))
		if err != nil || len(parsed.Items) != 2 {
			t.Fatalf("%s: %v in %s", name, err, data)
		}
		if at := parsed.UpdatedParsed; name != "json" && (at == nil || !at.Equal(last)) {
			t.Errorf("%s: the feed changed at %v", name, at)
		}
		of := parsed.Items[1]
		changed, published := of.UpdatedParsed, of.PublishedParsed
		if name == "rss" { // the parser leaves other namespaces to its caller
			at, err := time.Parse(time.RFC3339, of.Extensions["atom"]["updated"][0].Value)
			if err != nil {
				t.Fatal(err)
			}
			changed = &at
		}
		if changed == nil || !changed.Equal(last) || published == nil || published.After(last) {
			t.Errorf("%s: published at %v, changed at %v", name, published, changed)
		}
	}
	_, calendar := calendarOf(t, items...)
	for _, property := range []string{"DTSTAMP", "LAST-MODIFIED"} {
		if at, err := calendar.Events()[1].Props.DateTime(property, nil); err != nil || !at.Equal(last) {
			t.Errorf("%s: %s, %v", property, at, err)
		}
	}
	if got := described(t, items...)[1]["dateModified"]; got != last.Format(time.RFC3339) {
		t.Errorf("JSON-LD: %v", got)
	}
}
