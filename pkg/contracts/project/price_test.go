package project

import (
	"fmt"
	"testing"

	"litfass/pkg/contracts/change"
)

func TestAPriceSaysOneThing(t *testing.T) {
	t.Parallel()
	five, nine := 5.0, 9.0
	for name, test := range map[string]struct {
		given change.Event
		want  price
	}{
		"one":             {change.Event{PriceType: regularPrice, MinPrice: &five}, price{regularPrice, &five, &five}},
		"one as a bound":  {change.Event{PriceType: regularPrice, MaxPrice: &nine}, price{regularPrice, &nine, &nine}},
		"twice the same":  {change.Event{PriceType: regularPrice, MinPrice: &five, MaxPrice: &five}, price{regularPrice, &five, &five}},
		"two":             {change.Event{PriceType: regularPrice, MinPrice: &five, MaxPrice: &nine}, price{tieredPrices, &five, &nine}},
		"not known":       {change.Event{PriceType: regularPrice}, price{regularPrice, nil, nil}},
		"tiers":           {change.Event{PriceType: tieredPrices, MinPrice: &five}, price{tieredPrices, &five, nil}},
		"a donation":      {change.Event{PriceType: "donation", MinPrice: &five}, price{"donation", &five, nil}},
		"nothing is said": {change.Event{PriceType: "not_specified"}, price{"not_specified", nil, nil}},
	} {
		got := priceOf(test.given)
		same := func(a, b *float64) bool { return a == b || a != nil && b != nil && *a == *b }
		if got.kind != test.want.kind || !same(got.min, test.want.min) || !same(got.max, test.want.max) {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

// TestTariffsOfADate: the price of the date follows from them, also if its event is free.
func TestTariffsOfADate(t *testing.T) {
	t.Parallel()
	priced := func(amounts ...float64) (all []change.Tariff) {
		for _, amount := range amounts {
			all = append(all, change.Tariff{Name: "Rang", MinPrice: &amount, Currency: "DKK"})
		}
		return all
	}
	most := 30.0
	span := priced(12)
	span[0].MaxPrice = &most
	for name, test := range map[string]struct {
		kind string
		own  []change.Tariff
		want string
	}{
		"none":             {"free", nil, "  nil nil"},
		"one":              {"tiered_prices", priced(12), "regular_price DKK 12 12"},
		"several":          {"regular_price", priced(12, 5, 8), "tiered_prices DKK 5 12"},
		"a range":          {"regular_price", span, "tiered_prices DKK 12 30"},
		"free":             {"regular_price", priced(0, 0), "free DKK 0 0"},
		"of a free event":  {"free", priced(12), "regular_price DKK 12 12"},
		"also for nothing": {"regular_price", priced(0, 5), "tiered_prices DKK 0 5"},
		"of a donation":    {"donation", priced(0, 5), "donation DKK 0 5"},
	} {
		five := 5.0
		got := pricesOf(change.Event{PriceType: test.kind, MinPrice: &five, Currency: "EUR"}, change.Date{Tariffs: test.own})
		amount := func(p *float64) string {
			if p == nil {
				return "nil"
			}
			return fmt.Sprint(*p)
		}
		text := fmt.Sprint(got.PriceType, " ", got.Currency, " ", amount(got.MinPrice), " ", amount(got.MaxPrice))
		if text != test.want || len(got.Tariffs) != len(test.own) {
			t.Errorf("%s: %s with %d tariffs, want %s", name, text, len(got.Tariffs), test.want)
		}
	}
}
