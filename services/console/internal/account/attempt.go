package account

import (
	"net/http"

	"litfass/pkg/chassis/fault"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// attempt is a form of a page that was sent and not right: the page shows it as it was typed, and
// its other forms as they are stored.
type attempt struct {
	form    string // its id; "" for none
	given   page.Form
	errors  view.Errors
	problem string // with the whole form; "" for none
}

// value returns the value of a field of a form.
func (a attempt) value(form, field, stored string) string {
	if a.form == form {
		return a.given.Get(field)
	}
	return stored
}

// of returns the errors of the fields of a form.
func (a attempt) of(form string) view.Errors {
	if a.form == form {
		return a.errors
	}
	return nil
}

// with returns the error of a form as a whole.
func (a attempt) with(form string) string {
	if a.form == form {
		return a.problem
	}
	return ""
}

// refused returns the attempt after an error of the service, and whether the page can be shown with
// it; any other error has a page of its own. password is the field of the present password.
func refused(r *page.Request, form, password string, err error) (attempt, bool) {
	a := attempt{form: form, given: r.Form, errors: view.Errors{}}
	switch f := fault.Of(err); {
	case f.Kind == fault.Invalid:
		a.errors = view.ErrorsOf(err)
	case f.StableCode() == "wrong_password":
		a.errors[password] = r.Text.T("password.wrong")
	case f.Kind == fault.TooMany:
		a.problem = tooMany(r, err)
	case f.Kind == fault.TooLarge:
		a.problem = r.Text.T("error.text.too_large")
	case f.Kind == fault.Conflict:
		a.problem = f.Message
	default:
		return a, false
	}
	return a, true
}

// status returns the status of a page that shows an attempt.
func (a attempt) status() int {
	if a.form == "" {
		return http.StatusOK
	}
	return http.StatusUnprocessableEntity
}
