package web_test

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
)

func TestLimits(t *testing.T) {
	s := start(t, web.Options{BodyLimit: 1000, HeaderLimit: 4096}, func(app *fiber.App) {
		app.Post("/", func(c *fiber.Ctx) error { return c.SendString(fmt.Sprint(len(c.Body()))) })
	})
	if got := s.do(t, "POST", "/", strings.NewReader(strings.Repeat("x", 1000))); got.body != "1000" {
		t.Errorf("a body at the limit: %d %s", got.StatusCode, got.body)
	}
	s.do(t, "POST", "/", strings.NewReader(strings.Repeat("x", 1001))).wantFailure(t, 413, "too_large")
	s.do(t, "POST", "/", strings.NewReader(strings.Repeat("x", 16<<20))).wantFailure(t, 413, "too_large")
	chunked := io.MultiReader(strings.NewReader(strings.Repeat("x", 5<<20))) // of unknown length
	s.do(t, "POST", "/", chunked).wantFailure(t, 413, "too_large")
	s.do(t, "GET", "/", nil, "X-Long", strings.Repeat("x", 5000)).wantFailure(t, 431, "headers_too_large")
	s.do(t, "GET", "/?q="+strings.Repeat("x", 100_000), nil).wantFailure(t, 431, "headers_too_large")
}

// raw sends bytes unchanged and returns the answer.
func (s server) raw(t *testing.T, text string) answer {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, response)
}

func TestMalformedAndSlowClients(t *testing.T) {
	s := start(t, web.Options{ReadTimeout: 100 * time.Millisecond}, nil)
	got := s.raw(t, "POST /livez HTTP/1.1\r\nHost: a\r\nContent-Length: nonsense\r\n\r\n")
	got.wantFailure(t, 400, "bad_request")
	if strings.Contains(got.body, "nonsense") {
		t.Errorf("%s repeats the request", got.body)
	}
	s.raw(t, "GET /livez HTTP/1.1\r\nHost: a\r\nX-Slow: ").wantFailure(t, 408, "request_timeout")
	s.raw(t, "POST /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc").wantFailure(t, 408, "request_timeout")
}

// TestErrorsBeforeRoutingKeepTheEnvelope: of the operation that the request was for, if that has
// one.
func TestErrorsBeforeRoutingKeepTheEnvelope(t *testing.T) {
	s := start(t, web.Options{
		BodyLimit: 1000, ReadTimeout: 100 * time.Millisecond,
		ResponseTypes: map[string]string{"/api/things": "get-things", "/api/thing/:id": "get-thing", "/api/thing/:id.txt": ""},
	}, func(app *fiber.App) {
		answer := func(c *fiber.Ctx) error { return c.SendString("here") }
		app.Get("/api/things", web.Enveloped("get-things"), answer)
		app.Get("/api/thing/:id", web.Enveloped("get-thing"), answer)
		app.Get("/api/plain", answer)
		app.Get("/api/thing/:id.txt", answer)
	})
	large := strings.Repeat("x", 1001)
	for _, test := range []struct {
		got          answer
		status       int
		code         string
		responseType string
	}{
		{s.do(t, "PUT", "/api/things", nil), 405, "method_not_allowed", "get-things"},
		{s.do(t, "DELETE", "/api/thing/1/?x=1", nil), 405, "method_not_allowed", "get-thing"},
		{s.do(t, "BREW", "/api/things", nil), 501, "method_unknown", "get-things"},
		{s.do(t, "POST", "/api/things/", strings.NewReader(large)), 413, "too_large", "get-things"},
		{s.do(t, "POST", "/api/thing/2", strings.NewReader(large)), 413, "too_large", "get-thing"},
		{s.raw(t, "POST /api/things HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc"), 408, "request_timeout", "get-things"},
		{s.do(t, "POST", "/api/things", io.MultiReader(strings.NewReader(large))), 413, "too_large", "get-things"}, // in chunks
		{s.raw(t, "POST /api/thing/3?x=1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab"), 408, "request_timeout", "get-thing"},
		{s.raw(t, "POST /api/plain HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc"), 408, "request_timeout", ""},
		{s.do(t, "PUT", "/api/plain", nil), 405, "method_not_allowed", ""},
		{s.do(t, "PUT", "/api/thing/1.txt", nil), 405, "method_not_allowed", ""},
		{s.do(t, "GET", "/api/thing/1/2", nil), 404, "not_found", ""},
		{s.do(t, "GET", "/api/Things", nil), 404, "not_found", ""},
		{s.do(t, "POST", "/api/plain", strings.NewReader(large)), 413, "too_large", ""},
		{s.raw(t, "GET /api/things HTTP/1.1\r\nHost: a\r\nX-Slow: "), 408, "request_timeout", ""}, // nothing was read
	} {
		f := test.got.wantFailure(t, test.status, test.code)
		if f.ResponseType != test.responseType || strings.Contains(test.got.body, "response_type") != (test.responseType != "") {
			t.Errorf("%d %q: got %s", test.status, test.responseType, test.got.body)
		}
	}
}

func TestStopLetsOpenRequestsFinish(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	s := start(t, web.Options{}, func(app *fiber.App) {
		app.Get("/slow", func(c *fiber.Ctx) error { close(entered); <-release; return c.SendString("done") })
	})
	got := make(chan string, 1)
	go func() {
		response, err := http.Get(s.base + "/slow")
		if err != nil {
			got <- err.Error()
			return
		}
		defer func() { _ = response.Body.Close() }()
		body, _ := io.ReadAll(response.Body)
		got <- string(body)
	}()
	<-entered
	stopped := make(chan error, 1)
	go func() { stopped <- s.stop() }()
	for refused := false; !refused; { // until no new connection is taken
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
		if refused = err != nil; !refused {
			_ = conn.Close()
		}
	}
	close(release)
	if body := <-got; body != "done" {
		t.Errorf("got %q", body)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

func TestServeNamesATakenAddress(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	log := slog.New(slog.DiscardHandler)
	err = web.Serve(t.Context(), web.New(web.Options{Log: log}), listener.Addr().String(), time.Second, log)
	if err == nil || !strings.Contains(err.Error(), listener.Addr().String()) {
		t.Errorf("got %v", err)
	}
}
