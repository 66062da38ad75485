package dates_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page/pagetest"
)

// TestTariffsOfADate: the list says what a date with prices of its own costs, its form has them,
// and wrong ones stay as they were typed. A form without these fields leaves them as they are.
func TestTariffsOfADate(t *testing.T) {
	e := weekly(2)
	d, most := &e.Dates[0], 55.5
	d.Tariffs = []adminapi.Tariff{{Name: "Premiere", MinPrice: new(41.0), MaxPrice: &most, Currency: "DKK", Condition: "mit Sekt"}}
	c := start(t, &e)
	c.Answer("GET /api/choosable-currencies", http.StatusOK, []map[string]any{{"id": "DKK", "name": "Krone"}, {"id": "EUR", "name": "Euro"}})
	has(t, "the list", c.Get(page0).Body, "Own prices: 41–55.50 DKK")
	path := page0 + "/" + dateID(0)
	body := c.Get(path).Body
	has(t, "the form", body, `value="Premiere"`, `value="41"`, `value="55.50"`, `value="mit Sekt"`, `<option value="DKK" selected>`)
	form := url.Values{
		"base": {hidden(t, body, "base")}, "start_date": {"2026-12-01"}, "start_time": {"20:00"}, "end_time": {"22:00"}, "release_status": {"inherited"},
		"tariff_name": {"Premiere", "Stehplatz", ""}, "tariff_min": {"41", "4x", ""}, "tariff_max": {"", "", ""},
		"tariff_condition": {"", "", ""}, "tariff_currency": {"EUR"},
	}
	has(t, "the refused form", c.Post(path, form).Body, "Enter an amount such as 12.50.", `value="4x"`, `href="#date_tariffs"`)

	sent := map[string]any{}
	c.AnswerWith("PUT "+api+"/date/"+dateID(0), func(call pagetest.Call) (int, any) {
		clear(sent)
		_ = json.Unmarshal(call.Body, &sent)
		return http.StatusOK, adminapi.WrittenDates{Date: *d, Dates: []adminapi.Date{*d}}
	})
	form["tariff_min"][1] = "0"
	c.Post(path, form)
	const want = `[{"condition":null,"currency":"EUR","max_price":null,"min_price":41,"name":"Premiere"},` +
		`{"condition":null,"currency":"EUR","max_price":null,"min_price":0,"name":"Stehplatz"}]`
	if got, _ := json.Marshal(sent["tariffs"]); string(got) != want {
		t.Errorf("sent %s", got)
	}
	form["tariff_name"], form["tariff_min"] = []string{"", ""}, []string{"", ""}
	c.Post(path, form)
	if got, _ := json.Marshal(sent["tariffs"]); string(got) != "[]" {
		t.Errorf("emptied tariffs are sent as %s", got)
	}
	form.Del("tariff_currency")
	if c.Post(path, form); sent["start_date"] == nil || sent["tariffs"] != nil {
		t.Errorf("sent %v", sent)
	}
	c.Refuse("PUT "+api+"/date/"+dateID(0), http.StatusBadRequest, adminapi.Error{
		Code: "invalid_event", Error: "not valid", Details: []fault.Violation{fault.Violate("tariffs[1].currency", reason.CurrencyNotOfFirst)},
	})
	has(t, "the form after a refusal", c.Post(path, form).Body, `href="#date_tariffs"`)
}
