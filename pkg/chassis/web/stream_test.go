package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
)

// readsBodies has an operation that reads a body of up to 100,000 bytes, and one that reads none.
func readsBodies(app *fiber.App) {
	app.Post("/read", func(c *fiber.Ctx) error {
		body, err := web.ReadBody(c, 100_000)
		if err != nil {
			return err
		}
		return c.SendString(fmt.Sprint(len(body)))
	})
	app.Post("/ignore", func(c *fiber.Ctx) error { return c.SendString("ignored") })
}

func TestBodiesAreReadAsFarAsTheyMay(t *testing.T) {
	s := start(t, web.Options{StreamBodies: true}, readsBodies)
	for _, size := range []int{0, 1, 511, 512, 513, 8191, 8192, 8193, 99_999, 100_000} {
		text := strings.Repeat("x", size)
		for name, body := range map[string]io.Reader{
			"of known length": strings.NewReader(text), "in chunks": io.MultiReader(strings.NewReader(text)),
		} {
			if got := s.do(t, "POST", "/read", body); got.body != fmt.Sprint(size) {
				t.Errorf("%d bytes %s: %d %s", size, name, got.StatusCode, got.body)
			}
		}
	}
	for _, size := range []int{100_001, 10 << 20} {
		text := strings.Repeat("x", size)
		s.do(t, "POST", "/read", strings.NewReader(text)).wantFailure(t, 413, "too_large")
		s.do(t, "POST", "/read", io.MultiReader(strings.NewReader(text))).wantFailure(t, 413, "too_large")
		if got := s.do(t, "POST", "/ignore", strings.NewReader(text)); got.body != "ignored" {
			t.Errorf("%d bytes ignored: %d %s", size, got.StatusCode, got.body)
		}
		s.do(t, "GET", "/metrics", strings.NewReader(text)).wantFailure(t, 413, "too_large")
	}
	if got := s.do(t, "GET", "/metrics", nil); got.StatusCode != http.StatusOK {
		t.Errorf("metrics: %d", got.StatusCode)
	}
}

func TestBodiesThatDoNotArrive(t *testing.T) {
	s := start(t, web.Options{StreamBodies: true, ReadTimeout: 100 * time.Millisecond}, readsBodies)
	s.raw(t, "POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\nabc").wantFailure(t, 408, "request_timeout")
	s.raw(t, "POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab").wantFailure(t, 408, "request_timeout")
	s.raw(t, "POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n").wantFailure(t, 400, "bad_request")
}

// The rest of a body must never be read as another request.
func TestNoRequestHidesInABody(t *testing.T) {
	s := start(t, web.Options{StreamBodies: true, ReadTimeout: time.Second}, readsBodies)
	const hidden = "GET /livez HTTP/1.1\r\nHost: hidden\r\n\r\n"
	padded := strings.Repeat("x", 9000) + hidden // more than what the server reads ahead
	long := strings.Repeat("x", 1<<20) + hidden
	chunked := fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(padded), padded)
	for name, test := range map[string]struct {
		head, rest string
		answers    int // with the request that follows; 1 when the connection ends
	}{
		"ignored":         {"POST /ignore", fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(padded), padded), 2},
		"not found":       {"POST /nowhere", fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(padded), padded), 2},
		"unknown method":  {"BREW /read", fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(padded), padded), 2},
		"read":            {"POST /read", fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(padded), padded), 2},
		"read in chunks":  {"POST /read", chunked, 2},
		"ignored chunks":  {"POST /ignore", chunked, 1},
		"too long":        {"POST /read", fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(long), long), 1},
		"ignored, length": {"POST /ignore", fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(long), long), 1},
	} {
		got := s.pipeline(t, test.head+" HTTP/1.1\r\nHost: a\r\n"+test.rest+"GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
		if len(got) != test.answers || len(got) == 2 && !strings.Contains(got[1], `"checks"`) {
			t.Errorf("%s: answers %q", name, got)
		}
	}
}

// pipeline sends bytes unchanged and returns the bodies of all answers.
func (s server) pipeline(t *testing.T, text string) (bodies []string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	go func() { _, _ = io.WriteString(conn, text) }() // the server need not read all of it
	reader := bufio.NewReader(conn)
	for {
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			return bodies
		}
		bodies = append(bodies, read(t, response).body)
	}
}
