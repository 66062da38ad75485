package search

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
)

// malformed are bytes that are not valid requests. None may cause a server error or affect later
// requests.
var malformed = []string{
	"\r\n\r\n",
	"\x00\x00\x00\x00",
	"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", // the beginning of TLS
	"GET\r\n\r\n",
	"GET /api/events\r\n\r\n",
	"GET /api/events HTTP/9.9\r\nHost: a\r\n\r\n",
	"GET /api/events HTTP/1.1\r\n\r\n", // no host
	"GET /api/events HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
	"GET  /api/events  HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET /api/events?title=a b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
	"GET /api/events?title=\x00 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
	"GET /api/events?title=\xff\xfe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
	"GET /api/events?title=%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
	"GET /api/events?a;b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
	"GET http://[::1 HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
	"GET //api//events HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
	"GET /api/../../etc/passwd HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
	"GET /api/event/%2e%2e%2fx HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
	"GET /api/event/%00 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
	"GET /api/event/%ff%fe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
	"GET /api/venue/" + strings.Repeat("x", 9000) + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
	"FROB /api/events HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
	"PUT /api/events HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
	"DELETE /api/events HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
	"GET /api/events HTTP/1.1\r\nHost: a\r\nno colon here\r\n\r\n",
	"GET /api/events HTTP/1.1\r\nHost: a\r\n: empty\r\n\r\n",
	"GET /api/events HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n",
	"GET /api/events HTTP/1.1\nHost: a\nConnection: close\n\n",
	"GET /api/events HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("y", 2<<20) + "\r\n\r\n",
	"GET /api/events HTTP/1.1\r\nHost: a\r\n" + strings.Repeat("X: y\r\n", 100_000) + "\r\n",
	"GET /" + strings.Repeat("a", 2<<20) + " HTTP/1.1\r\nHost: a\r\n\r\n",
	"POST /api/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: -1\r\n\r\n",
	"POST /api/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: x\r\n\r\n{}",
	"POST /api/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
	"POST /api/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\nConnection: close\r\n\r\n{}",
	"POST /api/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{}",
	"POST /api/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
	"POST /api/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
	"POST /api/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: frob\r\n\r\n{}",
	"POST /api/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n",
	"POST /api/events HTTP/1.1\r\nHost: a\r\nContent-Type: a/b/c;;=\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
	"POST /api/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
	"POST /api/events HTTP/1.1\r\nHost: a\r\nExpect: nothing\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
}

// testMalformed sends malformed requests to the gateway and to the query service itself.
func testMalformed(s *harness.System, t *testing.T) {
	for _, base := range []string{s.URL(), s.ServiceURL(stack.Query)} {
		at, err := url.Parse(base)
		if err != nil {
			t.Fatal(err)
		}
		for _, request := range malformed {
			if err := survives(at.Host, request); err != nil {
				t.Errorf("%s to %.80q…%.60q: %v", at.Host, request, request[max(0, len(request)-60):], err)
			}
		}
		answer, err := http.Get(base + "/api/events?limit=1")
		if err != nil {
			t.Fatalf("after malformed requests: %v", err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("after malformed requests: status %d", answer.StatusCode)
		}
	}
}

// survives sends the bytes and closes its side; the answer must be none or below 500, or 501 or
// 505, which name an unknown kind of request.
func survives(host, request string) error {
	conn, err := net.DialTimeout("tcp", host, 5*time.Second)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		return err
	}
	if _, err := io.WriteString(conn, request); err != nil {
		return nil // refused before it was read completely
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		return nil // likewise
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	var timeout net.Error
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return errors.New("neither answered nor closed")
	case err != nil:
		return nil // closed without an answer
	}
	defer response.Body.Close()
	if code := response.StatusCode; code >= 500 && code != http.StatusNotImplemented && code != http.StatusHTTPVersionNotSupported {
		return fmt.Errorf("status %d", code)
	}
	return nil
}
