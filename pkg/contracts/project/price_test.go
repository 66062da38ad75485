package project

import (
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
