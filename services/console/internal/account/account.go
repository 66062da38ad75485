// Package account has the pages on which people sign up, log in and look after their account.
package account

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// Mount adds the pages.
func Mount(r page.Router) {
	r.OpenGet("/login", showLogin)
	r.OpenPost("/login", logIn)
	r.OpenPost("/logout", logOut)
	mountOwn(r)
	r.Get("/logged-in", showLoggedIn)
	r.OpenGet("/signup", showSignup)
	r.OpenPost("/signup", signUp)
	r.OpenGet("/forgot", showForgot)
	r.OpenPost("/forgot", forget)
	r.OpenGet("/activate", arrive(keptActivation, showActivation))
	r.OpenPost("/activate", activate)
	r.OpenGet("/reset", arrive(keptReset, showReset))
	r.OpenPost("/reset", reset)
	r.OpenGet("/confirm", arrive(keptConfirmation, showConfirmation))
	r.OpenPost("/confirm", confirm)
	r.OpenGet("/invitation", arrive(keptInvitation, showInvitation))
	r.Post("/invitation", acceptInvitation)
	r.OpenPost("/invitation/login", joinLoggingIn)
	r.OpenPost("/invitation/join", joinSigningUp)
}

// showLogin is the login. It leads on at once for a person who is logged in.
func showLogin(r *page.Request) error {
	if r.User != nil {
		return r.Go(page.Next(r.Query.Get("next")), "")
	}
	return r.Show(view.Login(r.Text, view.LoginForm{Next: page.Next(r.Query.Get("next"))}))
}

// logIn begins a session and leads to where the person was going. What a form had sent before the
// login is shown to be sent again.
func logIn(r *page.Request) error {
	form := view.LoginForm{Email: r.Form.Text("email"), Next: page.Next(r.Form.Get("next")), Kept: keptFields(r.Form.Values)}
	made, err := r.Login(form.Email, r.Form.Get("password"))
	switch {
	case fault.Is(err, fault.Unauthenticated), fault.Is(err, fault.Invalid):
		form.Error = r.Text.T("login.refused")
		return r.Status(http.StatusUnprocessableEntity).Show(view.Login(r.Text, form))
	case fault.Is(err, fault.TooMany):
		form.Error = tooMany(r, err)
		return r.Status(http.StatusTooManyRequests).Show(view.Login(r.Text, form))
	case err != nil:
		return err
	}
	if err := r.LogIn(made); err != nil {
		return err
	}
	if len(form.Kept) > 0 {
		return r.Show(view.Resend(r.Text, form.Next, form.Kept))
	}
	if form.Next == page.Root+"/" {
		return r.Go(home(r), "")
	}
	return r.Go(form.Next, "")
}

// showLoggedIn ends a login in a tab of its own: the tab that it was opened from goes on.
func showLoggedIn(r *page.Request) error {
	return r.Show(view.Page{Title: r.Text.T("logged_in"), Content: loggedIn(r.Text)})
}

func minutes(wait time.Duration) int { return int((wait + time.Minute - 1) / time.Minute) }

// keptFields returns the fields of a form that the login interrupted; nil for none.
func keptFields(form url.Values) url.Values {
	var values url.Values
	for name, given := range form {
		if name, found := strings.CutPrefix(name, view.KeptPrefix); found {
			if values == nil {
				values = url.Values{}
			}
			values[name] = given
		}
	}
	return values
}

// logOut ends the session in this browser, and at the admin service if that can be reached. It
// leads to the login, or to the page that the form names.
func logOut(r *page.Request) error {
	if r.User != nil {
		err := r.Admin().Logout()
		if err != nil && !fault.Is(err, fault.Unauthenticated) {
			r.Warn("a session cannot be ended at the admin service", err)
		}
	}
	r.LogOut()
	if next := r.Form.Get("next"); next != "" {
		return r.Go(page.Next(next), "")
	}
	return r.Go(page.Root+"/login", "logged_out")
}
