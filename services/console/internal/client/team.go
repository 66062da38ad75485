package client

import (
	"net/http"
	"net/url"

	"litfass/pkg/contracts/adminapi"
)

// Team reads the members and invitations of an organization.
func (a Admin) Team(org string, paged url.Values) (adminapi.Team, error) {
	return get[adminapi.Team](a, at("organization", org, "team"), paged)
}

// Invite mails an invitation.
func (a Admin) Invite(org string, to adminapi.NewInvitation) error {
	return a.post(at("organization", org, "team", "invite"), to)
}

// MemberRights reads the permissions of a member, with their ETag.
func (a Admin) MemberRights(org, member string) (rights adminapi.Rights, tag string, err error) {
	return tagged[adminapi.Rights](a, Call{Path: at("organization", org, "member", member, "permissions")})
}

// SetMemberRights changes the permissions of a member if tag is still their ETag.
func (a Admin) SetMemberRights(org, member, tag string, to adminapi.Offered) error {
	return a.done(Call{
		Method: http.MethodPut, Path: at("organization", org, "member", member, "permissions"), Match: tag, Body: to,
	})
}

// RemoveMember ends a membership, or revokes an invitation.
func (a Admin) RemoveMember(org, member string) Delete {
	return a.deletion(at("organization", org, "team", "member", member))
}

// OrganizationKeys reads the API keys of an organization.
func (a Admin) OrganizationKeys(org string, paged url.Values) (adminapi.APIKeys, error) {
	return get[adminapi.APIKeys](a, at("organization", org, "api-keys"), paged)
}

// MakeOrganizationKey makes an API key of an organization.
func (a Admin) MakeOrganizationKey(org string, key adminapi.NewAPIKey) (adminapi.MadeAPIKey, error) {
	return send[adminapi.MadeAPIKey](a, http.MethodPost, at("organization", org, "api-keys"), key)
}

// RenameOrganizationKey renames an API key of an organization.
func (a Admin) RenameOrganizationKey(org, uuid string, to adminapi.APIKeyName) error {
	return a.put(at("organization", org, "api-keys", uuid), to)
}

// RevokeOrganizationKey revokes an API key of an organization.
func (a Admin) RevokeOrganizationKey(org, uuid string) error {
	return a.delete(at("organization", org, "api-keys", uuid))
}

// Permissions reads the words for all permissions.
func (a Admin) Permissions() (adminapi.Permissions, error) {
	return get[adminapi.Permissions](a, at("permissions", "list"), nil)
}

// Roles reads the words for all roles.
func (a Admin) Roles() (adminapi.Roles, error) {
	return get[adminapi.Roles](a, at("roles", "list"), nil)
}
