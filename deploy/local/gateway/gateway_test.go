package gateway

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// backend is a service that answers with its name and the request it received.
func backend(t *testing.T, name string) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Service", name)
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s", r.Method, r.URL.RequestURI(), body)
		w.Header().Set("X-Seen-For", r.Header.Get("X-Forwarded-For"))
	}))
	t.Cleanup(server.Close)
	return server
}

// only names one instance of each service.
func only(admin, projector, query string) Config {
	return Config{
		Admin: []string{admin}, Projector: []string{projector}, Query: []string{query}, Site: []string{query}, Console: []string{query},
	}
}

func gatewayTo(t *testing.T, config Config) *httptest.Server {
	t.Helper()
	handler, err := New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// request sends one request and does not follow redirects.
func request(t *testing.T, method, url, body string) (*http.Response, string) {
	t.Helper()
	sent, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultTransport.RoundTrip(sent)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(content)
}

func TestRoutes(t *testing.T) {
	admin, query := backend(t, "admin"), backend(t, "query")
	config := only(admin.URL, admin.URL, query.URL)
	config.Site = []string{backend(t, "site").URL}
	config.Console = []string{backend(t, "console").URL}
	server := gatewayTo(t, config)
	cases := []struct{ method, path, want string }{
		{"GET", "/api/events", "query"},
		{"GET", "/api/events/?search=jazz&start=today", "query"},
		{"POST", "/api/events", "query"},
		{"GET", "/api/administrators", "query"},
		{"GET", "/api/users", "query"},
		{"GET", "/api/user", "admin"},
		{"GET", "/api/user/7", "admin"},
		{"GET", "/api/openapi.json", "query"},
		{"GET", "/api/docs", "query"},
		{"POST", "/api/login", "admin"},
		{"POST", "/api/login/", "admin"},
		{"POST", "/api/signup", "admin"},
		{"POST", "/api/activate", "admin"},
		{"POST", "/api/invitation/join", "admin"},
		{"POST", "/api/forgot-password", "admin"},
		{"POST", "/api/reset-password/", "admin"},
		{"GET", "/api/loginfo", "query"},
		{"GET", "/api/admin", "admin"},
		{"GET", "/api/admin/user/profile", "admin"},
		{"DELETE", "/api/admin/event/1", "admin"},
		{"GET", "/api/user/7/avatar", "admin"},
		{"GET", "/api/user/7/avatar/64", "admin"},
		{"GET", "/api/user/7/avatar.webp?v=2", "admin"},
		{"GET", "/", "site"},
		{"GET", "/?search=jazz", "site"},
		{"GET", "/event/7", "site"},
		{"GET", "/apis", "site"},
		{"GET", "/widget.v1.js", "site"},
		{"GET", "/sitemap.xml", "query"},
		{"GET", "/sitemap/1.xml", "query"},
		{"GET", "/robots.txt", "query"},
		{"GET", "/oembed?url=x", "query"}, {"GET", "/llms.txt", "query"}, {"POST", "/mcp", "query"}, {"GET", "/mcpx", "site"},
		{"GET", "/sitemaps", "site"},
		{"GET", "/console", "console"},
		{"GET", "/console/", "console"},
		{"POST", "/console/login?then=%2Fconsole%2F", "console"},
		{"GET", "/console/event/7", "console"},
		{"GET", "/consoles", "site"},
		{"GET", "/en/console", "site"},
	}
	for _, c := range cases {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			response, body := request(t, c.method, server.URL+c.path, "sent")
			if got := response.Header.Get("X-Service"); got != c.want {
				t.Errorf("%s answers", got)
			}
			if want := c.method + " " + c.path + " sent"; body != want {
				t.Errorf("the service was asked %q, want %q", body, want)
			}
		})
	}
}

// TestRequestsAreForwardedUnchanged: a service receives malformed requests as they were sent, so
// that it can refuse them.
func TestRequestsAreForwardedUnchanged(t *testing.T) {
	query := backend(t, "query")
	server := gatewayTo(t, only(query.URL, query.URL, query.URL))
	for _, path := range []string{
		"/api/events?city=%zz", "/api/events?title=a;b=c", "/api/events?title=%ff%fe", "/api/events?a&&b==",
		"/api/event/a%2Fb", "/api//events", "/api/../api/events",
	} {
		if _, body := request(t, "GET", server.URL+path, ""); body != "GET "+path+" " {
			t.Errorf("%s arrives as %q", path, body)
		}
	}
}

func TestOwnAnswers(t *testing.T) {
	query := backend(t, "query")
	server := gatewayTo(t, only(query.URL, query.URL, query.URL))
	if response, _ := request(t, "GET", server.URL+"/livez", ""); response.StatusCode != http.StatusOK {
		t.Errorf("/livez answers %s", response.Status)
	}
}

// TestOwnAnswersRepeatOnlySaneIDs: a caller's request id is repeated in answers, so it must be a
// plain name.
func TestOwnAnswersRepeatOnlySaneIDs(t *testing.T) {
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	server := gatewayTo(t, only(down.URL, down.URL, down.URL))
	for id, kept := range map[string]bool{"client-id-1": true, "short": false, "<script>alert(1)</script>": false, strings.Repeat("x", 65): false} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/nothing", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("X-Request-Id", id)
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if got := response.Header.Get("X-Request-Id"); (got == id) != kept || got == "" {
			t.Errorf("%q becomes %q", id, got)
		}
		if got := response.Header.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("X-Content-Type-Options is %q", got)
		}
	}
}

