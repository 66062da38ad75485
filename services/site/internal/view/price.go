package view

import (
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/text"
)

// PriceOf writes the price of an entry, "" for one that is cancelled or whose price is not known.
func PriceOf(t *text.Texts, e publicapi.Entry) string {
	if e.ReleaseStatus == "cancelled" {
		return ""
	}
	return Price(t, e.PriceType, e.MinPrice, e.MaxPrice, e.Currency)
}

// Price writes the price of an event as all pages do, "" when nothing is known of it. Absent
// amounts are nil. Those of a donation are suggestions.
func Price(t *text.Texts, kind string, low, high *float64, currency string) string {
	amounts := amounts(t, kind, low, high, currency)
	switch {
	case kind == "free":
		return t.T("free")
	case kind == "donation" && amounts != "":
		return t.With("price.donation", "Price", amounts)
	case kind == "donation":
		return t.T("donation")
	default:
		return amounts
	}
}

// amounts writes one amount, a range, or one of its bounds.
func amounts(t *text.Texts, kind string, low, high *float64, currency string) string {
	if kind == "regular_price" && low == nil {
		low = high // a preview has the amounts as they are stored
	}
	switch {
	case currency == "" || low == nil && high == nil:
		return ""
	case low == nil:
		return t.With("price.up_to", "Price", t.Money(*high, currency))
	case high == nil && kind != "regular_price":
		return t.With("price.from", "Price", t.Money(*low, currency))
	case high == nil || *high == *low:
		return t.Money(*low, currency)
	default:
		return t.Money(*low, currency) + " – " + t.Money(*high, currency)
	}
}
