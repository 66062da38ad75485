package account

import (
	"net/http"

	"litfass/pkg/chassis/fault"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// The names of values that a browser keeps on the way to an account: the tokens of links in mails,
// the address that a mail was sent to, and the name that a person signed up with: the service takes
// it only from the bearer of the mail's link.
const (
	keptActivation   = "activate"
	keptReset        = "reset"
	keptConfirmation = "confirm"
	keptInvitation   = "invitation"
	keptEmail        = "email"
	keptName         = "name"
)

// arrive moves the token from the URL to a cookie, so that it stays out of the history, Referer and
// bookmarks, and then shows the page for it.
func arrive(name string, show func(r *page.Request, token string) error) page.Handler {
	return func(r *page.Request) error {
		if token := r.Query.Get("token"); token != "" {
			if err := r.Keep(name, token); err != nil {
				return err
			}
			return r.Go(r.Path, "")
		}
		token := r.Kept(name)
		if token == "" {
			return broken(r, name)
		}
		return show(r, token)
	}
}

// broken shows that a link does not work, and how to get another one.
func broken(r *page.Request, name string) error {
	r.Drop(name)
	return r.Status(http.StatusNotFound).Show(view.Page{
		Title: r.Text.T("link.broken"), Content: brokenLink(r.Text, name),
	})
}

// isBroken reports whether a token was refused as unknown, used or expired.
func isBroken(err error) bool {
	return fault.Is(err, fault.Invalid) && fault.Of(err).StableCode() == "token_invalid"
}
