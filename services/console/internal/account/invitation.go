package account

import (
	"cmp"
	"net/http"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// invitationForm is the page of an invitation, with one form: to join as the person who is logged
// in, with the account of the invited address, or with a new one.
type invitationForm struct {
	adminapi.MailedInvitation
	Token    string
	LoggedIn string // the address of the person who is logged in; "" for none
	Name     string // of a new account
	Problem  string // with the whole request; "" for none
	Errors   view.Errors
}

// forOther reports whether another account is logged in than the invited one.
func (f invitationForm) forOther() bool {
	return f.LoggedIn != "" && !strings.EqualFold(f.LoggedIn, f.Email)
}

// showInvitation shows who invites to which team, and asks for what is missing to join it.
func showInvitation(r *page.Request, token string) error {
	return invitationPage(r, invitationForm{Token: token, Name: r.Kept(keptName)})
}

// invitationPage reads the invitation and shows the form. A wrong token shows nothing of it.
func invitationPage(r *page.Request, form invitationForm) (err error) {
	form.MailedInvitation, err = r.Admin().MailedInvitation(adminapi.InvitationToken{Token: form.Token})
	switch {
	case isBroken(err):
		return broken(r, keptInvitation)
	case err != nil:
		return err
	}
	if r.User != nil {
		profile, err := r.Admin().Profile()
		if err != nil {
			return err
		}
		form.LoggedIn = profile.Email
	}
	return r.Show(view.Page{Title: r.Text.T("invitation"), Content: invitation(r.Text, form)})
}

// acceptInvitation joins the team as the person who is logged in.
func acceptInvitation(r *page.Request) error {
	token := r.Form.Get("token")
	accepted, err := r.Admin().AcceptMailedInvitation(adminapi.InvitationToken{Token: token})
	switch {
	case isBroken(err):
		return broken(r, keptInvitation)
	case fault.Is(err, fault.Conflict): // the person is a member already
		r.Drop(keptInvitation)
		return r.Go(page.Root+"/", "already_member")
	case fault.Is(err, fault.Forbidden):
		return invitationPage(r.Status(http.StatusForbidden), invitationForm{Token: token})
	case err != nil:
		return err
	}
	return joined(r, accepted.OrgUUID)
}

func joined(r *page.Request, org string) error {
	r.Drop(keptInvitation)
	return r.Go(page.Root+"/organization/"+org, "joined")
}

// joinLoggingIn logs in to the account of the invited address and joins the team. The address is
// that of the invitation, not of the form.
func joinLoggingIn(r *page.Request) error {
	form := invitationForm{Token: r.Form.Get("token")}
	r.User = nil
	invited, err := r.Admin().MailedInvitation(adminapi.InvitationToken{Token: form.Token})
	switch {
	case isBroken(err):
		return broken(r, keptInvitation)
	case err != nil:
		return err
	}
	made, err := r.Login(invited.Email, r.Form.Get("password"))
	switch {
	case fault.Is(err, fault.Unauthenticated), fault.Is(err, fault.Invalid):
		form.Errors = view.Errors{"password": r.Text.T("password.wrong")}
		return invitationPage(r.Status(http.StatusUnprocessableEntity), form)
	case fault.Is(err, fault.TooMany):
		form.Problem = tooMany(r, err)
		return invitationPage(r.Status(http.StatusTooManyRequests), form)
	case err != nil:
		return err
	}
	if err := r.LogIn(made); err != nil {
		return err
	}
	return acceptInvitation(r)
}

// joinSigningUp joins the team with a new account, which is then logged in.
func joinSigningUp(r *page.Request) error {
	form := invitationForm{Token: r.Form.Get("token"), Name: r.Form.Text("name")}
	password := r.Form.Get("password")
	r.User = nil
	if form.Errors = missing(r, "password", password); len(form.Errors) > 0 {
		return invitationPage(r.Status(http.StatusUnprocessableEntity), form)
	}
	made, org, err := r.Join(adminapi.InvitedAccount{Token: form.Token, Password: password, DisplayName: form.Name})
	switch {
	case isBroken(err):
		return broken(r, keptInvitation)
	case fault.Is(err, fault.Invalid):
		form.Errors = view.ErrorsOf(err)
		if reason, wrong := form.Errors["display_name"]; wrong {
			delete(form.Errors, "display_name")
			form.Errors["name"] = reason
		}
		return invitationPage(r.Status(http.StatusUnprocessableEntity), form)
	case fault.Is(err, fault.Conflict): // the address has an account meanwhile
		return invitationPage(r.Status(http.StatusConflict), form)
	case fault.Is(err, fault.TooMany):
		form.Problem = tooMany(r, err)
		return invitationPage(r.Status(http.StatusTooManyRequests), form)
	case err != nil:
		return err
	}
	r.Drop(keptEmail)
	r.Drop(keptName)
	if err := r.LogIn(made); err != nil {
		return err
	}
	return joined(r, org)
}

// inviter names the person who invites.
func (f invitationForm) inviter(t *text.Texts) string {
	return cmp.Or(string(f.InvitedBy), t.T("team.unnamed"))
}
