package event

import (
	"slices"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/view"
)

// stated reports whether a date says whether there are places.
func stated(date *publicapi.Date) bool { return date != nil && date.Availability != "" }

// pricesOf returns the prices of a date, those of the event without one.
func (e eventData) pricesOf(date *publicapi.Date) publicapi.Prices {
	if date == nil {
		return e.PricesOf(publicapi.Date{})
	}
	return e.PricesOf(*date)
}

// priceText writes the price that follows from tariffs, or that of an event.
func priceText(s view.Scope, p publicapi.Prices) string {
	return view.Price(s.Text, p.PriceType, p.MinPrice, p.MaxPrice, p.Currency)
}

// priceInList writes the price of a date in the list of all, where the dates do not cost the same;
// "" for one that has none, or is cancelled.
func (e eventData) priceInList(s view.Scope, date publicapi.Date) string {
	if e.isOff() || date.ReleaseStatus == cancelled || !slices.ContainsFunc(e.Dates, hasOwnPrices) {
		return ""
	}
	return priceText(s, e.PricesOf(date))
}

func hasOwnPrices(date publicapi.Date) bool { return len(date.Tariffs) > 0 }

// sale says how many places are left, and when tickets of a date are sold.
func (e eventData) sale(s view.Scope, date *publicapi.Date) (lines []string) {
	if date == nil || !e.takesPlace(date, s.Today) {
		return nil
	}
	if left, given := date.RemainingPlaces.Number(); given && left > 0 {
		lines = append(lines, s.Text.Count("event.places_left", left))
	}
	for _, moment := range []struct{ message, at string }{
		{"event.on_sale_from", string(date.OnSaleFrom)}, {"event.on_sale_until", string(date.OnSaleUntil)},
	} {
		if at := view.Moment(s.Text, moment.at); at != "" {
			lines = append(lines, s.Text.With(moment.message, "Time", at))
		}
	}
	return lines
}
