package client

import (
	"net/http"
	"net/url"

	"litfass/pkg/contracts/adminapi"
)

func confirmation(password string) adminapi.Confirmation {
	return adminapi.Confirmation{Password: password}
}

// Login begins a session.
func (a Admin) Login(c adminapi.Credentials) (adminapi.LoginResult, error) {
	return send[adminapi.LoginResult](a, http.MethodPost, "/api/login", c)
}

// Logout ends the session of the person.
func (a Admin) Logout() error { return a.post(at("logout"), nil) }

// Refresh replaces the tokens of a session; the request has its refresh token.
func (a Admin) Refresh() (adminapi.Refreshed, error) {
	return send[adminapi.Refreshed](a, http.MethodPost, at("refresh"), nil)
}

// Signup has a mail sent that activates a new account.
func (a Admin) Signup(c adminapi.Credentials) error { return a.post("/api/signup", c) }

// ForgotPassword has a mail sent that resets a password.
func (a Admin) ForgotPassword(to adminapi.Address) error { return a.post("/api/forgot-password", to) }

// Activate activates an account, or confirms another e-mail address.
func (a Admin) Activate(with adminapi.Activation) error { return a.post("/api/activate", with) }

// ResetPassword sets a new password with the token of a mail.
func (a Admin) ResetPassword(to adminapi.NewPassword) (adminapi.PasswordReset, error) {
	return send[adminapi.PasswordReset](a, http.MethodPost, "/api/reset-password", to)
}

// Profile reads the person's profile.
func (a Admin) Profile() (adminapi.Profile, error) {
	return get[adminapi.Profile](a, at("user", "profile"), nil)
}

// ChangeProfile changes the given fields of the profile.
func (a Admin) ChangeProfile(fields map[string]any) (adminapi.WrittenProfile, error) {
	return send[adminapi.WrittenProfile](a, http.MethodPut, at("user", "profile"), fields)
}

// ChangeSettings changes the person's language and theme.
func (a Admin) ChangeSettings(to adminapi.Settings) (adminapi.WrittenProfile, error) {
	return send[adminapi.WrittenProfile](a, http.MethodPut, at("user", "settings"), to)
}

// UploadAvatar stores the person's image.
func (a Admin) UploadAvatar(contentType string, file []byte) error {
	form := Form{Field: "avatar", Name: "avatar", Type: contentType, File: file}
	return a.done(Call{Method: http.MethodPost, Path: at("user", "avatar"), Form: &form})
}

// DeleteAvatar deletes the person's image.
func (a Admin) DeleteAvatar() error { return a.delete(at("user", "avatar")) }

// ChangePassword changes the person's password.
func (a Admin) ChangePassword(to adminapi.ChangedPassword) (adminapi.PasswordChanged, error) {
	return send[adminapi.PasswordChanged](a, http.MethodPut, at("user", "password"), to)
}

// Sessions reads the person's logins.
func (a Admin) Sessions(paged url.Values) (adminapi.Sessions, error) {
	return get[adminapi.Sessions](a, at("user", "sessions"), paged)
}

// EndSession ends one of the person's logins.
func (a Admin) EndSession(uuid string) error { return a.delete(at("user", "sessions", uuid)) }

// Export reads all stored data about the person, as JSON.
func (a Admin) Export() ([]byte, error) {
	answer, err := a.do(Call{Path: at("user", "export")})
	return answer.Body, err
}

// DeleteAccount deletes the person's account.
func (a Admin) DeleteAccount() Delete { return a.deletion(at("user")) }

// Memberships reads the person's memberships.
func (a Admin) Memberships() (adminapi.Memberships, error) {
	return get[adminapi.Memberships](a, at("user", "memberships"), All())
}

// Attention reads how much waits for the person.
func (a Admin) Attention() (adminapi.Attention, error) {
	return get[adminapi.Attention](a, at("user", "attention"), nil)
}

// Invitations reads the invitations that wait for the person.
func (a Admin) Invitations(paged url.Values) (adminapi.WaitingInvitations, error) {
	return get[adminapi.WaitingInvitations](a, at("user", "invitations"), paged)
}

// AcceptInvitation joins a team.
func (a Admin) AcceptInvitation(uuid string) error {
	return a.post(at("user", "invitations", uuid, "accept"), nil)
}

// DeclineInvitation declines an invitation.
func (a Admin) DeclineInvitation(uuid string) error {
	return a.post(at("user", "invitations", uuid, "decline"), nil)
}

// AcceptMailedInvitation joins a team with the token of a mail.
func (a Admin) AcceptMailedInvitation(with adminapi.InvitationToken) (adminapi.AcceptedInvitation, error) {
	return send[adminapi.AcceptedInvitation](a, http.MethodPost, at("organization", "team", "invite", "accept"), with)
}

// MailedInvitation reads an invitation with the token of a mail; it needs no login.
func (a Admin) MailedInvitation(with adminapi.InvitationToken) (adminapi.MailedInvitation, error) {
	return send[adminapi.MailedInvitation](a, http.MethodPost, "/api/invitation", with)
}

// JoinTeam joins a team with a new account, with the token of a mail.
func (a Admin) JoinTeam(with adminapi.InvitedAccount) (adminapi.InvitedLogin, error) {
	return send[adminapi.InvitedLogin](a, http.MethodPost, "/api/invitation/join", with)
}

// Keys reads the person's API keys.
func (a Admin) Keys(paged url.Values) (adminapi.APIKeys, error) {
	return get[adminapi.APIKeys](a, at("user", "api-keys"), paged)
}

// MakeKey makes an API key of the person.
func (a Admin) MakeKey(key adminapi.NewAPIKey) (adminapi.MadeAPIKey, error) {
	return send[adminapi.MadeAPIKey](a, http.MethodPost, at("user", "api-keys"), key)
}

// RenameKey renames an API key of the person.
func (a Admin) RenameKey(uuid string, to adminapi.APIKeyName) error {
	return a.put(at("user", "api-keys", uuid), to)
}

// RevokeKey revokes an API key of the person.
func (a Admin) RevokeKey(uuid string) error { return a.delete(at("user", "api-keys", uuid)) }
