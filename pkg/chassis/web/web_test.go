package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/web"
)

// syncBuffer is a log that may be read while the server still writes to it.
type syncBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

// server is a running chassis with routes of the test.
type server struct {
	base string
	log  *syncBuffer
	stop func() error
}

func start(t *testing.T, options web.Options, routes func(app *fiber.App)) server {
	t.Helper()
	log := &syncBuffer{}
	options.Service, options.Log = "test", slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	app := web.New(options)
	if routes != nil {
		routes(app)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- web.ServeOn(ctx, app, listener, 10*time.Second, options.Log) }()
	stop := sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return server{base: "http://" + listener.Addr().String(), log: log, stop: stop}
}

type answer struct {
	*http.Response
	body string
}

func (s server) do(t *testing.T, method, path string, body io.Reader, header ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.base+path, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, response)
}

func read(t *testing.T, response *http.Response) answer {
	t.Helper()
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response, string(data)}
}

type failure struct {
	Error        string
	Code         string
	Details      []fault.Violation
	RetryAfter   *int            `json:"retry_after"`
	RequestID    string          `json:"request_id"`
	ResponseType string          `json:"response_type"`
	Status       int             `json:"status"`
	Data         json.RawMessage `json:"data"`
}

// wantFailure checks that the answer is an error in the documented shape.
func (a answer) wantFailure(t *testing.T, status int, code string) failure {
	t.Helper()
	var f failure
	if err := json.Unmarshal([]byte(a.body), &f); err != nil {
		t.Fatalf("%d %q: %v", a.StatusCode, a.body, err)
	}
	if a.StatusCode != status || f.Code != code || f.Error == "" || f.Details == nil {
		t.Errorf("got %d %s, want %d with code %s, an error and details", a.StatusCode, a.body, status, code)
	}
	if f.RequestID == "" || f.RequestID != a.Header.Get("X-Request-Id") {
		t.Errorf("request id %q in the body, %q in the header", f.RequestID, a.Header.Get("X-Request-Id"))
	}
	if kind := a.Header.Get("Content-Type"); kind != "application/json" {
		t.Errorf("content type %q", kind)
	}
	return f
}

func TestFaultsBecomeAnswers(t *testing.T) {
	secret := errors.New("pq: secret")
	cases := []struct {
		err    error
		status int
		code   string
		retry  string
	}{
		{fault.New(fault.Invalid, "invalid_parameters", "bad"), 400, "invalid_parameters", ""},
		{fault.Wrap(secret, fault.Unauthenticated, "", "who?"), 401, "unauthenticated", ""},
		{fault.New(fault.Forbidden, "", "no"), 403, "forbidden", ""},
		{fmt.Errorf("get: %w", fault.New(fault.NotFound, "", "none")), 404, "not_found", ""},
		{fault.New(fault.Conflict, "", "taken"), 409, "conflict", ""},
		{fault.New(fault.Stale, "", "changed"), 412, "precondition", ""},
		{fault.New(fault.TooLarge, "", "big"), 413, "too_large", ""},
		{fault.New(fault.UnsupportedType, "", "what"), 415, "unsupported_media", ""},
		{&fault.Fault{Kind: fault.TooMany, Message: "slow down", RetryAfter: 1500 * time.Millisecond}, 429, "too_many_requests", "2"},
		{fault.Wrap(secret, fault.Unavailable, "", "down"), 503, "unavailable", "5"},
		{fmt.Errorf("search: %w", context.DeadlineExceeded), 503, "unavailable", "5"},
		{secret, 500, "internal", ""},
	}
	s := start(t, web.Options{}, func(app *fiber.App) {
		app.Get("/:case", func(c *fiber.Ctx) error {
			i, err := c.ParamsInt("case")
			if err != nil {
				return err
			}
			return cases[i].err
		})
	})
	for i, test := range cases {
		got := s.do(t, "GET", fmt.Sprintf("/%d", i), nil)
		f := got.wantFailure(t, test.status, test.code)
		if got.Header.Get("Retry-After") != test.retry {
			t.Errorf("%v: Retry-After %q, want %q", test.err, got.Header.Get("Retry-After"), test.retry)
		}
		if test.retry != "" && (f.RetryAfter == nil || fmt.Sprint(*f.RetryAfter) != test.retry) {
			t.Errorf("%v: retry_after %v, want %s", test.err, f.RetryAfter, test.retry)
		}
		if strings.Contains(got.body, "secret") {
			t.Errorf("%s shows a cause", got.body)
		}
	}
	if !strings.Contains(s.log.String(), "pq: secret") {
		t.Error("the cause is not in the log")
	}
}

