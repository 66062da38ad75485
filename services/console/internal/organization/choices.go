package organization

import (
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// choose returns a value set of the public API as options, such as "countries". chosen is the
// stored code, which stays an option when the public API does not answer; "" for none.
func choose(r *page.Request, set, chosen string) []view.Option {
	known, _ := r.Lookup().Choices(set) // the page works without the names
	return optionsOf(r, known, chosen)
}

// chooseState is choose for the states of a country.
func chooseState(r *page.Request, country, chosen string) []view.Option {
	known, _ := r.Lookup().States(country)
	return optionsOf(r, known, chosen)
}

func optionsOf(r *page.Request, known lookup.Choices, chosen string) []view.Option {
	return known.OptionsOrNone(r.Text.T("organization.none"), chosen)
}

// mayBeIn reports whether a state may belong to a country, also when the public API does not
// answer: the admin service then decides, and the stored state is not lost.
func mayBeIn(r *page.Request, country, state string) bool {
	if country == "" {
		return false
	}
	known, err := r.Lookup().States(country)
	return err != nil || known.Has(state)
}
