// Package team has the pages on who may do what in an organization: its members and their roles,
// invitations, and API keys.
package team

import (
	"litfass/pkg/adminapi"
	"litfass/pkg/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// Mount adds the pages.
func Mount(r page.Router) {
	const org = "/organization/:organization"
	r.Get(org+"/team", showTeam)
	r.Post(org+"/team/invite", invite)
	r.Post(org+"/team/invitation/:invitation", renew)
	r.Get(org+"/team/member/:member", showMember)
	r.Post(org+"/team/member/:member", setRights)
	r.Get(org+"/team/remove/:member", showRemoval)
	r.Post(org+"/team/remove/:member", remove)
	r.Get(org+"/leave", showLeaving)
	r.Post(org+"/leave", leave)
	r.Get(org+"/keys", showKeys)
	r.Post(org+"/keys", makeKey)
	r.Post(org+"/keys/:key", renameKey)
	r.Get(org+"/keys/:key/revoke", showRevocation)
	r.Post(org+"/keys/:key/revoke", revokeKey)
}

// place is an organization as the person of a request sees it.
type place struct {
	adminapi.Organization
	may permission.Set
}

// read returns the organization that the address names.
func read(r *page.Request) (place, error) {
	uuid, err := r.UUID("organization")
	if err != nil {
		return place{}, err
	}
	p := place{may: r.Rights(uuid)}
	_, err = r.Get("/api/admin/organization/"+uuid, nil, &p.Organization)
	return p, err
}

// readFor is read for people who have a permission there. The error is Forbidden for other members.
func readFor(r *page.Request, need permission.Set) (place, error) {
	p, err := read(r)
	if err != nil {
		return p, err
	}
	return p, r.Require(p.UUID, need)
}

func (p place) path(rest string) string { return page.Root + "/organization/" + p.UUID + "/" + rest }

func (p place) api(rest string) string { return "/api/admin/organization/" + p.UUID + "/" + rest }

func (p place) head(section string) view.Organization {
	return view.Organization{UUID: p.UUID, Name: p.Name, Section: section, May: p.may}
}
