package event

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page/pagetest"
)

// TestTariffs: an event shows its tariffs with some empty ones, and the price that follows in place
// of the fields of the price. Wrong tariffs are named, and stay as they were typed.
func TestTariffs(t *testing.T) {
	e := stored()
	low, high := 12.5, 38.0
	e.Tariffs = []adminapi.Tariff{
		{Name: "Parkett", MinPrice: new(24.0), MaxPrice: &high, Currency: "EUR"}, {Name: "Rang", MinPrice: &low, Currency: "EUR", Condition: "bis 26"},
	}
	e.MinPrice, e.MaxPrice, e.Currency = &low, &high, "EUR"
	c := start(t, e)
	body := c.Get(address).Body
	for _, want := range []string{
		`value="Parkett"`, `value="24"`, `value="38"`, `value="12.50"`, `value="bis 26"`, `id="tariff_name-5"`, "12.50–38 EUR",
		"Parkett 24–38 EUR, Rang 12.50 EUR (bis 26)",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if strings.Contains(body, `name="min_price"`) || strings.Contains(body, `id="tariff_name-6"`) {
		t.Error("the page has fields of the price, or too many of tariffs")
	}
	written := adminapi.WrittenParticipation{}
	written.Tariffs, written.Checklist = e.Tariffs[1:], []adminapi.ChecklistItem{}
	written.PriceType, written.MinPrice, written.MaxPrice, written.Currency = "regular_price", &low, &low, "EUR"
	c.Answer("PUT "+operation+"/participation-infos", http.StatusOK, written)
	saved := c.Post(address+"/edit/tariffs", url.Values{
		"tariff_name": {"", "Rang"}, "tariff_min": {"", "12.50"}, "tariff_max": {"", ""}, "tariff_condition": {"", "bis 26"},
		"tariff_currency": {"EUR"}, "base": {base(t, body, "edit-tariffs")},
	}, pagetest.Script...).Body
	_, price, there := strings.Cut(saved, `id="edit-price"`)
	if price, _, _ = strings.Cut(price, "</form>"); !there || !strings.Contains(price, `hx-swap-oob="true"`) || !strings.Contains(price, "12.50 EUR, from the") || strings.Contains(price, "38 EUR") {
		t.Errorf("the price that follows from the saved tariffs is not there: %s", saved)
	}
	for want, form := range map[string]url.Values{
		"Tariff 2 needs a name and a price.":             {"tariff_name": {"Rang", ""}, "tariff_min": {"3", "4"}},
		"Enter an amount such as 12.50.":                 {"tariff_name": {"Rang"}, "tariff_min": {"4x7"}},
		"“Rang”: the highest price is below the lowest.": {"tariff_name": {"Rang"}, "tariff_min": {"5"}, "tariff_max": {"4"}},
	} {
		form.Set("tariff_currency", "EUR")
		form.Set("base", base(t, body, "edit-tariffs"))
		got := c.Post(address+"/edit/tariffs", form)
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, want) || !strings.Contains(got.Body, `value="`+form.Get("tariff_min")+`"`) {
			t.Errorf("%d without %q", got.Status, want)
		}
	}
}