func TestServiceDown(t *testing.T) {
	query := backend(t, "query")
	gone := httptest.NewServer(nil)
	gone.Close()
	server := gatewayTo(t, only(gone.URL, gone.URL, query.URL))
	response, body := request(t, "POST", server.URL+"/api/login", "{}")
	if response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") != "2" {
		t.Errorf("answers %s, Retry-After %q", response.Status, response.Header.Get("Retry-After"))
	}
	checkFailure(t, body, "unavailable", 2)
	if response, _ := request(t, "GET", server.URL+"/api/events", ""); response.StatusCode != http.StatusOK {
		t.Errorf("the other service is down too: %s", response.Status)
	}
}

// TestBrowsersWaitForPages: before the pages are built, browsers get a page that asks again. A page
// in answer to a form does not: what was typed would be lost.
func TestBrowsersWaitForPages(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	server := gatewayTo(t, only(gone.URL, gone.URL, gone.URL))
	for method, asksAgain := range map[string]bool{http.MethodGet: true, http.MethodPost: false} {
		ask, err := http.NewRequestWithContext(t.Context(), method, server.URL+"/en/", strings.NewReader("title=Jazz"))
		if err != nil {
			t.Fatal(err)
		}
		ask.Header.Set("Accept", "text/html,application/xhtml+xml;q=0.9")
		response, err := http.DefaultTransport.RoundTrip(ask)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		page, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" {
			t.Errorf("%s: answers %s, Retry-After %q, %v", method, response.Status, response.Header.Get("Retry-After"), err)
		}
		if got := strings.Contains(string(page), `http-equiv="refresh"`); got != asksAgain || !strings.Contains(string(page), "<p>") {
			t.Errorf("%s: the page asks again: %t, want %t: %s", method, got, asksAgain, page)
		}
	}
}

// TestBrokenBody: an incomplete body is the client's error, not the service's.
func TestBrokenBody(t *testing.T) {
	query := backend(t, "query")
	server := gatewayTo(t, only(query.URL, query.URL, query.URL))
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if _, err := io.WriteString(connection, "POST /api/events HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusBadRequest {
		t.Errorf("answers %s, %v", response.Status, err)
	}
	checkFailure(t, string(content), "bad_request", 0)
}

// closing is a body that the server closes as soon as it has been read completely.
type closing struct{ rest io.Reader }

func (c *closing) Read(into []byte) (int, error) {
	if c.rest == nil {
		return 0, http.ErrBodyReadAfterClose
	}
	n, _ := io.ReadFull(c.rest, into)
	c.rest = nil
	return n, io.EOF
}

func (c *closing) Close() error { return nil }

// TestReadPastTheEnd: reading after the end of a body is no failure, also when the server has
// closed it by then.
func TestReadPastTheEnd(t *testing.T) {
	sent := &body{ReadCloser: &closing{strings.NewReader("{}")}}
	for _, want := range []string{"{}", "", ""} {
		if got, err := io.ReadAll(sent); err != nil || string(got) != want {
			t.Errorf("read %q, %v, want %q", got, err, want)
		}
	}
	if sent.broken.Load() {
		t.Error("the body counts as broken")
	}
}

// checkFailure checks the shape of an error (RULES.md, Responses).
func checkFailure(t *testing.T, body, code string, retryAfter int) {
	t.Helper()
	var got failure
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	if got.Code != code || got.Error == "" || got.RequestID == "" || got.Details == nil || got.RetryAfter != retryAfter {
		t.Errorf("the error is %s", body)
	}
}

// fleet answers for all three services.
type fleet struct {
	ready   atomic.Bool
	pending atomic.Int64 // negative: no projector follows the stream yet
}

func (f *fleet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/lag" && f.pending.Load() < 0:
		writeJSON(w, http.StatusServiceUnavailable, failure{})
	case r.URL.Path == "/lag":
		fmt.Fprintf(w, `{"pending":%d,"applied_sequence":1}`, f.pending.Load())
	case !f.ready.Load():
		writeJSON(w, http.StatusServiceUnavailable, status{"unavailable", map[string]string{"engine": "is down", "other": "ok"}})
	default:
		writeJSON(w, http.StatusOK, status{Status: "ok"})
	}
}

func TestReadiness(t *testing.T) {
	services := new(fleet)
	services.pending.Store(-1)
	behind := httptest.NewServer(services)
	t.Cleanup(behind.Close)
	config := only(behind.URL, behind.URL, behind.URL)
	server := gatewayTo(t, config)

	expect := func(code int, missing string) {
		t.Helper()
		response, body := request(t, "GET", server.URL+"/readyz", "")
		if response.StatusCode != code || !strings.Contains(body, missing) {
			t.Errorf("/readyz answers %s %s, want %d with %q", response.Status, body, code, missing)
		}
	}
	expect(http.StatusServiceUnavailable, "engine: is down")
	services.ready.Store(true)
	expect(http.StatusServiceUnavailable, "has not started")
	services.pending.Store(4)
	expect(http.StatusServiceUnavailable, "4 changes behind")
	services.pending.Store(0)
	expect(http.StatusOK, "ok")
	services.pending.Store(9)
	expect(http.StatusOK, "ok") // once ready, a lag is normal work
	if got := Missing(t.Context(), config); got != "index 9 changes behind" {
		t.Errorf("Missing answers %q", got)
	}
}

func TestBadAddress(t *testing.T) {
	for _, address := range []string{"", "127.0.0.1", "http://%zz"} {
		if _, err := New(t.Context(), only(address, "", "http://127.0.0.1:1")); err == nil {
			t.Errorf("%q is accepted", address)
		}
	}
}
