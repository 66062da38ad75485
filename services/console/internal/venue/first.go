package venue

import (
	"net/url"
	"slices"

	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
)

// FirstPath returns the address of the form for the first place of a new organization, the second
// of the three steps to its first event.
func FirstPath(org string) string {
	return page.Root + "/first/place?" + url.Values{"organization": {org}}.Encode()
}

// FirstEventPath returns the address of the third step; venue is "" for none.
func FirstEventPath(org, venue string) string {
	query := url.Values{"organization": {org}, "first": {"1"}}
	if venue != "" {
		query.Set("venue", venue)
	}
	return page.Root + "/event/new?" + query.Encode()
}

// firstDraft reads the first place of an organization. The page of the venue asks for the rest.
func firstDraft(r *page.Request) (*draft, error) {
	org := r.Query.Get("organization")
	if sent := r.Form.Text("org_uuid"); sent != "" {
		org = sent
	}
	if err := r.Require(org, permission.AddVenue); err != nil {
		return nil, err
	}
	d, err := newDraft(r, org)
	if err != nil {
		return nil, err
	}
	d.first = true
	d.organizations = slices.DeleteFunc(d.organizations, func(o page.OrganizationName) bool { return o.UUID != org })
	return d, nil
}

// showFirstPositions shows the positions that an address may have while it is being typed.
func showFirstPositions(r *page.Request) error {
	w := position{}
	w.propose(r, r.Query)
	return r.ShowPart(positionLikes(r.Text, w, false))
}
