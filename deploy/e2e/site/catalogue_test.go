package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
)

// siteID returns the uuid of an entity of the site's catalogue.
func siteID(n int) string { return fmt.Sprintf("0193a000-0000-7000-8000-%012d", n) }

// The entities of the site's catalogue that tests name.
var (
	plainOrg, hostileOrg                = siteID(1), siteID(2)
	husum, flensburg, hostileVenue      = siteID(11), siteID(12), siteID(13)
	serenade, exhibition, reading, sang = siteID(101), siteID(102), siteID(103), siteID(104)
	hostileEvent, rightToLeft           = siteID(110), siteID(111)
)

// serenadeDates are the dates of the serenade: planned, cancelled, deferred, rescheduled, planned.
var serenadeDates = []string{siteID(1001), siteID(1002), siteID(1003), siteID(1004), siteID(1005)}

const (
	serenadeTitle = "Mondscheinserenade"
	sangTitle     = "Hyggelig sang"
	region        = "deu,schleswig-holstein,nordfriesland"
)

// importSite stores the site's catalogue.
func importSite(s *harness.System, t *testing.T) {
	t.Helper()
	var content bytes.Buffer
	encoder := json.NewEncoder(&content)
	lines := slices.Concat(sitePlaces(), siteSeries(), siteContributors(), siteEvents())
	lines = append(lines, hostileLines()...)
	lines = append(lines, furtherEvents()...)
	for _, line := range append(lines, siteLists()...) {
		if err := encoder.Encode(line); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "site.jsonl")
	if err := os.WriteFile(path, content.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	s.MustRun(t, stack.Admin, "import", path)
}

// siteSeries are a festival with two stages, and one with hostile texts.
func siteSeries() []harness.Line {
	return []harness.Line{
		{
			"kind": "series", "uuid": siteID(40), "org_uuid": plainOrg, "slug": "fest", "title": "Hafenfest", "subtitle": "Drei Tage am Wasser", "public": true,
			"description": "Mit **Feuerwerk**.", "web_link": "https://example.org/fest",
			"parts": []harness.Line{
				{"uuid": siteID(41), "kind": "stage", "title": "Große Bühne", "description": "Am *Kai*"}, {"uuid": siteID(42), "kind": "stage", "title": "Zelt"},
			},
		},
		{
			"kind": "series", "uuid": siteID(43), "org_uuid": plainOrg, "slug": "hostile-fest", "title": harness.Payloads[:90], "subtitle": harness.Payloads, "public": true,
			"description": harness.Markdown + harness.Payloads,
			"parts":       []harness.Line{{"uuid": siteID(44), "kind": "other", "title": harness.Payloads[:90], "description": harness.Markdown}},
		},
	}
}

// trio and hostileTrio are contributors of the serenade and of the hostile event.
var trio, hostileTrio = siteID(50), siteID(51)

func siteContributors() []harness.Line {
	return []harness.Line{
		{
			"kind": "contributor", "uuid": trio, "org_uuid": plainOrg, "type": "group", "name": "Trio Nordwind", "note": "aus Husum",
			"description": "Drei Stimmen, *ein* Akkordeon.", "web_link": "https://example.org/trio", "wikidata": "Q254",
		},
		{
			"kind": "contributor", "uuid": hostileTrio, "type": "person", "name": harness.Payloads[:90] + harness.LongName, "note": harness.Payloads,
			"description": harness.Markdown + harness.Payloads + harness.Long, "web_link": "https://example.org/?a=%22onclick=%22planted=1<script>planted=1</script>",
		},
	}
}

// siteLists are a list of plain events, and one with hostile texts.
func siteLists() []harness.Line {
	return []harness.Line{
		{
			"kind": "list", "uuid": siteID(30), "org_uuid": plainOrg, "slug": "auswahl", "name": "Unsere Auswahl", "public": true,
			"description": "Drei Abende an der **Küste**.", "titles": []harness.Line{{"language": "da", "title": "Vores udvalg"}},
			"entries": []harness.Line{{"event_uuid": reading, "note": "Unser Tipp"}, {"event_uuid": serenade}, {"event_uuid": exhibition}},
		},
		{
			"kind": "list", "uuid": siteID(31), "slug": "hostile", "name": harness.Payloads[:90], "public": true, "description": harness.Payloads,
			"entries": []harness.Line{{"event_uuid": hostileEvent, "note": harness.Payloads}, {"event_uuid": rightToLeft}},
		},
	}
}

func sitePlaces() []harness.Line {
	return []harness.Line{
		{
			"kind": "region", "country_slug": "deu", "state_slug": "schleswig-holstein", "region_slug": "nordfriesland", "name": "Nordfriesland",
			"geometry": json.RawMessage(`{"type": "Polygon", "coordinates": [[[8.2, 54.2], [9.3, 54.2], [9.3, 54.9], [8.2, 54.9], [8.2, 54.2]]]}`),
		},
		{
			"kind": "organization", "uuid": plainOrg, "name": "Kulturverein Westwind", "legal_form": "registered_association", "nonprofit": true,
			"description": "Wir bringen **Musik** an die Küste.", "contact_email": "post@example.org", "web_link": "https://example.org/",
			"street": "Hafenstraße", "house_number": "1", "postal_code": "25813", "city": "Husum", "country": "DEU",
		},
		{
			"kind": "venue", "uuid": husum, "org_uuid": plainOrg, "name": "Speicher am Hafen", "summary": "Konzerte im alten Kornspeicher",
			"street": "Hafenstraße", "house_number": "17", "postal_code": "25813", "city": "Husum", "country": "DEU", "lat": 54.4757, "lon": 9.0517,
			"timezone": "Europe/Berlin", "opening_hours": "Mo–Fr 10–18 Uhr", "ticket_link": "https://example.org/karten", "accessibility_flags": "19",
			"accessibility_summary": "Eingang ebenerdig, Aufzug zum Saal.",
		},
		{"kind": "space", "uuid": siteID(21), "venue_uuid": husum, "name": "Kornboden", "space_type": "hall", "total_capacity": 220, "seating_capacity": 140},
		{
			"kind": "venue", "uuid": flensburg, "org_uuid": plainOrg, "name": "Borgerforeningen", "street": "Holm", "house_number": "17",
			"postal_code": "24937", "city": "Flensburg", "country": "DEU", "lat": 54.7837, "lon": 9.4357,
		},
	}
}

// event returns a line of a released event, with further fields by name.
func event(uuid, title string, fields harness.Line) harness.Line {
	made := harness.Line{
		"kind": "event", "uuid": uuid, "org_uuid": plainOrg, "title": title, "release_status": "released", "price_type": "not_specified",
		"categories": []int{1}, "event_types": []harness.Line{{"type_id": 1, "genre_id": 1003}}, "languages": []string{"de"}, "tags": []string{},
	}
	for name, value := range fields {
		made[name] = value
	}
	return made
}

// dated returns a date in the evening.
func dated(uuid, start, status string) harness.Line {
	return harness.Line{"uuid": uuid, "start_date": start, "start_time": "20:00", "end_time": "22:00", "release_status": status}
}

func siteEvents() []harness.Line {
	events := []harness.Line{
		event(serenade, serenadeTitle, harness.Line{
			"subtitle": "Streichquartett und Gesang", "video_link": "https://youtu.be/dQw4w9WgXcQ", "venue_uuid": husum, "space_uuid": siteID(21), "summary": "Ein Abend *unter Sternen*.",
			"description": "## Programm\n\n- Schubert\n- Gade\n\nKarten unter https://example.org/karten.", "tags": []string{"Serenade", "Kammermusik"},
			"price_type": "regular_price", "min_price": 12.5, "max_price": 18, "currency": "EUR", "visitor_info_flags": "4097", "min_age": 8,
			"contributors": []harness.Line{{"uuid": trio, "role": "ensemble"}, {"uuid": trio, "role": "composer"}},
			"event_links": []harness.Line{
				{"type": "website", "label": "Das Quartett", "url": "https://example.org/quartett"},
				{"type": "tickets", "label": "Karten", "url": "https://example.org/karten"},
			},
			"dates": []harness.Line{
				dated(serenadeDates[0], harness.Day(5), "inherited"), dated(serenadeDates[1], harness.Day(6), "cancelled"), dated(serenadeDates[2], harness.Day(7), "deferred"),
				dated(serenadeDates[3], harness.Day(8), "rescheduled"), dated(serenadeDates[4], harness.Day(12), "inherited"),
			},
		}),
		event(reading, "Netzlesung", harness.Line{
			"online_link": "https://example.org/live", "event_types": []harness.Line{{"type_id": 2, "genre_id": 0}},
			"dates": []harness.Line{dated(siteID(1200), harness.Day(4), "inherited")},
		}),
	}
	events = append(append(events, longRun()), aroundToday()...)
	return append(events, combinations()...)
}

// aroundToday are events that begin today, began before, and begin tomorrow.
func aroundToday() (events []harness.Line) {
	for n, e := range []struct{ title, from, to string }{
		{"Frühstück am Deich", harness.Day(0), harness.Day(0)}, {"Lange Ausstellung", harness.Day(-20), harness.Day(400)},
		{"Tanztee", harness.Day(1), harness.Day(1)},
	} {
		events = append(events, event(siteID(120+n), e.title, harness.Line{
			"venue_uuid": husum, "tags": []string{"heute"},
			"dates": []harness.Line{{"uuid": siteID(1600 + n), "start_date": e.from, "end_date": e.to, "all_day": true, "release_status": "inherited"}},
		}))
	}
	return events
}

// longRun is an exhibition on sixty days in a row.
func longRun() harness.Line {
	var dates []harness.Line
	for n := range 60 {
		dates = append(dates, harness.Line{"uuid": siteID(1100 + n), "start_date": harness.Day(2 + n), "all_day": true, "release_status": "inherited"})
	}
	return event(exhibition, "Deichgeschichten", harness.Line{
		"subtitle": "Eine Ausstellung", "venue_uuid": husum, "dates": dates, "price_type": "donation", "event_types": []harness.Line{{"type_id": 2, "genre_id": 0}},
	})
}

// combinations are events of which three filters find one: in Flensburg, in Danish, and free. Two
// of the filters find others as well.
func combinations() (events []harness.Line) {
	for n, c := range []struct{ title, venue, language, price string }{
		{sangTitle, flensburg, "da", "free"}, {"Liederabend", flensburg, "de", "free"}, {"Sangaften", husum, "da", "free"},
		{"Korkoncert", flensburg, "da", "donation"},
	} {
		events = append(events, event(siteID(104+n), c.title, harness.Line{
			"venue_uuid": c.venue, "languages": []string{c.language}, "price_type": c.price,
			"dates": []harness.Line{dated(siteID(1300+n), harness.Day(9+n), "inherited")},
		}))
	}
	return events
}

// furtherEvents fill more than a page of the list.
func furtherEvents() (events []harness.Line) {
	for n := range 30 {
		events = append(events, event(siteID(200+n), fmt.Sprintf("Konzert der Reihe %d", n+1), harness.Line{
			"subtitle": "Werke aus " + strings.Repeat("drei ", n%3) + "Jahrhunderten", "venue_uuid": []string{husum, flensburg}[n%2],
			"tags": []string{fmt.Sprintf("Reihe %d", n%5)}, "dates": []harness.Line{dated(siteID(1400+n), harness.Day(20+n), "inherited")},
		}))
	}
	return events
}
