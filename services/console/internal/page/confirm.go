package page

import (
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/view"
)

// DeleteConfirmed runs a deletion with the password of the form. errors are for the form when it
// was refused; other errors have a page of their own.
func (r *Request) DeleteConfirmed(deletion client.Delete) (errors view.Errors, err error) {
	password := r.Form.Get("password")
	if password == "" {
		return view.Errors{"password": r.Text.T("confirm.missing")}, nil
	}
	err = deletion(password)
	if errors = view.Unconfirmed(r.Text, err); errors != nil {
		return errors, nil
	}
	return nil, err
}
