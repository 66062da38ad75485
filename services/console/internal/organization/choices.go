package organization

import (
	"net/url"
	"slices"

	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// choose returns a value set of the public API as options, such as "countries". chosen is the code
// that is stored, which stays an option also when the public API does not answer; "" for none.
func choose(r *page.Request, set string, query url.Values, chosen string) []view.Option {
	known, _ := lookup.Read(r, set, query) // the page works without the words
	return known.OptionsOrNone(r.Text.T("organization.none"), chosen)
}

// mayBeIn reports whether a state may belong to a country. It does so, too, while the public API
// does not answer: the admin service then decides, and the state that is stored is not lost.
func mayBeIn(r *page.Request, country, state string) bool {
	if country == "" {
		return false
	}
	known, err := lookup.Read(r, "states", url.Values{"country": {country}})
	return err != nil || slices.ContainsFunc(known, func(c lookup.Choice) bool { return c.ID == state })
}
