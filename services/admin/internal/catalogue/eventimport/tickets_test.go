package eventimport

import (
	"fmt"
	"testing"

	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// TestTickets: a file gives tariffs, from which the prices follow, and per date whether there are
// places, the times of sale and the former start. A later statement of a box office stays.
func TestTickets(t *testing.T) {
	h := newHouse(t)
	const table = "id;title;start_date;start_time;venue;tariffs;availability;remaining_places;on_sale_from;on_sale_until;previous_start\n" +
		`1;Möwe;2027-03-05;19:30;Großer Saal;"Parkett: 24–38 EUR; Rang: 12 EUR (bis 26)";verfügbar;7;` +
		"2026-12-01 10:00;2027-03-05;2027-03-01 20:00\n"
	report := h.imported(table)
	e := h.event(report.Events[0].EventUUID)
	written := func(d *rules.Date) string {
		return fmt.Sprint(d.Availability, " ", d.RemainingPlaces, " ", d.OnSaleFrom, " ", d.OnSaleUntil, " ", d.PreviousStart)
	}
	const want = "available 7 2026-12-01T10:00 2027-03-05T00:00 2027-03-01T20:00"
	if got := written(&e.Dates[0]); got != want || len(e.Tariffs) != 2 || e.Tariffs[1].Condition != "bis 26" || *e.MinPrice != 12 || *e.MaxPrice != 38 {
		t.Errorf("%s, %+v, %v to %v", got, e.Tariffs, e.MinPrice, e.MaxPrice)
	}
	h.edit(value.Text(e.UUID), func(e *rules.Event) {
		e.Dates[0].Availability, e.Dates[0].RemainingPlaces = "sold_out", value.Counted(0)
	})
	again := h.imported(table)
	if e = h.event(value.Text(e.UUID)); e.Dates[0].Availability != "sold_out" || len(again.Events[0].Kept) != 1 {
		t.Errorf("%s after a further import, kept %+v", written(&e.Dates[0]), again.Events[0].Kept)
	}
	own := h.imported("id;title;start_date;start_time;venue;tariffs;date_tariffs\n3;Faust;2027-03-05;19:30;Großer Saal;Normal: 20 EUR;Premiere: 30–45 EUR\n" +
		"3;Faust;2027-03-06;19:30;Großer Saal;Normal: 20 EUR;\n4;Medea;2027-03-07;19:30;Großer Saal;;teuer\n")
	e = h.event(own.Events[0].EventUUID)
	if len(e.Dates[0].Tariffs) != 1 || *e.Dates[0].Tariffs[0].MaxPrice != 45 || len(e.Dates[1].Tariffs) != 0 || *e.MaxPrice != 20 || len(own.Events[1].Notes) != 1 {
		t.Errorf("%+v, notes %+v", e.Dates, own.Events[1].Notes)
	}
	cheaper := h.imported("id;title;start_date;start_time;venue;tariffs;date_tariffs\n3;Faust;2027-03-05;19:30;Großer Saal;Normal: 20 EUR;\n" +
		"3;Faust;2027-03-06;19:30;Großer Saal;Normal: 20 EUR;Matinee: 0 EUR\n")
	if e = h.event(value.Text(e.UUID)); len(e.Dates[0].Tariffs) != 0 || len(e.Dates[1].Tariffs) != 1 || len(cheaper.Events[0].Changes) != 2 {
		t.Errorf("after a further import: %+v, %+v", e.Dates, cheaper.Events[0])
	}
	vague := h.imported("id;title;start_date;venue;tariffs;availability;remaining_places\n2;Faust;2027-03-06;Großer Saal;viele;vielleicht;einige\n")
	if notes := vague.Events[0].Notes; len(notes) != 3 {
		t.Errorf("noted is %+v", notes)
	}
}
