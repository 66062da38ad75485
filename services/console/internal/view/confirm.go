package view

import (
	"litfass/pkg/fault"
	"litfass/services/console/internal/text"
)

// Unconfirmed returns what a form with a password shows of why the admin service refused what it
// asked for: a wrong password, or what stands against it. It is nil for other errors.
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
