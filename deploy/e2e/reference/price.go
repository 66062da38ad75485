package reference

// Price returns the price of an event as it is shown: a regular one is one amount, two are tiers.
func (e *Event) Price() (kind string, low, high *float64) {
	kind, low, high = e.PriceType, e.MinPrice, e.MaxPrice
	for i, t := range e.Tariffs { // which give the prices in any case
		most := t.MinPrice
		if t.MaxPrice != nil {
			most = *t.MaxPrice
		}
		if i == 0 || t.MinPrice < *low {
			low = new(t.MinPrice)
		}
		if i == 0 || most > *high {
			high = new(most)
		}
	}
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

// Money returns the currency of the prices.
func (e *Event) Money() Text {
	if len(e.Tariffs) > 0 {
		return Text(e.Tariffs[0].Currency)
	}
	return e.Currency
}

// Price returns the price of a date: that of its own tariffs, else that of its event. Tariffs of
// its own say what kind of price it is, but where the event asks for donations.
func (d *Dated) Price() (kind string, low, high *float64) {
	if len(d.Date.Tariffs) == 0 {
		return d.Event.Price()
	}
	_, low, high = (&Event{Tariffs: d.Date.Tariffs}).Price()
	switch {
	case d.Event.PriceType == "donation":
		return "donation", low, high
	case *high == 0:
		return "free", low, high
	case *low == *high:
		return "regular_price", low, high
	}
	return "tiered_prices", low, high
}

// Money returns the currency of the price of a date.
func (d *Dated) Money() Text {
	if len(d.Date.Tariffs) > 0 {
		return Text(d.Date.Tariffs[0].Currency)
	}
	return d.Event.Money()
}

func (d *Dated) priceType() string {
	kind, _, _ := d.Price()
	return kind
}
