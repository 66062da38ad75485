package dates

import (
	"strconv"
	"strings"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/price"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// The fields of tickets, besides those of the list, and of the former start.
const (
	fieldOnSaleFrom   = "on_sale_from"
	fieldOnSaleUntil  = "on_sale_until"
	fieldPlacesSeen   = "places_seen" // the availability that the form was filled with
	fieldPreviousDay  = "previous_day"
	fieldPreviousTime = "previous_time"
)

// ticketValues are the fields of tickets and of the former start, as people have typed them.
type ticketValues struct {
	availability, left, seen  string
	from, until               string // YYYY-MM-DDTHH:MM
	previousDay, previousTime string
}

func readTickets(f page.Form) ticketValues {
	moment := func(name string) string { return strings.Replace(f.Text(name), " ", "T", 1) }
	v := ticketValues{
		availability: f.Text(fieldAvailability), left: f.Text(fieldPlacesLeft), seen: f.Get(fieldPlacesSeen),
		from: moment(fieldOnSaleFrom), until: moment(fieldOnSaleUntil),
		previousDay: f.Text(fieldPreviousDay), previousTime: clockOf(f.Text(fieldPreviousTime)),
	}
	if f.Values[fieldPlacesSeen] == nil { // nor has the form the others
		v.seen = v.places()
	}
	return v
}

func ticketsOf(d adminapi.Date) ticketValues {
	v := ticketValues{
		availability: string(d.Availability), left: d.RemainingPlaces.String(), from: string(d.OnSaleFrom), until: string(d.OnSaleUntil),
	}
	v.previousDay, v.previousTime, _ = strings.Cut(string(d.PreviousStart), "T")
	v.seen = v.places()
	return v
}

// places is the availability in a word, to compare.
func (v ticketValues) places() string { return v.availability + " " + v.left }

// statesPlaces reports whether the person has changed the availability, which box offices change
// while the form is open.
func (v ticketValues) statesPlaces() bool { return v.places() != v.seen }

// open reports whether the fields of tickets have something to say.
func (v ticketValues) open(errors view.Errors) bool {
	return v.availability+v.left+v.from+v.until != "" ||
		errors[fieldAvailability]+errors[fieldPlacesLeft]+errors[fieldOnSaleFrom]+errors[fieldOnSaleUntil] != ""
}

// check adds the errors of the fields.
func (v ticketValues) check(must func(field, id string, right bool)) {
	for field, moment := range map[string]string{fieldOnSaleFrom: v.from, fieldOnSaleUntil: v.until} {
		must(field, "dates.error.moment", moment == "" || isMoment(moment))
	}
	must(fieldOnSaleUntil, "dates.error.sale_before", v.from == "" || v.until == "" || v.until >= v.from)
	left, err := strconv.Atoi(v.left)
	must(fieldPlacesLeft, "dates.places.not_number", v.left == "" || err == nil && left >= 0)
	must(fieldPreviousDay, "dates.error.day", v.previousDay == "" || isDay(v.previousDay))
	must(fieldPreviousTime, "dates.error.time", v.previousTime == "" || isClock(v.previousTime))
}

func isMoment(text string) bool {
	at, err := time.Parse("2006-01-02T15:04", text)
	return err == nil && isDay(at.Format(time.DateOnly))
}

// fields returns the fields as the admin service takes them, after check.
func (v ticketValues) fields() (tickets adminapi.DateTickets, previous value.Text) {
	tickets.Availability, tickets.OnSaleFrom, tickets.OnSaleUntil = value.Text(v.availability), value.Text(v.from), value.Text(v.until)
	if left, err := strconv.Atoi(v.left); err == nil {
		tickets.RemainingPlaces = value.Counted(left)
	}
	if v.previousDay != "" { // which is how it is emptied
		previous = value.Text(v.previousDay + prefixed("T", v.previousTime))
	}
	return tickets, previous
}

// availabilityOptions are the availabilities to choose from.
func availabilityOptions(t *text.Texts, chosen string) []view.Option {
	options := make([]view.Option, len(availabilities))
	for i, key := range availabilities {
		options[i] = view.Option{Value: key, Label: t.T("dates.places.is_" + key), Chosen: key == chosen}
	}
	return options
}

// tariffText writes the tariffs of a date in a line, "" for none.
func tariffText(t *text.Texts, d adminapi.DateFields) string {
	return price.Words(t, price.TariffsOf(d.Tariffs))
}

// momentText writes a moment of the admin service, or a day.
func momentText(t *text.Texts, moment value.Text) string {
	day, clock, timed := strings.Cut(string(moment), "T")
	switch {
	case day == "":
		return ""
	case !timed:
		return t.Day(dayOf(day))
	default:
		return t.Day(dayOf(day)) + ", " + t.Clock(clock)
	}
}
