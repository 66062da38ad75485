package web_test

import (
	"bufio"
	"errors"
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

// patience bounds every wait for something that must happen.
const patience = 20 * time.Second

// client is a connection of the test to a server. It is closed with the test.
type client struct {
	net.Conn
	answers *bufio.Reader
}

// dial opens a connection and sends a text.
func (s server) dial(t *testing.T, text string) client {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	c := client{conn, bufio.NewReader(conn)}
	c.send(t, text)
	return c
}

func (c client) send(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
}

// status reads one answer; it returns 0 when the connection ends without.
func (c client) status() int {
	response, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		return 0
	}
	defer func() { _ = response.Body.Close() }()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return 0
	}
	return response.StatusCode
}

func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !happened(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s does not come", what)
		}
	}
}

// frugal makes a server give back the buffers of idle connections, as query does.
func frugal(app *fiber.App) { app.Server().ReduceMemoryUsage = true }

func TestAConnectionThatSendsNothingEnds(t *testing.T) {
	for name, routes := range map[string]func(*fiber.App){"usual": nil, "frugal": frugal} {
		t.Run(name, func(t *testing.T) {
			s := start(t, web.Options{ReadTimeout: 50 * time.Millisecond}, routes)
			c := s.dial(t, "")
			var timeout net.Error
			if _, err := io.Copy(io.Discard, c); errors.As(err, &timeout) && timeout.Timeout() {
				t.Error("is open still")
			}
		})
	}
}

// TestHeadsThatAreHalfSentMakeRoomForOthers: of 60 clients that send only the beginning of a
// request, the oldest are given up; there is memory for the buffers of 24.
func TestHeadsThatAreHalfSentMakeRoomForOthers(t *testing.T) {
	const slow, room = 60, 24
	s := start(t, web.Options{HeaderLimit: 1 << 20, ReadTimeout: time.Hour, IdleTimeout: time.Hour}, frugal)
	statuses := make(chan int, slow)
	var clients []client
	for range slow {
		c := s.dial(t, "GET /livez HTTP/1.1\r\nHost: a\r\n")
		clients = append(clients, c)
		go func() { statuses <- c.status() }()
	}
	for range slow - room {
		if status := <-statuses; status != http.StatusRequestTimeout {
			t.Errorf("given up with %d", status)
		}
	}
	for range 2 * room {
		if got := s.do(t, "GET", "/livez", nil); got.StatusCode != http.StatusOK {
			t.Errorf("a usual client gets %d", got.StatusCode)
		}
	}
	for _, c := range clients {
		_, _ = io.WriteString(c, "\r\n") // given up or not
	}
	answered := 0
	for range room {
		if status := <-statuses; status == http.StatusOK {
			answered++
		}
	}
	if answered == 0 || answered == room { // the requests of usual clients, too, took the place of one
		t.Errorf("%d of %d are answered", answered, room)
	}
}

// TestAKeptConnectionIsGivenUpLikeANewOne during its second request, also after an unknown method.
func TestAKeptConnectionIsGivenUpLikeANewOne(t *testing.T) {
	for name, first := range map[string]string{
		"usual":          "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n",
		"unknown method": "BREW /livez HTTP/1.1\r\nHost: a\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, web.Options{HeaderLimit: 1 << 20, ReadTimeout: time.Hour, IdleTimeout: time.Hour}, frugal)
			slow := s.dial(t, first)
			slow.status()
			slow.send(t, "GET /livez HTTP/1.1\r\n")
			given := make(chan int, 1)
			go func() { given <- slow.status() }()
			eventually(t, "the end of the oldest", func() bool {
				s.dial(t, "GET /livez HTTP/1.1\r\n")
				select {
				case status := <-given:
					return status == http.StatusRequestTimeout
				default:
					return false
				}
			})
		})
	}
}

// countsBodies has an enveloped operation that answers with the length of a body.
func countsBodies(app *fiber.App) {
	app.Post("/count", web.Enveloped("count"), func(c *fiber.Ctx) error { return c.SendString(fmt.Sprint(len(c.Body()))) })
}

var countTypes = map[string]string{"/count": "count"}

