package view

import "litfass/services/site/internal/text"

// Price writes the price of an event, "" when nothing is known of it. Absent amounts are nil.
func Price(t *text.Texts, kind string, low, high *float64, currency string) string {
	switch {
	case kind == "free":
		return t.T("free")
	case kind == "donation":
		return t.T("donation")
	case low == nil || currency == "":
		return ""
	case high == nil || *high == *low:
		return t.Money(*low, currency)
	default:
		return t.With("price.from", "Price", t.Money(*low, currency))
	}
}