func TestEnvelope(t *testing.T) {
	s := start(t, web.Options{}, func(app *fiber.App) {
		group := app.Group("/api", web.Enveloped("get-things"))
		group.Get("/good", func(c *fiber.Ctx) error { return web.SendData(c, fiber.Map{"name": "<b>&</b>"}) })
		group.Get("/raw", func(c *fiber.Ctx) error { return web.SendPayload(c, encoded.NewPayload([]byte(`{"name":"<b>&</b>"}`))) })
		group.Get("/bad", func(*fiber.Ctx) error {
			var v fault.Violations
			v.Add("limit", reason.NotNumber)
			return v.Err("invalid_parameters", "a parameter is wrong")
		})
	})
	for _, path := range []string{"/api/good", "/api/raw/"} {
		got := s.do(t, "GET", path, nil)
		var e struct {
			web.Envelope
			Data map[string]string `json:"data"`
		}
		if err := json.Unmarshal([]byte(got.body), &e); err != nil {
			t.Fatalf("%s: %v", got.body, err)
		}
		if e.Service != "litfass" || e.APIVersion != "1.0" || e.ResponseType != "get-things" || e.Status != 200 ||
			e.Data["name"] != "<b>&</b>" || got.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: got %s", path, got.body)
		}
		if _, err := time.Parse("2006-01-02T15:04:05Z", e.Timestamp); err != nil {
			t.Error(err)
		}
		if !strings.Contains(got.body, `"metadata":{"response_time_ms":`) {
			t.Errorf("%s has no response time", got.body)
		}
	}
	refused := s.do(t, "GET", "/api/bad", nil)
	f := refused.wantFailure(t, 400, "invalid_parameters")
	if f.ResponseType != "get-things" || f.Status != 400 || string(f.Data) != "null" {
		t.Errorf("got %+v", f)
	}
	if want := `"details":[{"field":"limit","reason":"must be a number","code":"not_number","params":{}}]`; !strings.Contains(refused.body, want) {
		t.Errorf("%s lacks %s", refused.body, want)
	}
}

func TestUnroutableRequests(t *testing.T) {
	s := start(t, web.Options{}, func(app *fiber.App) {
		app.Get("/thing", func(c *fiber.Ctx) error { return c.SendString("thing") })
		app.Post("/thing", func(c *fiber.Ctx) error { return c.SendString("made") })
	})
	s.do(t, "GET", "/nothing?<script>", nil).wantFailure(t, 404, "not_found")
	s.do(t, "GET", "/Thing", nil).wantFailure(t, 404, "not_found")
	got := s.do(t, "DELETE", "/thing", nil)
	got.wantFailure(t, 405, "method_not_allowed")
	if allow := got.Header.Get("Allow"); allow != "GET, HEAD, POST" {
		t.Errorf("Allow %q", allow)
	}
	s.do(t, "BREW", "/thing", nil).wantFailure(t, 501, "method_unknown")
	s.do(t, "GRIND", "/thing", nil).wantFailure(t, 501, "method_unknown")
	options := s.do(t, "OPTIONS", "/thing", nil)
	if options.StatusCode != http.StatusNoContent || options.Header.Get("Allow") != "GET, HEAD, POST" || options.body != "" {
		t.Errorf("OPTIONS: %d %v %q", options.StatusCode, options.Header, options.body)
	}
	head := s.do(t, "HEAD", "/thing/", nil)
	if head.StatusCode != http.StatusOK || head.ContentLength != 5 || head.body != "" {
		t.Errorf("HEAD: %d, length %d, %q", head.StatusCode, head.ContentLength, head.body)
	}
	for _, metric := range []string{
		`litfass_http_requests_total{method="GET",route="unmatched",status="404"} 2`,
		`litfass_http_requests_total{method="HEAD",route="/thing",status="200"} 1`,
		`litfass_http_requests_total{method="unknown",route="unmatched",status="501"} 2`,
	} {
		if metrics := s.do(t, "GET", "/metrics", nil).body; !strings.Contains(metrics, metric) {
			t.Errorf("metrics lack %s", metric)
		}
	}
}

func TestPanicIsAnsweredAndLogged(t *testing.T) {
	s := start(t, web.Options{}, func(app *fiber.App) {
		app.Get("/panic", func(*fiber.Ctx) error { panic("secret state") })
	})
	got := s.do(t, "GET", "/panic", nil)
	got.wantFailure(t, 500, "internal")
	if strings.Contains(got.body, "secret") || strings.Contains(got.body, "web_test.go") {
		t.Errorf("the answer shows %s", got.body)
	}
	if log := s.log.String(); !strings.Contains(log, "secret state") || !strings.Contains(log, "web_test.go") {
		t.Errorf("the log lacks the reason or the stack: %s", log)
	}
}

