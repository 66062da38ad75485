package eventfile

import (
	"fmt"
	"testing"
	"time"
)

func TestReadTariffs(t *testing.T) {
	for text, want := range map[string]string{
		"Parkett: 24–38,50 EUR; Rang: 12 EUR (bis 26: nur mit Ausweis);": "[{Parkett  {false false 24 38.5 EUR}} {Rang bis 26: nur mit Ausweis {false false 12 0 EUR}}] true",
		"Abend: Parkett: 8 €":            "[{Abend: Parkett  {false false 8 0 EUR}}] true",
		"Kinder: 0 EUR; Erwachsene: 5 €": "[{Kinder  {true false 0 0 EUR}} {Erwachsene  {false false 5 0 EUR}}] true",
		"":                               "[] true",
		"Parkett":                        "[] false",
		"Parkett: viel":                  "[] false",
		"Parkett: 8 EUR; Balkon: 80 DKK": "[] false",
	} {
		if all, ok := ReadTariffs(text); fmt.Sprint(all, ok) != want {
			t.Errorf("%q: %v %t, want %s", text, all, ok, want)
		}
	}
}

func TestReadAvailability(t *testing.T) {
	for text, want := range map[string]string{
		"https://schema.org/SoldOut": "sold_out true", "InStock": "available true", "Ausverkauft": "sold_out true", "few_left": "few_left true",
		"": " true", "vielleicht": " false", "http://schema.org/LimitedAvailability": "few_left true", "udsolgt": "sold_out true",
	} {
		if availability, ok := ReadAvailability(text); fmt.Sprintf("%s %t", availability, ok) != want {
			t.Errorf("%q: %s %t, want %s", text, availability, ok, want)
		}
	}
}

// TestOffersOfDates: the offers of a date that differ from those of its event are its tariffs, also
// where they have no name.
func TestOffersOfDates(t *testing.T) {
	const page = `{"@context": "https://schema.org", "@type": "Event", "@id": "x", "name": "Möwe", "location": "Saal",
		"offers": {"@type": "Offer", "name": "Parkett", "price": 20, "priceCurrency": "EUR"}, "subEvent": [
		{"@type": "Event", "startDate": "2027-03-05T19:30", "offers": {"@type": "Offer", "name": "Premiere", "price": 30, "priceCurrency": "EUR"}},
		{"@type": "Event", "startDate": "2027-03-06T19:30", "offers": {"@type": "Offer", "price": "9.50", "priceCurrency": "EUR"}},
		{"@type": "Event", "startDate": "2027-03-07T19:30", "isAccessibleForFree": true},
		{"@type": "Event", "startDate": "2027-03-08T19:30", "offers": {"@type": "Offer", "name": "Parkett", "price": 20, "priceCurrency": "EUR"}},
		{"@type": "Event", "startDate": "2027-03-09T19:30"}]}`
	file, err := Read(t.Context(), []byte(page), Options{})
	if err != nil || len(file.Events) != 1 || len(file.Events[0].Dates) != 5 || file.Events[0].Values[FieldTariffs] != "Parkett: 20 EUR" {
		t.Fatalf("%+v, %v", file.Events, err)
	}
	for i, want := range []string{"Premiere: 30 EUR", "Ticket: 9.5 EUR", "Ticket: free", "", ""} {
		got := file.Events[0].Dates[i].Values[FieldDateTariffs]
		if _, ok := ReadTariffs(got); got != want || !ok {
			t.Errorf("date %d: %q, want %q", i, got, want)
		}
	}
}

// TestTicketsOfAFile: a page and a table give the tariffs, the availability, the times of sale and
// the former start of dates.
func TestTicketsOfAFile(t *testing.T) {
	const page = `{"@context": "https://schema.org", "@type": "Event", "name": "Möwe", "startDate": "2027-03-05T19:30:00+01:00",
		"eventStatus": "https://schema.org/EventRescheduled", "previousStartDate": "2027-03-01T20:00:00+01:00", "offers": [
		{"@type": "AggregateOffer", "name": "Parkett", "lowPrice": 24, "highPrice": 38, "priceCurrency": "EUR", "availability": "https://schema.org/SoldOut",
			"validFrom": "2026-12-01T10:00:00+01:00", "validThrough": "2027-03-05", "inventoryLevel": {"@type": "QuantitativeValue", "value": 7}},
		{"@type": "Offer", "name": "Rang", "description": "bis 26", "price": "12", "priceCurrency": "EUR", "availability": "InStock"}]}`
	const table = "title;start_date;start_time;tariffs;availability;remaining_places;on_sale_from;vorverkaufbis;previous_start\n" +
		"Möwe;05.03.2027;19:30;\"Parkett: 24–38 EUR; Rang: 12 EUR (bis 26)\";verfügbar;7;01.12.2026 10:00;05.03.2027;01.03.2027 20:00\n"
	for name, text := range map[string]string{"page": page, "table": table} {
		file, err := Read(t.Context(), []byte(text), Options{})
		if err != nil || len(file.Events) != 1 || len(file.Events[0].Reasons) > 0 {
			t.Fatalf("%s: %+v, %v", name, file.Events, err)
		}
		berlin, err := time.LoadLocation("Europe/Berlin")
		if err != nil {
			t.Fatal(err)
		}
		at := func(field string) string { return file.Events[0].Dates[0].Moments[field].In(berlin).String() }
		e, d := file.Events[0], file.Events[0].Dates[0]
		availability, _ := ReadAvailability(d.Values[FieldAvailability])
		got := fmt.Sprint(e.Values[FieldTariffs], "|", availability, "|", d.Values[FieldPlaces], "|", at(FieldOnSaleFrom), "|",
			at(FieldOnSaleUntil), "|", at(FieldPreviousStart))
		if want := "Parkett: 24–38 EUR; Rang: 12 EUR (bis 26)|available|7|2026-12-01T10:00|2027-03-05|2027-03-01T20:00"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
