package event

import (
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/view"
)

// stated reports whether a date says whether there are places.
func stated(date *publicapi.Date) bool { return date != nil && date.Availability != "" }

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
