package account

import (
	"crypto/rand"
	"net/http"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

func showSignup(r *page.Request) error {
	if r.User != nil {
		return r.Go(page.Root+"/", "")
	}
	return r.Show(signupPage(r, addressForm{}))
}

func signupPage(r *page.Request, form addressForm) view.Page {
	return view.Page{Title: r.Text.T("signup"), Content: signup(r.Text, form, r.Kept(keptInvitation) != "")}
}

// signUp asks for the mail with which an account is activated. The service checks a password here
// and stores none: an account gets the one that is chosen with the link of the mail, so people are
// only asked for it there.
func signUp(r *page.Request) error {
	return sendMail(r, mailPage{
		shown: signupPage, sent: signupSent,
		ask: func(email string) error {
			return r.Admin().Signup(adminapi.Credentials{Email: email, Password: rand.Text()})
		},
	})
}

func showForgot(r *page.Request) error {
	return r.Show(forgotPage(r, addressForm{Email: r.Kept(keptEmail)}))
}

func forgotPage(r *page.Request, form addressForm) view.Page {
	return view.Page{Title: r.Text.T("forgot"), Content: forgot(r.Text, form)}
}

// forget asks for the mail with which a forgotten password is replaced.
func forget(r *page.Request) error {
	return sendMail(r, mailPage{
		shown: forgotPage, sent: forgotSent,
		ask: func(email string) error { return r.Admin().ForgotPassword(adminapi.Address{Email: email}) },
	})
}

// addressForm is a form that asks for an e-mail address.
type addressForm struct {
	Name    string // of a new account
	Email   string
	Problem string // with the whole request; "" for none
	Errors  view.Errors
}

// mailPage is a page on which a mail is asked for.
type mailPage struct {
	ask   func(email string) error // has the mail sent
	shown func(r *page.Request, form addressForm) view.Page
	sent  func(r *page.Request, email string) view.Page
}

// maxKeptName is how many characters of a name fit a cookie. The form of the mail's link shows it
// to be corrected.
const maxKeptName = 200

// sendMail has a mail sent to the address of a form. The page afterwards does not depend on whether
// there is an account with the address.
func sendMail(r *page.Request, p mailPage) error {
	form := addressForm{Email: r.Form.Text("email"), Name: r.Form.Text("name")}
	if name := []rune(form.Name); len(name) > maxKeptName {
		form.Name = string(name[:maxKeptName])
	}
	if form.Email == "" {
		form.Errors = view.Errors{"email": r.Text.T("email.required")}
		return r.Status(http.StatusUnprocessableEntity).Show(p.shown(r, form))
	}
	err := p.ask(form.Email)
	switch {
	case fault.Is(err, fault.Invalid):
		form.Errors = view.ErrorsOf(err)
		return r.Status(http.StatusUnprocessableEntity).Show(p.shown(r, form))
	case fault.Is(err, fault.TooMany):
		form.Problem = tooMany(r, err)
		return r.Status(http.StatusTooManyRequests).Show(p.shown(r, form))
	case err != nil:
		return err
	}
	if err := r.Keep(keptEmail, form.Email); err != nil {
		return err
	}
	if form.Name != "" {
		if err := r.Keep(keptName, form.Name); err != nil {
			return err
		}
	}
	return r.Show(p.sent(r, form.Email))
}

func signupSent(r *page.Request, email string) view.Page {
	return view.Page{Title: r.Text.T("mail.sent"), Content: mailSent(r.Text, "signup", email)}
}

func forgotSent(r *page.Request, email string) view.Page {
	return view.Page{Title: r.Text.T("mail.sent"), Content: mailSent(r.Text, "forgot", email)}
}

// tooMany says when to try again.
func tooMany(r *page.Request, err error) string {
	return r.Text.With("login.too_many", "Minutes", max(minutes(fault.Of(err).RetryAfter), 1))
}
