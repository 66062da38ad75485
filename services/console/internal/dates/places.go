package dates

import (
	"errors"
	"strconv"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
)

const (
	fieldAvailability = "availability"
	fieldPlacesLeft   = "remaining_places"
)

// availabilities are those of dates, as the value set has them; "" is none stated.
var availabilities = []string{"", "available", "few_left", "sold_out", "waiting_list", "not_yet_on_sale", "free_entry"}

// setPlaces states whether there are places at one date of the list. The version of the event does
// not count: the availability has its own, and the last one who states it is right.
func (p pages) setPlaces(r *page.Request) error {
	l, d, err := loadDate(r, loadToEdit)
	if errors.Is(err, errGone) {
		return p.refuse(r, l, r.Text.T("dates.gone"))
	}
	if err != nil {
		return err
	}
	if err := r.RequireFor(l.event, permission.SetAvailability); err != nil {
		return err
	}
	asked := adminapi.DateAvailability{Availability: value.Text(r.Form.Text(fieldAvailability))}
	if text := r.Form.Text(fieldPlacesLeft); text != "" {
		left, err := strconv.Atoi(text)
		if err != nil {
			return p.refuse(r, l, r.Text.T("dates.places.not_number"))
		}
		asked.RemainingPlaces = value.Counted(left)
	}
	_, err = r.Admin().SetAvailability(d.UUID, asked)
	if fault.Is(err, fault.Invalid) {
		return p.refuse(r, l, r.Text.T("dates.places.contradicts"))
	}
	if err != nil {
		return p.failed(r, l, err)
	}
	return shown(r, l.event.UUID, outcome{focus: d.UUID, done: r.Text.With("dates.places.done", "Date", fullText(r.Text, d))})
}
