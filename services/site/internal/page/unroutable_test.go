package page

import (
	"bufio"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"litfass/pkg/chassis/web"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/pagecache"
	"litfass/services/site/internal/view"
)

// TestRequestsThatCannotBeRead are answered with the page of an error, and the site goes on.
func TestRequestsThatCannotBeRead(t *testing.T) {
	api := client.New("http://127.0.0.1:1", "", time.Second)
	d := Deps{
		API: api, Cache: pagecache.New(api, 0, time.Second, time.Now), Brand: view.Brand{Name: "Litfass", Public: "https://litfass.example"},
		Now: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }, Zone: time.UTC,
	}
	app := web.New(web.Options{Service: "site", Log: slog.New(slog.DiscardHandler), ShowFailure: d.ShowFailure})
	NewRouter(app, d)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- app.Listener(listener) }()
	t.Cleanup(func() {
		if err := app.Shutdown(); err != nil {
			t.Error(err)
		}
		<-ended
	})
	for _, request := range []string{
		"\x16\x03\x01 TLS\r\n\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
	} {
		if status := raw(t, listener.Addr().String(), request); status < 400 || status > 499 {
			t.Errorf("%q: %d", request, status)
		}
	}
}

// raw sends a request as it is, and returns the status of the answer.
func raw(t *testing.T, address, request string) int {
	t.Helper()
	connection, err := net.DialTimeout("tcp", address, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	if _, err := connection.Write([]byte(request)); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	defer func() { _ = answer.Body.Close() }()
	return answer.StatusCode
}
