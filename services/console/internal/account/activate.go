package account

import (
	"net/http"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// passwordForm is a form on which people choose a password with the token from a mail.
type passwordForm struct {
	Token   string
	Email   string // of the account, for the login afterwards and for password managers
	Name    string // of a new account
	Problem string // with the whole request; "" for none
	Errors  view.Errors
}

// showActivation asks for the password of a new account.
func showActivation(r *page.Request, token string) error {
	return r.Show(activationPage(r, passwordForm{Token: token, Email: r.Kept(keptEmail), Name: r.Kept(keptName)}))
}

func activationPage(r *page.Request, form passwordForm) view.Page {
	return view.Page{Title: r.Text.T("activate"), Content: activation(r.Text, form)}
}

// activate activates an account and logs in. The token says which account it is, so an address that
// was mistyped here only costs another login.
func activate(r *page.Request) error {
	form := passwordForm{Token: r.Form.Get("token"), Email: r.Form.Text("email"), Name: r.Form.Text("name")}
	password := r.Form.Get("password")
	if form.Errors = missing(r, "email", form.Email, "password", password); len(form.Errors) > 0 {
		return r.Status(http.StatusUnprocessableEntity).Show(activationPage(r, form))
	}
	err := r.Admin().Activate(adminapi.Activation{Token: form.Token, Password: password, DisplayName: form.Name})
	switch {
	case isBroken(err):
		return broken(r, keptActivation)
	case fault.Is(err, fault.Invalid):
		form.Errors = view.ErrorsOf(err)
		if reason, wrong := form.Errors["display_name"]; wrong {
			delete(form.Errors, "display_name")
			form.Errors["name"] = reason
		}
		return r.Status(http.StatusUnprocessableEntity).Show(activationPage(r, form))
	case fault.Is(err, fault.Conflict):
		form.Problem = r.Text.T("email.taken")
		return r.Status(http.StatusConflict).Show(activationPage(r, form))
	case err != nil:
		return err
	}
	r.Drop(keptActivation)
	made, err := r.Login(form.Email, password)
	if err != nil {
		return r.Go(page.Root+"/login", "activated")
	}
	r.Drop(keptEmail)
	r.Drop(keptName)
	if err := r.LogIn(made); err != nil {
		return err
	}
	return r.Go(home(r), "welcome")
}

// home is where a login leads that began at no other page: to an invitation that a person was on
// the way to accept, else to the start.
func home(r *page.Request) string {
	if r.Kept(keptInvitation) != "" {
		return page.Root + "/invitation"
	}
	return page.Root + "/"
}

// missing returns an error for each field without a value. pairs are names and values in turn.
func missing(r *page.Request, pairs ...string) view.Errors {
	errors := view.Errors{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			errors[pairs[i]] = r.Text.T("field.required")
		}
	}
	return errors
}

// showReset asks for the password that replaces a forgotten one.
func showReset(r *page.Request, token string) error {
	return r.Show(resetPage(r, passwordForm{Token: token, Email: r.Kept(keptEmail)}))
}

func resetPage(r *page.Request, form passwordForm) view.Page {
	return view.Page{Title: r.Text.T("reset"), Content: resetting(r.Text, form)}
}

// reset sets a new password, and shows the sessions and keys that this ended, and the keys and
// invitations that still give others access.
func reset(r *page.Request) error {
	form := passwordForm{Token: r.Form.Get("token"), Email: r.Form.Text("email")}
	password := r.Form.Get("new_password")
	if form.Errors = missing(r, "new_password", password); len(form.Errors) > 0 {
		return r.Status(http.StatusUnprocessableEntity).Show(resetPage(r, form))
	}
	done, err := r.Admin().ResetPassword(adminapi.NewPassword{Token: form.Token, NewPassword: password})
	switch {
	case isBroken(err):
		return broken(r, keptReset)
	case fault.Is(err, fault.Invalid):
		form.Errors = view.ErrorsOf(err)
		return r.Status(http.StatusUnprocessableEntity).Show(resetPage(r, form))
	case err != nil:
		return err
	}
	r.Drop(keptReset)
	r.LogOut() // all sessions of the account have ended, this one included
	return r.Show(view.Page{Title: r.Text.T("reset.done"), Content: resetDone(r.Text, done)})
}

// showConfirmation asks before another e-mail address becomes that of the account: a program that
// follows the links of a mail must not do it.
func showConfirmation(r *page.Request, token string) error {
	return r.Show(view.Page{Title: r.Text.T("confirm"), Content: confirmation(r.Text, token)})
}

func confirm(r *page.Request) error {
	err := r.Admin().Activate(adminapi.Activation{Token: r.Form.Get("token")})
	switch {
	case fault.Is(err, fault.Invalid): // also the token of an activation, which needs a password
		return broken(r, keptConfirmation)
	case fault.Is(err, fault.Conflict):
		r.Drop(keptConfirmation)
		return r.Status(http.StatusConflict).Show(view.Page{Title: r.Text.T("confirm"), Content: taken(r.Text)})
	case err != nil:
		return err
	}
	r.Drop(keptConfirmation)
	return r.Show(view.Page{Title: r.Text.T("confirm.done"), Content: confirmed(r.Text, r.User != nil)})
}
