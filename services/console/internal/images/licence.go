package images

import (
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
)

// licencesOf returns the licences that can be chosen, in the language of a request; none when they
// cannot be read, so that the rest of the page can be used.
func licencesOf(r *page.Request) lookup.Choices {
	all, err := lookup.Read(r, "licenses", nil)
	if err != nil {
		return nil
	}
	return all
}
