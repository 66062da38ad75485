package view

import (
	"litfass/pkg/chassis/fault"
	"litfass/services/console/internal/text"
)

// Unconfirmed returns the form errors for a refused request that needs the password. It is nil if
// the error has its own page, and without an error.
func Unconfirmed(t *text.Texts, err error) Errors {
	switch f := fault.Of(err); {
	case err == nil:
		return nil
	case f.Code == "wrong_password":
		return Errors{"password": t.T("confirm.wrong")}
	case f.Code == "last_owner":
		return Errors{"": t.T("confirm.last_owner")}
	case f.Kind == fault.Conflict || f.Kind == fault.TooMany || f.Kind == fault.Stale:
		return Errors{"": f.Message}
	}
	return nil
}
