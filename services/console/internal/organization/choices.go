package organization

import (
	"net/url"

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
