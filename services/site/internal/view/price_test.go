package view

import (
	"strings"
	"testing"

	"litfass/services/site/internal/text"
)

// TestAPriceSaysOneThing for each type of price, with and without its amounts.
func TestAPriceSaysOneThing(t *testing.T) {
	five, nine := 5.0, 9.0
	const none, low, high, both, same = 0, 1, 2, 3, 4
	bounds := [][2]*float64{none: {nil, nil}, low: {&five, nil}, high: {nil, &nine}, both: {&five, &nine}, same: {&five, &five}}
	for kind, want := range map[string][5]string{
		"regular_price": {none: "", low: "€5", high: "€9", both: "€5 – €9", same: "€5"},
		"tiered_prices": {none: "", low: "from €5", high: "up to €9", both: "€5 – €9", same: "€5"},
		"not_specified": {none: "", low: "from €5", high: "up to €9", both: "€5 – €9", same: "€5"},
		"free":          {none: "free", low: "free", high: "free", both: "free", same: "free"},
		"donation": {
			none: "donation", low: "donation, from €5 suggested", high: "donation, up to €9 suggested", both: "donation, €5 – €9 suggested",
			same: "donation, €5 suggested",
		},
	} {
		for n, b := range bounds {
			if got := strings.ReplaceAll(Price(text.Of("en"), kind, b[0], b[1], "EUR"), "€\u00a0", "€"); got != want[n] {
				t.Errorf("%s, amounts %d: %q, want %q", kind, n, got, want[n])
			}
			if got := Price(text.Of("en"), kind, b[0], b[1], ""); got != want[none] {
				t.Errorf("%s without a currency: %q, want %q", kind, got, want[none])
			}
		}
	}
}
