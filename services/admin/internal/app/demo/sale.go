package demo

import (
	"slices"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// sell sets the tariffs of an event whose tickets are sold in advance, whether there are tickets
// for its coming dates, and when moved dates were to begin.
func (g *generator) sell(e *rules.Event) {
	for i := range e.Dates {
		if d := &e.Dates[i]; d.ReleaseStatus == rules.StatusRescheduled && d.StartTime != "" {
			start, err := time.Parse(time.DateOnly, d.StartDate)
			if err != nil {
				panic(err) // this package has made it
			}
			d.PreviousStart = value.Text(start.AddDate(0, 0, -7).Format(time.DateOnly)) + "T" + d.StartTime
		}
	}
	if !slices.Contains(e.TicketFlags, "advance_ticket") {
		return
	}
	names := tariffs[string(e.TextLanguage)]
	e.Tariffs = []adminapi.Tariff{
		{Name: names.full, MinPrice: e.MaxPrice, Currency: string(e.Currency)},
		{Name: names.reduced, MinPrice: e.MinPrice, Currency: string(e.Currency), Condition: value.Text(names.condition)},
	}
	for i := range e.Dates {
		g.setSale(&e.Dates[i])
	}
}

// setSale states whether there are tickets for a coming date.
func (g *generator) setSale(d *rules.Date) {
	if d.StartDate < g.today.Format(time.DateOnly) || d.ReleaseStatus != rules.StatusInherited {
		return
	}
	if d.StartDate > g.today.AddDate(0, 0, 60).Format(time.DateOnly) {
		d.Availability = "not_yet_on_sale"
		d.OnSaleFrom = value.Text(g.today.AddDate(0, 0, 14).Format(time.DateOnly) + "T10:00")
		return
	}
	switch r := chance("sale of " + d.UUID); r.IntN(10) {
	case 0:
		d.Availability, d.RemainingPlaces = "few_left", value.Counted(2+r.IntN(8))
	case 1:
		d.Availability = rules.SoldOut
	case 2:
		d.Availability = rules.WaitingList
	default:
		d.Availability = "available"
	}
}

// tariffs are the names of the tariffs in each language.
var tariffs = map[string]struct{ full, reduced, condition string }{
	"de": {"Normalpreis", "Ermäßigt", "Schule, Ausbildung und Studium, mit Nachweis"},
	"da": {"Normalpris", "Reduceret", "Elever og studerende med gyldigt kort"},
	"en": {"Full price", "Concession", "Students, with a valid card"},
}
