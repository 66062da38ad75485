package web_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/web"
)

// Before the server stops, requests are answered, /readyz fails, and each answer ends its
// connection, so that no client sends its next request to a server that is gone.
func TestDrain(t *testing.T) {
	drain := web.NewDrain(time.Hour) // longer than the test
	s := start(t, web.Options{Drain: drain}, func(app *fiber.App) {
		app.Get("/", func(c *fiber.Ctx) error { return c.SendString("here") })
	})
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	answers := bufio.NewReader(conn)
	expect := func(path string, status int, closed bool, part string) {
		t.Helper()
		if _, err := io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := read(t, response); got.StatusCode != status || response.Close != closed || !strings.Contains(got.body, part) {
			t.Errorf("%s: %d, closed %v, %s", path, got.StatusCode, response.Close, got.body)
		}
	}
	expect("/readyz", 200, false, `"stop":"ok"`)
	expect("/", 200, false, "here")
	ctx, stop := context.WithCancel(t.Context())
	go func() { _ = drain.Run(ctx) }() // never fails, and outlives the test
	stop()
	for deadline := time.Now().Add(10 * time.Second); !drain.Begun(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the drain does not begin")
		}
	}
	expect("/", http.StatusOK, true, "here")
	if _, err := answers.ReadByte(); err != io.EOF {
		t.Errorf("the connection stays: %v", err)
	}
	if got := s.do(t, "GET", "/readyz", nil); got.StatusCode != http.StatusServiceUnavailable || !strings.Contains(got.body, "about to stop") {
		t.Errorf("/readyz: %d %s", got.StatusCode, got.body)
	}
	if got := s.do(t, "GET", "/", nil); got.StatusCode != http.StatusOK || !got.Close {
		t.Errorf("a new connection: %d, closed %v", got.StatusCode, got.Close)
	}
}

// Without a delay the server stops at once.
func TestNoDrain(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	drain := web.NewDrain(0)
	if err := drain.Run(ctx); err != nil || drain.Begun() {
		t.Errorf("%v, begun %v", err, drain.Begun())
	}
}
