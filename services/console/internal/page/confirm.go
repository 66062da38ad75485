package page

import (
	"net/http"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/view"
)

// DeleteConfirmed deletes what a path of the admin service names, with the password that the form
// confirms it by. errors are what the form shows when it was refused; other errors have a page of
// their own.
func (r *Request) DeleteConfirmed(path string) (errors view.Errors, err error) {
	password := r.Form.Get("password")
	if password == "" {
		return view.Errors{"password": r.Text.T("confirm.missing")}, nil
	}
	_, err = r.Send(http.MethodDelete, path, "", adminapi.Confirmation{Password: password}, nil)
	if errors = view.Unconfirmed(r.Text, err); errors != nil {
		return errors, nil
	}
	return nil, err
}