// TestBodiesThatAreHalfSentTakeNoMoreThanTheirMemory: while it is taken, a large body is refused
// and everything else answered; afterwards there is room again.
func TestBodiesThatAreHalfSentTakeNoMoreThanTheirMemory(t *testing.T) {
	const most, room = 1 << 20, 4
	s := start(t, web.Options{
		BodyLimit: most, BodyMemory: room * most, ReadTimeout: time.Hour, ResponseTypes: countTypes,
	}, countsBodies)
	large := strings.Repeat("x", most)
	post := func(body io.Reader) answer { return s.do(t, "POST", "/count", body) }
	var slow []client
	for range room {
		c := s.dial(t, fmt.Sprintf("POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", most))
		if status := c.status(); status != http.StatusContinue { // its memory is taken by then
			t.Fatalf("a large body is asked for with %d", status)
		}
		c.send(t, large[:most/2])
		slow = append(slow, c)
	}
	refused := post(strings.NewReader(large))
	f := refused.wantFailure(t, http.StatusServiceUnavailable, "overloaded")
	if f.RetryAfter == nil || refused.Header.Get("Retry-After") != fmt.Sprint(*f.RetryAfter) || f.ResponseType != "count" {
		t.Errorf("Retry-After %q, %s", refused.Header.Get("Retry-After"), refused.body)
	}
	post(io.MultiReader(strings.NewReader(large))).wantFailure(t, http.StatusServiceUnavailable, "overloaded") // in chunks
	if log := s.log.String(); strings.Contains(log, "level=ERROR") {
		t.Errorf("a refusal is logged as an error: %s", log)
	}
	post(strings.NewReader(large+"x")).wantFailure(t, http.StatusRequestEntityTooLarge, "too_large")
	if got := post(strings.NewReader("small")); got.body != "5" {
		t.Errorf("a small body: %d %s", got.StatusCode, got.body)
	}
	if got := s.do(t, "GET", "/livez", nil); got.StatusCode != http.StatusOK {
		t.Errorf("a request without a body: %d", got.StatusCode)
	}
	slow[0].send(t, large[:most/2])
	if status := slow[0].status(); status != http.StatusOK {
		t.Errorf("a body that arrives at last: %d", status)
	}
	for _, c := range slow {
		_ = c.Close()
	}
	eventually(t, "room for all", func() bool {
		for range room {
			if post(strings.NewReader(large)).StatusCode != http.StatusOK {
				return false
			}
		}
		return true
	})
}

// TestBodiesThatNeverComeGiveTheirMemoryBack: the server drops a request silently whose client goes
// before the first chunk of its body.
func TestBodiesThatNeverComeGiveTheirMemoryBack(t *testing.T) {
	const most = 1 << 20
	s := start(t, web.Options{BodyLimit: most, BodyMemory: most, ReadTimeout: 50 * time.Millisecond}, countsBodies)
	for _, rest := range []string{
		"Transfer-Encoding: chunked\r\n\r\n",
		"Transfer-Encoding: chunked\r\n\r\n10",
		"Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n",
		fmt.Sprintf("Content-Length: %d\r\n\r\n", most),
		fmt.Sprintf("Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", most),
		fmt.Sprintf("Content-Length: %d\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n", most),
	} {
		c := s.dial(t, "POST /count HTTP/1.1\r\nHost: a\r\n"+rest)
		_ = c.Close()
		large := strings.Repeat("x", most)
		eventually(t, "room after "+rest, func() bool {
			return s.do(t, "POST", "/count", strings.NewReader(large)).StatusCode == http.StatusOK
		})
	}
}

// TestAnswersThatAreNotReadMakeRoomForOthers: of clients that ask for large answers and do not read
// them, those are given up that asked first.
func TestAnswersThatAreNotReadMakeRoomForOthers(t *testing.T) {
	const size, slow = 16 << 20, 4 // more than the system keeps of one answer, and than may be held of all
	large := []byte(strings.Repeat("x", size))
	s := start(t, web.Options{WriteTimeout: time.Hour}, func(app *fiber.App) {
		app.Get("/large", func(c *fiber.Ctx) error { c.Response().SetBodyRaw(large); return nil })
	})
	var responses []*http.Response
	for range slow {
		c := s.dial(t, "GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
		response, err := http.ReadResponse(c.answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		responses = append(responses, response)
	}
	for range 3 {
		if got := s.do(t, "GET", "/large", nil); len(got.body) != size {
			t.Errorf("a usual client reads %d bytes", len(got.body))
		}
	}
	if _, err := io.Copy(io.Discard, responses[0].Body); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the oldest is not given up: %v", err)
	}
}

// TestSlowReadersAreServed: a client may take several times as long for a large answer as a client
// may stand still, whether the answer is in memory or a stream; a client that stands still is cut.
func TestSlowReadersAreServed(t *testing.T) {
	const still, size = time.Second, 16 << 20
	content := strings.Repeat("x", size)
	s := start(t, web.Options{WriteTimeout: still}, func(app *fiber.App) {
		app.Get("/memory", func(c *fiber.Ctx) error { return c.SendString(content) })
		app.Get("/stream", func(c *fiber.Ctx) error { return c.SendStream(strings.NewReader(content), size) })
		app.Get("/chunks", func(c *fiber.Ctx) error { return c.SendStream(io.MultiReader(strings.NewReader(content))) })
	})
	for _, path := range []string{"/memory", "/stream", "/chunks"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			steady, idle := s.dial(t, ""), s.dial(t, "")
			for _, c := range []client{steady, idle} {
				if err := c.Conn.(*net.TCPConn).SetReadBuffer(128 << 10); err != nil {
					t.Fatal(err)
				}
				c.send(t, "GET "+path+" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
			}
			began, read := time.Now(), 0
			for part := make([]byte, 64<<10); ; {
				n, err := steady.Read(part)
				if read += n; err != nil {
					break
				}
				// As slow as not to be done in time, and no slower.
				for due := began.Add(3 * still * time.Duration(read) / size); time.Now().Before(due); {
					time.Sleep(time.Millisecond)
				}
			}
			if took := time.Since(began); read < size || took < 2*still {
				t.Errorf("%d bytes of %d in %s", read, size, took)
			}
			if left, _ := io.Copy(io.Discard, idle); left >= size {
				t.Errorf("a client that stood still for %s gets all", time.Since(began))
			}
		})
	}
}
