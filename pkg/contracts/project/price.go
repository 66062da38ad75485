package project

import (
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/publicapi"
)

// The price types of which a price that follows from tariffs is one.
const (
	free         = "free"
	donation     = "donation"
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

// pricesOf returns the tariffs of a date with the price that follows from them; the zero value for
// a date without any, to which the prices of its event apply (RULES.md, Entries).
func pricesOf(e change.Event, d change.Date) (own publicapi.Prices) {
	if len(d.Tariffs) == 0 {
		return own
	}
	own.Tariffs, own.Currency = tariffs(d.Tariffs), d.Tariffs[0].Currency
	for _, t := range own.Tariffs {
		if own.MinPrice == nil || t.MinPrice != nil && *t.MinPrice < *own.MinPrice {
			own.MinPrice = t.MinPrice
		}
		if own.MaxPrice == nil || t.MaxPrice != nil && *t.MaxPrice > *own.MaxPrice {
			own.MaxPrice = t.MaxPrice
		}
	}
	switch {
	case e.PriceType == donation:
		own.PriceType = donation
	case own.MaxPrice != nil && *own.MaxPrice == 0:
		own.PriceType = free
	case own.MinPrice != nil && own.MaxPrice != nil && *own.MinPrice != *own.MaxPrice:
		own.PriceType = tieredPrices
	default:
		own.PriceType = regularPrice
	}
	return own
}
