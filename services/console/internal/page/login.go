package page

import (
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"litfass/services/console/internal/view"
)

// logIn leads to the login, and from there back. The input of a form is kept on the way: a page
// sends it again after the login.
func (r *Request) logIn() error {
	ended := r.User != nil
	r.LogOut()
	if r.Script {
		return r.alertLoggedOut()
	}
	if len(withoutPasswords(r.Form.Values)) > 0 {
		return r.keepInput()
	}
	address := Root + "/login?next=" + url.QueryEscape(withQuery(r.pageAddress()))
	if ended {
		address = withNotice(address, "session_ended")
	}
	return r.Go(address, "")
}

// alertLoggedOut has a script show that the session has ended, next to the input.
func (r *Request) alertLoggedOut() error {
	r.toAlert()
	return r.Status(http.StatusUnauthorized).ShowPart(view.LoggedOut(r.Text))
}

// toAlert has a script show the answer as the alert of the page. In the place that the script asked
// for, it would replace a form or the fields of one.
func (r *Request) toAlert() {
	r.Header("HX-Retarget", "#alert")
	r.Header("HX-Reswap", "innerHTML")
}

// headerPerson names the person for whom a page was made in the requests of its scripts.
const headerPerson = "Litfass-Person"

// fieldPerson is that person in a form that leads to another page.
const fieldPerson = "page_person"

// otherPerson reports whether another person has logged in since the page was made: the input of
// the first one is not saved under the second one's name.
func (r *Request) otherPerson() bool {
	person := r.Form.Get(fieldPerson)
	if r.Script {
		person = r.c.Get(headerPerson)
	}
	return r.User != nil && person != "" && person != strconv.Itoa(r.User.UserID)
}

// askPerson asks the person for whom a page was made to log in, and keeps the input. The other one
// stays logged in.
func (r *Request) askPerson() error {
	if r.Script {
		return r.alertLoggedOut()
	}
	return r.keepInput()
}

// keepInput shows the login with the input of the form, which a page sends again afterwards.
func (r *Request) keepInput() error {
	form := view.LoginForm{Next: withQuery(r.Path, r.Query), Kept: withoutPasswords(r.Form.Values)}
	return r.Status(http.StatusUnauthorized).Show(view.Login(r.Text, form))
}

// Next returns where a login leads: the page of the console that is asked for, else the start. No
// other address passes, so that no link leads through the login to another site.
func Next(asked string) string {
	address, err := url.Parse(asked)
	if err != nil || address.IsAbs() || address.Host != "" || address.User != nil || address.Opaque != "" ||
		strings.ContainsAny(asked, "\\\x00\r\n\t") || path.Clean(address.Path) != strings.TrimSuffix(address.Path, "/") ||
		address.Path != Root && !strings.HasPrefix(address.Path, Root+"/") {
		return Root + "/"
	}
	return address.String()
}

// withoutPasswords returns the fields of a form that may stand in a page.
func withoutPasswords(form url.Values) url.Values {
	kept := url.Values{}
	for name, values := range form {
		if !strings.Contains(name, "password") {
			kept[name] = values
		}
	}
	return kept
}
