package project

import "litfass/pkg/contracts/change"

// The price types of one price and of several.
const (
	regularPrice = "regular_price"
	tieredPrices = "tiered_prices"
)

// price is the price of an event as it is shown.
type price struct {
	kind     string
	min, max *float64
}

// priceOf returns the price of an event: a regular one is a single amount, which both bounds have,
// and with two amounts it is one of tiers (RULES.md, Entries).
func priceOf(e change.Event) price {
	p := price{kind: e.PriceType, min: e.MinPrice, max: e.MaxPrice}
	switch {
	case p.kind != regularPrice:
	case p.min == nil:
		p.min = p.max
	case p.max == nil:
		p.max = p.min
	case *p.min != *p.max:
		p.kind = tieredPrices
	}
	return p
}
