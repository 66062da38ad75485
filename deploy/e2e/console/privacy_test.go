package console

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/local/stack"
)

// tokens are what gives access, wherever it stands: signed tokens, API keys, links of mails.
var tokens = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{10,}|[?&]token=[A-Za-z0-9_-]{10,}`)

// addresses are e-mail addresses of people.
var addresses = regexp.MustCompile(`[a-z]+@example\.org`)

// languageCode is all that the cookie of the language holds.
var languageCode = regexp.MustCompile(`^[a-z]{2}$`)

// writtenMail matches what the admin service logs of mails that it writes to a folder instead of
// sending them, so that developers find their links.
var writtenMail = regexp.MustCompile(`msg="mail written" service=admin `)

// testLogs: no log holds anything that gives access, and none holds anything of people. It comes
// last.
func (c *consoleTest) testLogs(t *testing.T) {
	secrets := []*regexp.Regexp{tokens, addresses, regexp.MustCompile("planted")}
	for _, secret := range c.scene.secrets {
		secrets = append(secrets, regexp.MustCompile(regexp.QuoteMeta(secret)))
	}
	for _, service := range []string{stack.Console, stack.Admin, stack.Query, stack.Projector, stack.Site} {
		log, err := os.ReadFile(c.LogFile(service))
		if err != nil || len(log) == 0 {
			t.Fatalf("the log of %s has %d bytes: %v", service, len(log), err)
		}
		for _, secret := range secrets {
			for line := range strings.SplitSeq(string(log), "\n") {
				if secret.MatchString(line) && !writtenMail.MatchString(line) {
					t.Errorf("the log of %s matches %s: %s", service, secret, line)
				}
			}
		}
	}
}

// wantPrivate checks that an answer holds nothing that gives access, no address of another person
// unless it is a page that shows them to this role, and that no cache keeps it.
func (c *consoleTest) wantPrivate(t *testing.T, role string, row consolePage, answer client.Answer) {
	t.Helper()
	page, name := string(answer.Body), c.scene.named(row.path)
	if found := tokens.FindString(page); found != "" {
		t.Errorf("%s: the page for %s holds %s", name, role, found)
	}
	for _, secret := range c.scene.secrets {
		if strings.Contains(page, secret) {
			t.Errorf("%s: the page for %s holds %s", name, role, secret)
		}
	}
	others := func(found string) bool {
		return found != c.scene.people[role].Email && !slices.Contains(row.addresses, role)
	}
	if all := addresses.FindAllString(page, -1); slices.ContainsFunc(all, others) {
		t.Errorf("%s: the page for %s holds %v", name, role, all)
	}
	if role == "stranger" && row.private && strings.Contains(page, "Verein") {
		t.Errorf("%s shows a stranger the name of the organization", name)
	}
	wantHeaders(t, name, answer)
}

// wantHeaders checks that no cache keeps an answer, and that no other site learns its address.
func wantHeaders(t *testing.T, name string, answer client.Answer) {
	t.Helper()
	want := map[string]string{
		"Cache-Control": "no-store", "Referrer-Policy": "same-origin", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff",
		"X-Robots-Tag": "noindex",
	}
	if strings.HasPrefix(answer.Header.Get("Content-Type"), "image/") { // the browser asks each time whether it may still be shown
		want["Cache-Control"] = "private, no-cache"
	}
	for key, value := range want {
		if got := answer.Header.Get(key); !strings.HasPrefix(got, value) {
			t.Errorf("%s has %s %q, want %q", name, key, got, value)
		}
	}
}

// wantPrivateLogin checks the cookies of a login and of a link from a mail, and that nothing is
// left of a login after its end.
func (c *consoleTest) wantPrivateLogin(t *testing.T) {
	t.Helper()
	person, visitor := c.scene.people["writer"], c.visitors[nobodyIn]
	answer := visitor.post(t, form{"/console/login", url.Values{"email": {person.Email}, "password": {person.Password}, "next": {"/console/account"}}})
	cookies := wantSealed(t, answer)
	if answer.Status != http.StatusSeeOther || len(cookies) != 1 {
		t.Fatalf("the login: %d, %d cookies", answer.Status, len(cookies))
	}
	visitor.cookie = cookies[0].Name + "=" + cookies[0].Value
	if shown := visitor.get(t, "/console/account"); shown.Status != http.StatusOK || !strings.Contains(string(shown.Body), person.Email) {
		t.Fatalf("the own account: %d", shown.Status)
	}
	left := visitor.post(t, form{action: "/console/logout"})
	if ended := wantSealed(t, left); len(ended) != 1 || ended[0].Value != "" {
		t.Errorf("the end of the login leaves the cookie %v", ended)
	}
	if shown := visitor.get(t, "/console/account"); shown.Status != http.StatusSeeOther || strings.Contains(string(shown.Body), person.Email) {
		t.Errorf("after the end of the login its cookie shows the account: %d", shown.Status)
	}
	for _, page := range []string{"activate", "reset", "confirm", "invitation"} {
		link := visitor.get(t, "/console/"+page+"?token=planted-token-of-a-mail")
		wantSealed(t, link)
		if to := link.Header.Get("Location"); link.Status != http.StatusSeeOther || to != "/console/"+page {
			t.Errorf("the link of a mail to %s: %d, to %q", page, link.Status, to)
		}
	}
}

// wantSealed checks that scripts, other sites and other paths get none of the cookies of an answer,
// and that all but a language are encrypted. It returns the encrypted ones.
func wantSealed(t *testing.T, answer client.Answer) []*http.Cookie {
	t.Helper()
	var sealed []*http.Cookie
	for _, cookie := range (&http.Response{Header: answer.Header}).Cookies() {
		if !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/console" || cookie.Domain != "" {
			t.Errorf("the cookie %s", cookie)
		}
		if cookie.Name == "litfass_language" {
			if !languageCode.MatchString(cookie.Value) {
				t.Errorf("the cookie %s is not a language", cookie)
			}
			continue
		}
		plain, err := base64.RawURLEncoding.DecodeString(cookie.Value)
		if err != nil || tokens.Match(plain) || addresses.Match(plain) || strings.Contains(string(plain), "planted") {
			t.Errorf("the cookie %s is not sealed: %v", cookie.Name, err)
		}
		sealed = append(sealed, cookie)
	}
	return sealed
}

// requestsArePrivate: nothing that gives access, and no address of a person, stands in an address
// that a browser keeps in its history. The links of mails lead on to one without their token.
func requestsArePrivate(url string, status int) error {
	if strings.Contains(url, "%40") || strings.Contains(url, "@") || strings.Contains(url, "password=") {
		return fmt.Errorf("the address %s is not private", url)
	}
	if status != http.StatusSeeOther && tokens.MatchString(url) {
		return fmt.Errorf("the address %s holds a token, and is shown with %d", url, status)
	}
	return nil
}
