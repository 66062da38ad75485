package account

import (
	"net/url"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// The pages of the own account.
const (
	pageAccount  = page.Root + "/account"
	pageSecurity = pageAccount + "/security"
	pageKeys     = pageAccount + "/keys"
	PageWebhooks = pageAccount + "/webhooks" // of package webhook
	pageData     = pageAccount + "/data"
)

// mountOwn adds the pages of the own account.
func mountOwn(r page.Router) {
	r.Get("/account", func(r *page.Request) error { return showOwn(r, attempt{}) })
	r.Post("/account/names", saveNames)
	r.Post("/account/email", saveEmail)
	r.Post("/account/settings", saveSettings)
	r.Post("/account/avatar", saveAvatar)
	r.Post("/account/avatar/delete", deleteAvatar)
	r.Get("/account/security", func(r *page.Request) error { return showSecurity(r, attempt{}) })
	r.Post("/account/password", savePassword)
	r.Post("/account/session/:session/end", endSession)
	r.Get("/account/keys", func(r *page.Request) error { return showKeys(r, attempt{}) })
	r.Post("/account/keys", makeKey)
	r.Post("/account/key/:key/name", renameKey)
	r.Get("/account/key/:key/revoke", askRevoke)
	r.Post("/account/key/:key/revoke", revokeKey)
	r.Get("/account/data", showData)
	r.Get("/account/export", export)
	r.Get("/account/delete", func(r *page.Request) error { return askDelete(r, attempt{}) })
	r.Post("/account/delete", deleteOwn)
}

// showOwn is the page of names, image, e-mail address, language and theme.
func showOwn(r *page.Request, a attempt) error {
	stored, err := r.Admin().Profile()
	if err != nil {
		return err
	}
	return r.Status(a.status()).Show(view.Page{
		Title: r.Text.T("nav.account"), Section: view.SectionAccount, Content: own(r.Text, stored, a),
	})
}

// changeProfile changes the profile, and copies it into the session.
func changeProfile(r *page.Request, fields map[string]any) error {
	written, err := r.Admin().ChangeProfile(fields)
	return remember(r, written, err)
}

// remember copies the stored profile into the session after a change.
func remember(r *page.Request, written adminapi.WrittenProfile, err error) error {
	if err != nil {
		return err
	}
	changed := *r.User
	changed.Name, changed.Locale, changed.Theme = string(written.DisplayName), written.Locale, written.Theme
	return r.LogIn(&changed)
}

// answer leads back to a page after a form was saved, or shows the page with the errors.
func answer(r *page.Request, form string, err error, back, notice string, show func(*page.Request, attempt) error) error {
	if err == nil {
		return r.Go(back, notice)
	}
	if a, shown := refused(r, form, "password", err); shown {
		return show(r, a)
	}
	return err
}

func saveNames(r *page.Request) error {
	err := changeProfile(r, map[string]any{
		"display_name": r.Form.TextOrNil("display_name"),
		"first_name":   r.Form.TextOrNil("first_name"), "last_name": r.Form.TextOrNil("last_name"),
	})
	return answer(r, "names", err, pageAccount+"#names", "saved", showOwn)
}

// saveEmail asks for another address, which takes effect once the mailed link is opened.
func saveEmail(r *page.Request) error {
	email, password := r.Form.Text("email"), r.Form.Get("password")
	if errors := missing(r, "email", email, "password", password); len(errors) > 0 {
		return showOwn(r, attempt{form: "email-form", given: r.Form, errors: errors})
	}
	err := changeProfile(r, map[string]any{"email": email, "password": password})
	return answer(r, "email-form", err, pageAccount+"#email-form", "email_pending", showOwn)
}

func saveSettings(r *page.Request) error {
	written, err := r.Admin().ChangeSettings(adminapi.Settings{Locale: r.Form.Get("locale"), Theme: r.Form.Get("theme")})
	return answer(r, "settings", remember(r, written, err), pageAccount+"#settings", "saved", showOwn)
}

func saveAvatar(r *page.Request) error {
	file, err := r.Form.File("avatar")
	if err != nil {
		return err
	}
	if file == nil {
		errors := view.Errors{"avatar": r.Text.T("avatar.required")}
		return showOwn(r, attempt{form: "picture", given: r.Form, errors: errors})
	}
	err = r.Admin().UploadAvatar(file.Type, file.Content)
	return answer(r, "picture", err, pageAccount+"#picture", "saved", showOwn)
}

func deleteAvatar(r *page.Request) error {
	err := r.Admin().DeleteAvatar()
	return answer(r, "picture", err, pageAccount+"#picture", "saved", showOwn)
}

// avatarAddress returns the address of an avatar on this host: the gateway leads it to the admin
// service, which shows avatars to everyone.
func avatarAddress(profile adminapi.Profile) string {
	address, err := url.Parse(string(profile.AvatarURL))
	if err != nil || !strings.HasPrefix(address.Path, "/api/user/") {
		return ""
	}
	return address.RequestURI()
}
