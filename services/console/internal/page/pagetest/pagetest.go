// Package pagetest runs pages of the console over a fake admin service, for tests.
package pagetest

import (
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/seal"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/session"
	"litfass/services/console/internal/view"
)

// Org is the organization of the person who is logged in.
const Org = "0192f0a0-0000-7000-8000-000000000001"

// Now is the time in all tests.
var Now = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// Call is a request that the fake service got.
type Call struct {
	Method, Path string
	Query        url.Values
	Header       http.Header
	Body         []byte
}

// Console are pages over a fake service.
type Console struct {
	t       *testing.T
	app     *fiber.App
	cookies map[string]string

	mu      sync.Mutex
	answers map[string]func(Call) (status int, body any)
	calls   []Call
	reads   bool // every read is answered
}

// Start runs the pages that mount adds. The fake service knows one person, who is logged in and an
// owner of Org; Answer adds further answers. Anything else is 404.
func Start(t *testing.T, mount func(page.Router)) *Console {
	t.Helper()
	return StartIn(t, time.UTC, mount)
}

// StartIn is Start for a console in a zone.
func StartIn(t *testing.T, zone *time.Location, mount func(page.Router)) *Console {
	t.Helper()
	c := &Console{t: t, cookies: map[string]string{}, answers: map[string]func(Call) (int, any){}}
	service := httptest.NewServer(http.HandlerFunc(c.serve))
	t.Cleanup(service.Close)
	admin := client.New(service.URL, "", 5*time.Second)
	now := func() time.Time { return Now }
	deps := page.Deps{
		Admin: admin, Query: admin, Lookup: &lookup.Cache{}, Cookies: session.Cookies{Sealer: seal.New(make(seal.Secret, 32))},
		Refresher: session.NewRefresher(admin, now), Brand: view.Brand{Name: "Litfass"},
		Log: slog.New(slog.DiscardHandler), Now: now, Zone: zone,
	}
	c.app = web.New(web.Options{
		Service: "console", Log: deps.Log, ShowFailure: deps.ShowFailure, BodyLimit: 6 << 20, HeaderLimit: 32 << 10,
	})
	router := page.NewRouter(c.app, deps)
	router.OpenGet("/test-login", func(r *page.Request) error {
		return r.LogIn(&session.Session{
			Access: "access", Refresh: "refresh", Expires: Now.Add(time.Hour), UserID: 7, Name: "Anna", Locale: "en", Theme: "light",
		})
	})
	mount(router)
	c.Member(permission.All)
	c.Answer("GET /api/admin/user/attention", 200, adminapi.Attention{})
	c.Get(page.Root + "/test-login")
	c.cookies["litfass_scripts"] = "1"
	return c
}

// Member makes the person a member of Org with these permissions.
func (c *Console) Member(may permission.Set) { c.member(may, false) }

// LastOwner makes the person the only owner of Org.
func (c *Console) LastOwner() { c.member(permission.All, true) }

func (c *Console) member(may permission.Set, lastOwner bool) {
	c.Answer("GET /api/admin/user/memberships", 200, adminapi.Memberships{Memberships: []adminapi.Membership{{
		UUID: "0192f0a0-0000-7000-8000-0000000000aa", OrgUUID: Org, OrgName: "Speicher",
		Role: permission.RoleOf(may), Permissions: value.Mask(may), LastOwner: lastOwner,
	}}})
}

// Answer has the service answer an operation, such as "GET /api/admin/user/profile".
func (c *Console) Answer(operation string, status int, body any) {
	c.AnswerWith(operation, func(Call) (int, any) { return status, body })
}

// AnswerWith has the service answer an operation as a function says.
func (c *Console) AnswerWith(operation string, answer func(Call) (status int, body any)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answers[operation] = answer
}

// Refuse has the service refuse an operation.
func (c *Console) Refuse(operation string, status int, refusal adminapi.Error) {
	c.Answer(operation, status, refusal)
}

// AnswerReads has the service answer every read that no Answer names with an object without fields.
func (c *Console) AnswerReads() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reads = true
}

// Writes returns the requests that change something.
func (c *Console) Writes() []Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(c.calls), func(call Call) bool { return call.Method == http.MethodGet })
}

// Pages returns the paths of all pages, such as "/console/event/:event".
func (c *Console) Pages() (paths []string) {
	for _, route := range c.app.GetRoutes(true) {
		if route.Method == http.MethodGet && strings.HasPrefix(route.Path, page.Root) {
			paths = append(paths, route.Path)
		}
	}
	return paths
}

// Calls returns the requests for an operation that the service got; "" stands for all of them.
func (c *Console) Calls(operation string) []Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	var of []Call
	for _, call := range c.calls {
		if operation == "" || call.Method+" "+call.Path == operation {
			of = append(of, call)
		}
	}
	return of
}

func (c *Console) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		c.t.Error(err)
	}
	call := Call{r.Method, r.URL.Path, r.URL.Query(), r.Header, body}
	c.mu.Lock()
	c.calls = append(c.calls, call)
	answer, reads := c.answers[r.Method+" "+r.URL.Path], c.reads && r.Method == http.MethodGet
	c.mu.Unlock()
	status, content := http.StatusNotFound, any(adminapi.Error{Error: "there is no such thing", Code: "not_found"})
	switch {
	case answer != nil:
		status, content = answer(call)
	case reads:
		status, content = http.StatusOK, map[string]any{}
	}
	w.Header().Set("Etag", `"1"`)
	if r.Method != http.MethodGet {
		w.Header().Set(web.HeaderPosition, "7")
	}
	if file, is := content.(File); is {
		c.send(w, status, file.Type, file.Content)
		return
	}
	encoded, err := json.Marshal(content)
	if err != nil {
		c.t.Error(err)
	}
	c.send(w, status, "application/json", encoded)
}

// File is an answer of the fake service that is no JSON.
type File struct {
	Type    string
	Content []byte
}

func (c *Console) send(w http.ResponseWriter, status int, kind string, content []byte) {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	if len(content) == 0 {
		return
	}
	if _, err := w.Write(content); err != nil {
		c.t.Error(err)
	}
}

// Answer is the answer of the console.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Get asks for a page as a browser does. headers are pairs.
func (c *Console) Get(path string, headers ...string) Answer {
	c.t.Helper()
	return c.Do(httptest.NewRequestWithContext(c.t.Context(), http.MethodGet, path, nil), headers...)
}

// Post sends a form as a page of the console does. headers are pairs.
func (c *Console) Post(path string, form url.Values, headers ...string) Answer {
	c.t.Helper()
	request := httptest.NewRequestWithContext(c.t.Context(), http.MethodPost, path, strings.NewReader(form.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	return c.Do(request, headers...)
}

// Script are the headers of a request by a script of the page.
var Script = []string{"HX-Request", "true"}

// Do sends a request with the cookies of the browser, and stores the cookies of the answer.
func (c *Console) Do(request *http.Request, headers ...string) Answer {
	c.t.Helper()
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	for name, cookie := range maps.All(c.cookies) {
		request.AddCookie(&http.Cookie{Name: name, Value: cookie})
	}
	response, err := c.app.Test(request, -1)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, cookie := range response.Cookies() {
		c.cookies[cookie.Name] = cookie.Value
	}
	return Answer{response.StatusCode, response.Header, string(body)}
}

// WithoutScripts makes the browser one that runs no scripts.
func (c *Console) WithoutScripts() { delete(c.cookies, "litfass_scripts") }

// Forget drops the cookies of the browser.
func (c *Console) Forget() { clear(c.cookies) }
