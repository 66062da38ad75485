package console

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/client"
)

// testRoles: each page answers each role as its row says, offers the forms that the role may send,
// and refuses all others when they are sent all the same.
func (c *consoleTest) testRoles(t *testing.T) {
	c.visitors = map[string]visitor{nobodyIn: c.visitorOf(t, []byte(`{}`))}
	for role, state := range c.states {
		c.visitors[role] = c.visitorOf(t, state)
	}
	found := offered{}
	for _, role := range consoleRoles {
		for _, row := range c.scene.pages() {
			answer := c.visitors[role].get(t, row.path)
			if want := row.want(role); answer.Status != want {
				t.Errorf("%s: %s has %d, want %d", c.scene.named(row.path), role, answer.Status, want)
			}
			c.wantPrivate(t, role, row, answer)
			found.add(role, formsOf(t, answer.Body))
		}
		plain := c.visitors[role].withoutScripts().get(t, "/console/event/"+c.scene.draft)
		found.add(role, formsOf(t, plain.Body))
	}
	c.wantOffers(t, found)
	for action, roles := range c.scene.unseen() {
		found[action] = roles
	}
	c.wantEveryRoute(t, found)
	c.wantNothingChanges(t, func() {
		c.wantLogin(t, found)
		c.wantForgedRefused(t, found)
		c.wantForeignRefused(t)
	})
	c.wantPrivateLogin(t)
}

// nobodyIn is the role of a person without a login.
const nobodyIn = "visitor"

// wantLogin: each page leads a person without a login to it, and no form does anything.
func (c *consoleTest) wantLogin(t *testing.T, found offered) {
	t.Helper()
	visitor := c.visitors[nobodyIn]
	for _, row := range c.scene.pages() {
		answer := visitor.get(t, row.path)
		if answer.Status != http.StatusSeeOther || !strings.HasPrefix(answer.Header.Get("Location"), "/console/login?next=") {
			t.Errorf("%s without a login: %d, to %q", c.scene.named(row.path), answer.Status, answer.Header.Get("Location"))
		}
	}
	for action, roles := range found {
		answer := visitor.post(t, anyOf(roles))
		login := answer.Status == http.StatusUnauthorized || strings.HasPrefix(answer.Header.Get("Location"), "/console/login?")
		if !login {
			t.Errorf("%s is sent without a login: %d, to %q", c.scene.named(action), answer.Status, answer.Header.Get("Location"))
		}
	}
}

// anyOf returns the form as the first of those sees it to whom it is offered.
func anyOf(roles map[string]form) form {
	return roles[slices.Sorted(maps.Keys(roles))[0]]
}

// refused reports whether an answer leaves the request of a form undone. Personal resources have no
// permissions: they do not exist for others, and a missing resource counts as deleted. The last
// owner of an organization cannot leave it.
func refused(action string, answer client.Answer) bool {
	switch answer.Status {
	case http.StatusForbidden, http.StatusNotFound:
		return true
	case http.StatusUnprocessableEntity:
		return strings.HasPrefix(action, "/console/account/key/")
	case http.StatusConflict:
		return strings.HasSuffix(action, "/leave")
	case http.StatusSeeOther:
		return deleting.MatchString(action)
	}
	return false
}

// deleting matches forms that delete what is one's own.
var deleting = regexp.MustCompile(`^/console/(messages|todos)/\d+/delete$`)

// wantForgedRefused sends every form as those to whom no page offers it, once as the page has it
// and once empty: the permission comes before what is wrong with the form.
func (c *consoleTest) wantForgedRefused(t *testing.T, found offered) {
	t.Helper()
	for _, action := range slices.Sorted(maps.Keys(found)) {
		for _, role := range consoleRoles {
			if _, own := found[action][role]; own {
				continue
			}
			for _, f := range []form{anyOf(found[action]), {action: action}} {
				if answer := c.visitors[role].post(t, f); !refused(action, answer) {
					t.Errorf("%s sends %s, which is offered to %v alone: %d", role, c.scene.named(action), found.to(action), answer.Status)
				}
			}
		}
	}
}

// wantNothingChanges compares what is stored before and after something.
func (c *consoleTest) wantNothingChanges(t *testing.T, something func()) {
	t.Helper()
	before := c.stored(t)
	something()
	after := c.stored(t)
	for of, was := range before {
		if is := after[of]; is != was {
			t.Errorf("%s has changed from\n%.2000s\nto\n%.2000s", of, was, is)
		}
	}
}

// storedPaths are the operations that read all that forms could change of an organization.
func (e estate) storedPaths() []string {
	org := "/organization/" + e.org
	return []string{
		org, org + "/team", org + "/venues", org + "/api-keys?limit=200", org + "/events?limit=200", org + "/audit?limit=1",
		"/venue/" + e.venue, "/space/" + e.space, "/event/" + e.event, "/event/" + e.draft,
	}
}

// ownPaths are the operations that read a person's own resources.
var ownPaths = []string{
	"/user/profile", "/user/messages", "/user/todos", "/user/api-keys", "/user/invitations", "/user/memberships",
}

// moving matches what changes as people go about.
var moving = regexp.MustCompile(`"(last_active_at|last_used_at)":("[^"]*"|null)`)

// stored returns all that the forms of the pages could change, by the person and the path.
func (c *consoleTest) stored(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	read := func(role string, paths []string) {
		for _, path := range paths {
			answer, err := c.scene.editors[role].Ask(t.Context(), http.MethodGet, path, "")
			if err != nil || answer.Status != http.StatusOK {
				t.Fatalf("%s of %s: %d %v", path, role, answer.Status, err)
			}
			all[fmt.Sprintf("%s of %s", path, role)] = moving.ReplaceAllString(string(answer.Body), "")
		}
	}
	for _, role := range consoleRoles {
		read(role, ownPaths)
	}
	read("owner", c.scene.storedPaths())
	read("stranger", c.scene.foreign.storedPaths())
	read("administrator", []string{"/people?limit=200", "/reports", "/mails", "/organizations?limit=200"})
	return all
}
