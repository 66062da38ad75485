package account

import (
	"net/url"
	"strings"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// showSecurity is the page of the password and of the logins.
func showSecurity(r *page.Request, a attempt) error {
	sessions, err := r.Admin().Sessions(view.Paged(url.Values{"page": r.Query["page"]}))
	if err != nil {
		return err
	}
	return r.Status(a.status()).Show(view.Page{
		Title: r.Text.T("security"), Section: view.SectionAccount, Content: security(r, sessions, a),
	})
}

// savePassword sets another password. All other logins end, and the personal API keys with them.
func savePassword(r *page.Request) error {
	body := adminapi.ChangedPassword{Password: r.Form.Get("password"), NewPassword: r.Form.Get("new_password")}
	if errors := missing(r, "password", body.Password, "new_password", body.NewPassword); len(errors) > 0 {
		return showSecurity(r, attempt{form: "password-form", given: r.Form, errors: errors})
	}
	changed, err := r.Admin().ChangePassword(body)
	notice := "password_changed"
	if changed.RevokedAPIKeys > 0 {
		notice = "password_changed_keys"
	}
	return answer(r, "password-form", err, pageSecurity, notice, showSecurity)
}

// endSession ends a login elsewhere, or this one.
func endSession(r *page.Request) error {
	session, err := r.UUID("session")
	if err != nil {
		return err
	}
	if err := r.Admin().EndSession(session); err != nil {
		return err
	}
	return r.Go(pageSecurity+"#sessions", "session_closed")
}

// browsers and systems map parts of User-Agent to names, more specific ones first: Edge also sends
// Chrome/.
var (
	browsers = [][2]string{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser", "Samsung Internet"}, {"Firefox/", "Firefox"}, {"FxiOS", "Firefox"},
		{"CriOS", "Chrome"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
	}
	systems = [][2]string{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"CrOS", "ChromeOS"}, {"Windows", "Windows"},
		{"Mac OS X", "macOS"}, {"Linux", "Linux"},
	}
)

// device describes the client of a session: "Firefox, Windows", or its own name.
func device(t *text.Texts, session adminapi.Session) string {
	agent := string(session.UserAgent)
	if agent == "" {
		return t.T("session.unknown")
	}
	var parts []string
	for _, table := range [][][2]string{browsers, systems} {
		for _, entry := range table {
			if strings.Contains(agent, entry[0]) {
				parts = append(parts, entry[1])
				break
			}
		}
	}
	if len(parts) == 0 {
		return agent
	}
	return strings.Join(parts, ", ")
}

// moment writes a day and a time of the day in the console's zone.
func moment(r *page.Request, at time.Time) string {
	return view.Moment(r.Text, at.In(r.Now.Location()))
}
