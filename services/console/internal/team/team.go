// Package team has the pages of an organization's team: its members and their roles, invitations,
// and API keys.
package team

import "litfass/services/console/internal/page"

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
