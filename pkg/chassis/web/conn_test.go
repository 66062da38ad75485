package web

import (
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
)

// TestAnAnswerEndsAConnectionThatWasGivenUp: the client learns of it, and sends its next request
// over another connection.
func TestAnAnswerEndsAConnectionThatWasGivenUp(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	app := fiber.New(fiber.Config{DisableStartupMessage: true, ReadTimeout: time.Minute})
	app.Get("/", func(c *fiber.Ctx) error {
		if c.Query("given") == "up" {
			c.Context().Conn().(*conn).arriving.giveUp()
		}
		arrived(c)
		return nil
	})
	served := make(chan error, 1)
	go func() { served <- app.Listener(newClients(listener, app)) }()
	for _, test := range []struct {
		query  string
		closed bool
	}{{"", false}, {"?given=up", true}, {"", false}} {
		response, err := http.Get("http://" + listener.Addr().String() + "/" + test.query) //nolint:noctx // the test's own
		if err != nil {
			t.Fatal(err)
		}
		if err := response.Body.Close(); err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != http.StatusOK || response.Close != test.closed {
			t.Errorf("%q: %d, closed %t", test.query, response.StatusCode, response.Close)
		}
	}
	if err := app.Shutdown(); err != nil {
		t.Fatal(err)
	}
	if err := <-served; err != nil {
		t.Fatal(err)
	}
}
