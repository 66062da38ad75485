package reference

// Price returns the price of an event as it is shown: a regular one is one amount, two are tiers.
func (e *Event) Price() (kind string, low, high *float64) {
	kind, low, high = e.PriceType, e.MinPrice, e.MaxPrice
	if kind != "regular_price" {
		return kind, low, high
	}
	if low != nil && high != nil && *low != *high {
		return "tiered_prices", low, high
	}
	if low == nil {
		low = high
	}
	return kind, low, low
}

func (e *Event) priceType() string {
	kind, _, _ := e.Price()
	return kind
}
