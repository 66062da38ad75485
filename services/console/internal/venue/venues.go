package venue

import (
	"net/url"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// ListPath returns the address of the venues of an organization.
func ListPath(org string) string { return page.Root + "/organization/" + org + "/venues" }

// venueList is a page of the venues of an organization.
type venueList struct {
	*page.Request
	adminapi.Venues
}

// head returns that of the organization's pages.
func (l venueList) head() view.Organization {
	return view.Organization{
		UUID: l.OrgUUID, Name: l.OrgName, Section: view.OrganizationVenues, May: l.Rights(l.OrgUUID),
	}
}

func listVenues(r *page.Request) error {
	org, err := r.UUID("organization")
	if err != nil {
		return err
	}
	asked := view.Paged(r.Query)
	query := url.Values{"limit": asked["limit"], "offset": asked["offset"]}
	l := venueList{Request: r}
	if l.Venues, err = r.Admin().Venues(org, query); err != nil {
		return err
	}
	return r.Show(view.Page{Title: r.Text.T("venues"), Section: org, Content: venuesPage(l)})
}
