package dates_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page/pagetest"
)

// TestTicketsOfADate: the form of a date has when tickets are sold and the former start. It sends
// the availability only where the person has changed it: box offices change it meanwhile.
func TestTicketsOfADate(t *testing.T) {
	e := weekly(2)
	d := &e.Dates[0]
	d.Availability, d.RemainingPlaces, d.OnSaleFrom, d.PreviousStart = "available", value.Counted(7), "2026-10-01T10:00", "2026-11-30T19:30"
	c := start(t, &e)
	path := page0 + "/" + dateID(0)
	body := c.Get(path).Body
	has(t, "the form", body, `type="datetime-local" value="2026-10-01T10:00"`, `value="2026-11-30"`, `value="19:30"`, `<option value="available" selected>`)
	form := url.Values{
		"base": {hidden(t, body, "base")}, "places_seen": {hidden(t, body, "places_seen")}, "start_date": {"2026-12-01"}, "start_time": {"20:00"},
		"end_time": {"22:00"}, "availability": {"available"}, "remaining_places": {"7"}, "on_sale_from": {"2026-10-02T09:00"},
		"on_sale_until": {"2026-10-01T09:00"}, "previous_day": {""}, "previous_time": {"19:30"}, "release_status": {"inherited"},
	}
	has(t, "the refused form", c.Post(path, form).Body, "The sale ends before it begins.", `value="2026-10-01T09:00"`)

	d.Availability, d.RemainingPlaces = "sold_out", value.Counted(0) // by a box office
	sent := map[string]any{}
	c.AnswerWith("PUT "+api+"/date/"+dateID(0), func(call pagetest.Call) (int, any) {
		clear(sent)
		_ = json.Unmarshal(call.Body, &sent)
		return http.StatusOK, adminapi.WrittenDates{Date: *d, Dates: []adminapi.Date{*d}}
	})
	form.Set("on_sale_until", "2026-12-01T18:00")
	c.Post(path, form)
	_, places := sent["availability"]
	if places || sent["on_sale_from"] != "2026-10-02T09:00" || sent["on_sale_until"] != "2026-12-01T18:00" || sent["previous_start"] != nil {
		t.Errorf("sent %v", sent)
	}
	form.Set("availability", "waiting_list")
	form.Set("remaining_places", "")
	form.Set("previous_day", "2026-11-30")
	c.Post(path, form)
	if left, stated := sent["remaining_places"]; sent["availability"] != "waiting_list" || !stated || left != nil || sent["previous_start"] != "2026-11-30T19:30" {
		t.Errorf("sent %v", sent)
	}
}
