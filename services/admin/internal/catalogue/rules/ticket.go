package rules

import (
	"slices"
	"time"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/value"
)

// localTime is how moments are written that are local to a place.
const localTime = "2006-01-02T15:04"

// cleanTariffs returns tariffs in their stored form. The given ones stay as they are: copies of an
// event share them.
func cleanTariffs(given []adminapi.Tariff) []adminapi.Tariff {
	cleaned := orEmpty(slices.Clone(given))
	for i := range cleaned {
		t := &cleaned[i]
		cleanLines(&t.Name)
		cleanLines(&t.Condition)
		cleanUpper(&t.Currency)
	}
	return cleaned
}

// tariffs checks tariffs. priceType is that of the event for which they stand.
func (c checker) tariffs(all []adminapi.Tariff, priceType string) {
	c.count("tariffs", len(all), maxTariffs)
	for i, t := range all {
		at := c.at("tariffs", i)
		at.required("name", t.Name, adminapi.MaxName)
		at.text("condition", string(t.Condition), adminapi.MaxTitle)
		if t.MinPrice == nil {
			at.bad("min_price", reason.Required)
		}
		at.price("min_price", t.MinPrice, priceType)
		at.price("max_price", t.MaxPrice, priceType)
		if t.MinPrice != nil && t.MaxPrice != nil && *t.MaxPrice < *t.MinPrice {
			at.bad("max_price", reason.Below("min_price"))
		}
		at.item("currency", change.LookupCurrencies, t.Currency)
		switch {
		case t.Currency == "":
			at.bad("currency", reason.CurrencyRequired)
		case t.Currency != all[0].Currency:
			at.bad("currency", reason.CurrencyNotOfFirst)
		}
	}
}

// checkDerived refuses prices that are not those of the tariffs; absent ones will be derived.
func (e *Event) checkDerived(c checker) {
	low, high, currency := e.pricesOfTariffs()
	if low == nil {
		return
	}
	if e.MinPrice != nil && *e.MinPrice != *low {
		c.bad("min_price", reason.Contradicts("tariffs"))
	}
	if e.MaxPrice != nil && *e.MaxPrice != *high {
		c.bad("max_price", reason.Contradicts("tariffs"))
	}
	if e.Currency != "" && string(e.Currency) != currency {
		c.bad("currency", reason.Contradicts("tariffs"))
	}
}

// pricesOfTariffs returns the least and the greatest price of the tariffs; nil without any.
func (e *Event) pricesOfTariffs() (low, high *float64, currency string) {
	for _, t := range e.Tariffs {
		if t.MinPrice == nil { // which is refused
			continue
		}
		most := t.MinPrice
		if t.MaxPrice != nil {
			most = t.MaxPrice
		}
		if low == nil || *t.MinPrice < *low {
			low = t.MinPrice
		}
		if high == nil || *most > *high {
			high = most
		}
		currency = t.Currency
	}
	return low, high, currency
}

// derivePrices sets the prices of an event with tariffs.
func (e *Event) derivePrices() {
	low, high, currency := e.pricesOfTariffs()
	if low == nil {
		return
	}
	least, most := *low, *high
	e.MinPrice, e.MaxPrice = &least, &most
	e.Currency = value.Text(currency)
}

// FollowTariffs leaves the prices of an edited event with tariffs to these, unless the edit changes
// a price itself.
func (e *Event) FollowTariffs(before *Event) {
	same := func(a, b *float64) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
	if len(e.Tariffs) == 0 {
		return
	}
	if same(e.MinPrice, before.MinPrice) {
		e.MinPrice = nil
	}
	if same(e.MaxPrice, before.MaxPrice) {
		e.MaxPrice = nil
	}
	if e.Currency == before.Currency {
		e.Currency = ""
	}
}

// checkSale checks when tickets are sold, and the former start.
func (d *Date) checkSale(c checker) {
	from, until := c.localTime("on_sale_from", string(d.OnSaleFrom)), c.localTime("on_sale_until", string(d.OnSaleUntil))
	if from && until && d.OnSaleUntil < d.OnSaleFrom {
		c.bad("on_sale_until", reason.Before("on_sale_from"))
	}
	if len(d.PreviousStart) == len(time.DateOnly) {
		c.day("previous_start", string(d.PreviousStart))
	} else {
		c.localTime("previous_start", string(d.PreviousStart))
	}
}

// localTime checks an optional moment that is local to a place, and reports whether it is present
// and valid.
func (c checker) localTime(field, text string) bool {
	if text == "" {
		return false
	}
	at, err := time.Parse(localTime, text)
	if err != nil || len(text) != len(localTime) || at.Year() < minYear || at.Year() > maxYear {
		c.bad(field, reason.NotLocalTime)
		return false
	}
	return true
}

// second checks an optional moment with its zone.
func (c checker) second(field, text string) {
	if text == "" {
		return
	}
	if at, err := time.Parse(time.RFC3339, text); err != nil || at.Year() < minYear || at.Year() > maxYear {
		c.bad(field, reason.NotMoment)
	}
}