func TestRequestID(t *testing.T) {
	s := start(t, web.Options{}, func(app *fiber.App) {
		app.Get("/", func(c *fiber.Ctx) error { return c.SendString(web.RequestID(c.UserContext())) })
	})
	for _, test := range []struct {
		sent string
		kept bool
	}{
		{"trace-0123.abc_DEF", true},
		{"", false},
		{"short", false},
		{"has a blank", false},
		{`"><script>alert(1)</script>`, false},
		{strings.Repeat("a", 65), false},
	} {
		got := s.do(t, "GET", "/", nil, "X-Request-Id", test.sent)
		id := got.Header.Get("X-Request-Id")
		if got.body != id {
			t.Errorf("%q: handler saw %q, header says %q", test.sent, got.body, id)
		}
		if test.kept && id != test.sent {
			t.Errorf("%q became %q", test.sent, id)
		}
		if parsed, err := uuid.Parse(id); !test.kept && (err != nil || parsed.Version() != 7) {
			t.Errorf("%q became %q, want a new uuid v7", test.sent, id)
		}
	}
}

func TestHeadersOfEveryAnswer(t *testing.T) {
	s := start(t, web.Options{}, nil)
	for _, path := range []string{"/livez", "/nothing", "/?q=" + strings.Repeat("x", 100_000)} {
		header := s.do(t, "GET", path, nil).Header
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Cache-Control": "no-store", "Server": "",
		} {
			if got := header.Get(name); got != want {
				t.Errorf("%.10s: %s is %q, want %q", path, name, got, want)
			}
		}
	}
}

func TestCrossOrigin(t *testing.T) {
	open := start(t, web.Options{Origins: []string{"*"}}, nil)
	got := open.do(t, "GET", "/livez", nil, "Origin", "https://any.example")
	if got.Header.Get("Access-Control-Allow-Origin") != "*" || got.Header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("open: %v", got.Header)
	}
	got = open.do(t, "OPTIONS", "/livez", nil, "Origin", "https://any.example", "Access-Control-Request-Method", "POST")
	if got.StatusCode != http.StatusNoContent || !strings.Contains(got.Header.Get("Access-Control-Allow-Methods"), "POST") {
		t.Errorf("preflight: %d %v", got.StatusCode, got.Header)
	}
	got = open.do(t, "GET", "/nothing", nil, "Origin", "https://any.example")
	if got.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("an error must be readable too: %v", got.Header)
	}

	closed := start(t, web.Options{Origins: []string{"https://desk.example"}}, nil)
	for origin, want := range map[string]string{"https://desk.example": "https://desk.example", "https://evil.example": ""} {
		got := closed.do(t, "GET", "/livez", nil, "Origin", origin)
		if got.Header.Get("Access-Control-Allow-Origin") != want {
			t.Errorf("%s is allowed as %q", origin, got.Header.Get("Access-Control-Allow-Origin"))
		}
	}
}

func TestAccessLogHoldsNoSecretOfAPath(t *testing.T) {
	s := start(t, web.Options{}, func(app *fiber.App) {
		app.Get("/preview/:token", func(c *fiber.Ctx) error {
			if c.Params("token") == "bad-secret" {
				return fault.New(fault.NotFound, "", "there is none")
			}
			return c.SendString("shown")
		})
	})
	s.do(t, "GET", "/preview/good-secret", nil)
	s.do(t, "GET", "/preview/bad-secret/", nil)
	long := "secret" + strings.Repeat("x", 37) // as long as a token
	for _, path := range []string{"/preview/" + long + "/x", "/Preview/" + long, "/preview//" + long, "/" + long + ".html"} {
		s.do(t, "GET", path, nil)
	}
	for _, method := range []string{"POST", "OPTIONS", "FROB"} {
		s.do(t, method, "/preview/"+long, nil)
	}
	if log := s.log.String(); strings.Contains(log, "secret") || strings.Count(log, "path=/preview/:token") != 2 {
		t.Errorf("the log holds a secret, or lacks a request: %s", log)
	}
	if log := s.log.String(); !strings.Contains(log, "path=/preview/…/x") {
		t.Errorf("the log lacks what is no secret: %s", log)
	}
}

func TestAccessLogHoldsNoQueryAndNoLongPath(t *testing.T) {
	s := start(t, web.Options{}, nil)
	s.do(t, "GET", "/nothing?email=someone@example.org", nil, "X-Request-Id", "request-0001")
	s.do(t, "GET", "/livez", nil)
	s.do(t, "GET", "/"+strings.Repeat("x", 10_000), nil)
	log := s.log.String()
	if strings.Contains(log, "someone") {
		t.Errorf("the log holds a query: %s", log)
	}
	if strings.Contains(log, strings.Repeat("x", 1000)) {
		t.Errorf("the log holds the whole of a long path: %s", log)
	}
	if !strings.Contains(log, "level=INFO msg=request request_id=request-0001 method=GET path=/nothing status=404") {
		t.Errorf("no access log: %s", log)
	}
}
