package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/view"
)

var errEnded = adminapi.Error{Error: "ended", Code: "unauthenticated"}

// mountReply adds a page with a form that is answered at a path of its own: it is refused as its
// field "how" says.
func mountReply(r page.Router) {
	show := func(r *page.Request) error {
		return r.Show(view.Page{Title: "Message", Content: view.Button("Reply")})
	}
	r.Get("/message/:message", show)
	r.Post("/message/:message/reply", func(r *page.Request) error {
		switch r.Form.Get("how") {
		case "refused":
			return show(r.Status(http.StatusUnprocessableEntity))
		case "unavailable":
			return fault.New(fault.Unavailable, "", "not now")
		}
		return show(r)
	})
	r.Get("/keys", show)
	r.Post("/keys", show)
}

// TestLinksOfAnswersToFormsLeadToAPage: those to other languages, to try again and of the login.
func TestLinksOfAnswersToFormsLeadToAPage(t *testing.T) {
	c := pagetest.Start(t, mountReply)
	for from, want := range map[string]string{
		"http://example.com/console/message/5?page=2&notice=sent": "/console/message/5?page=2",
		"http://example.com/console/message/5/reply":              "/console/message/5", // a refused form, which is sent again
		"http://example.com/elsewhere":                            "/console/message/5",
		"http://evil.example/console/message/6":                   "/console/message/5",
		"":                                                        "/console/message/5",
	} {
		path, query, _ := strings.Cut(want, "?")
		other := strings.TrimSuffix(path+"?lang=de&amp;"+query, "&amp;")
		form := url.Values{"how": {"refused"}}
		if got := c.Post("/console/message/5/reply", form, "Referer", from); !strings.Contains(got.Body, `href="`+other+`"`) {
			t.Errorf("from %q the page in German is not %s: %s", from, other, got.Body)
		}
		form.Set("how", "unavailable")
		got := c.Post("/console/message/5/reply", form, "Referer", from)
		if got.Status != http.StatusServiceUnavailable || !strings.Contains(got.Body, `<a class="button" href="`+want+`">Try again`) {
			t.Errorf("from %q: %d, no way to %s: %s", from, got.Status, want, got.Body)
		}
	}
	if got := c.Post("/console/keys", url.Values{}); !strings.Contains(got.Body, `href="/console/keys?lang=de"`) {
		t.Errorf("a form at the path of its page leads elsewhere: %s", got.Body)
	}
}

// TestALoginWithoutFieldsToKeepLeadsToAPage: a form that is empty or has only a password is not
// sent again.
func TestALoginWithoutFieldsToKeepLeadsToAPage(t *testing.T) {
	c := pagetest.Start(t, mountReply)
	c.Forget()
	for _, form := range []url.Values{nil, {"password": {"secret"}}} {
		got := c.Post("/console/message/5/reply", form, "Referer", "http://example.com/console/message/5")
		if want := "/console/login?next=%2Fconsole%2Fmessage%2F5"; got.Status != http.StatusSeeOther || got.Header.Get("Location") != want {
			t.Errorf("%v: %d to %q, want %q", form, got.Status, got.Header.Get("Location"), want)
		}
	}
	got := c.Post("/console/message/5/reply", url.Values{"text": {"Jazz"}}, "Referer", "http://example.com/console/message/5")
	if want := `name="next" value="/console/message/5/reply"`; !strings.Contains(got.Body, want) {
		t.Errorf("a form with text is not sent again: %s", got.Body)
	}
}

// TestAPageNamesTheFormThatWasTaken: scripts keep what was typed until then.
func TestAPageNamesTheFormThatWasTaken(t *testing.T) {
	c := pagetest.Start(t, mountReply)
	const mark = `data-taken="/console/message/5/reply"`
	for how, taken := range map[string]bool{"": true, "refused": false, "unavailable": false} {
		got := c.Post("/console/message/5/reply", url.Values{"how": {how}})
		if strings.Contains(got.Body, mark) != taken {
			t.Errorf("%q: %d %s", how, got.Status, got.Body)
		}
	}
	if got := c.Get("/console/message/5"); strings.Contains(got.Body, "data-taken") {
		t.Errorf("a page without a form: %s", got.Body)
	}
}

// TestTheEndOfTheLoginIsAnAlert: the answer to a script takes the place of no form.
func TestTheEndOfTheLoginIsAnAlert(t *testing.T) {
	c := pagetest.Start(t, mount)
	answers := []pagetest.Answer{c.Post("/console/profile", nil, append([]string{"Litfass-Person", "8"}, pagetest.Script...)...)}
	c.Forget()
	answers = append(answers, c.Post("/console/profile", nil, pagetest.Script...), c.Get("/console/profile", pagetest.Script...))
	for _, got := range answers {
		target, swap := got.Header.Get("HX-Retarget"), got.Header.Get("HX-Reswap")
		if got.Status != http.StatusUnauthorized || target != "#alert" || swap != "innerHTML" || !strings.Contains(got.Body, "data-logged-out") {
			t.Errorf("%d into %q by %q: %s", got.Status, target, swap, got.Body)
		}
	}
}

// TestAnEndedLoginOpensOpenPages: for example the pages that links in mails open.
func TestAnEndedLoginOpensOpenPages(t *testing.T) {
	c := pagetest.Start(t, func(r page.Router) {
		r.OpenGet("/reset", func(r *page.Request) error {
			return r.Show(view.Page{Title: "Reset", Content: view.Button("Set the password")})
		})
	})
	c.Refuse("GET /api/admin/user/attention", http.StatusUnauthorized, errEnded)
	for range 2 { // the second time without a login
		got := c.Get("/console/reset")
		if got.Status != http.StatusOK || !strings.Contains(got.Body, "Set the password") || strings.Contains(got.Body, "data-user") {
			t.Errorf("%d to %q: %s", got.Status, got.Header.Get("Location"), got.Body)
		}
	}
}
