package console

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"litfass/deploy/e2e/browser"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/proc"
	"litfass/deploy/local/stack"
)

// consoleTest is a stack with people of every role, what they edit, and a browser.
type consoleTest struct {
	*harness.System
	browser *browser.Browser
	control string // address at which a journey has parts of the stack fail, see serveControl
	foreign string // another website, whose pages are empty
	scene   scene

	states   map[string]json.RawMessage // browsers of people who are logged in, by role
	visitors map[string]visitor         // the same people without scripts
}

// TestConsole walks through the console in a real browser, as organizers of every role and as
// attackers use it.
func TestConsole(t *testing.T) {
	t.Parallel() // with TestSite: both wait for a browser most of the time
	// All people log in from one address, and some of them often.
	options := stack.Options{Env: []string{"LOGIN_ATTEMPTS=1000", "SIGNUP_ATTEMPTS=1000"}}
	c := &consoleTest{System: harness.Ready(t, harness.Run(t, options)), browser: browser.Start(t)}
	c.control, c.foreign = c.serveControl(t), serveEmpty(t)
	c.scene = c.newScene(t)
	t.Run("login", c.testLogin)
	c.logAllIn(t)
	t.Run("first", c.testFirst)
	t.Run("newcomer", c.testNewcomer)
	t.Run("together", c.testTogether)
	t.Run("places", c.testPlaces)
	t.Run("museum", c.testMuseum)
	t.Run("kept", c.testKept)
	t.Run("lost", c.testLost)
	t.Run("import", c.testImport)
	t.Run("import choices", c.testImportChoices)
	t.Run("previews", c.testPreviews)
	t.Run("refused", c.testRefused)
	t.Run("publish", c.testPublish)
	t.Run("theatre", c.testTheatre)
	t.Run("roles", c.testRoles)
	t.Run("budgets", c.testBudgets)
	t.Run("other sites", c.testOtherSites)
	t.Run("uploads", c.testUploads)
	t.Run("look", c.testLook)
	t.Run("logs", c.testLogs)
}

// withAndWithoutScripts are the two ways of otherwise equal journeys. A journey finds the data of
// the journeys before: the order is fixed.
var withAndWithoutScripts = []struct {
	name    string
	scripts bool
}{{"scripts", true}, {"no scripts", false}}

// logAllIn logs in a person of each role.
func (c *consoleTest) logAllIn(t *testing.T) {
	t.Helper()
	result := c.walk(t, "console-sessions", true, map[string]any{"people": c.scene.people})
	if err := json.Unmarshal(result.Value, &c.states); err != nil {
		t.Fatal(err)
	}
}

// walk runs a journey through the console. scripts says whether pages have any.
func (c *consoleTest) walk(t *testing.T, name string, scripts bool, args map[string]any) browser.Result {
	t.Helper()
	return c.run(t, c.journey(name, scripts, args))
}

// run walks a journey, on which nothing private may stand in an address.
func (c *consoleTest) run(t *testing.T, j browser.Journey) browser.Result {
	t.Helper()
	result := c.browser.Run(t, j)
	for _, request := range result.Requests {
		if err := requestsArePrivate(request.URL, request.Status); err != nil {
			t.Errorf("%s: %v", j.Name, err)
		}
	}
	return result
}

// journey returns a journey with what all journeys of the console take.
func (c *consoleTest) journey(name string, scripts bool, args map[string]any) browser.Journey {
	args["scripts"], args["control"] = scripts, c.control
	args["mail"] = filepath.Join(filepath.Dir(c.LogFolder()), "mail")
	return browser.Journey{Name: name, Base: c.URL(), Args: args, Context: map[string]any{"javaScriptEnabled": scripts}}
}

// serveControl lets journeys stop and start a service, and lock an event: POST /stop/<service>,
// /start/<service>, /lock/<uuid> and /unlock/<uuid> answer when that is done.
func (c *consoleTest) serveControl(t *testing.T) (address string) {
	t.Helper()
	mux := http.NewServeMux()
	do := func(pattern string, work func(p *proc.Process) error) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := work(c.Process(r.PathValue("service"))); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		})
	}
	do("POST /stop/{service}", func(p *proc.Process) error { return p.Stop(t.Context()) })
	do("POST /start/{service}", func(p *proc.Process) error { return p.Start(t.Context()) })
	c.serveLocks(t, mux)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// serveEmpty serves another website. It is of the same site as the console in the sense of cookies,
// which browsers send by the name of a host without its port.
func serveEmpty(t *testing.T) (address string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(`<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,">`)) // the browser may be gone
	}))
	t.Cleanup(server.Close)
	return server.URL + "/"
}

// testLogin: people log in and out, with scripts and only a keyboard, and without scripts. No
// address leads through the login to another site.
func (c *consoleTest) testLogin(t *testing.T) {
	for _, scripts := range []bool{true, false} {
		c.walk(t, "console-login", scripts, map[string]any{"person": c.scene.people["viewer"]})
	}
	c.walk(t, "console-redirects", true, map[string]any{
		"person": c.scene.people["viewer"],
		"nexts": []string{
			"https://elsewhere.test/console/", "//elsewhere.test/console/", `/\elsewhere.test/console/`, "/console/..//elsewhere.test",
			"/console/%2e%2e/event/x", "javascript:planted=1", "/console\t//elsewhere.test", "data:text/html,<script>planted=1</script>",
		},
	})
}
