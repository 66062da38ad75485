package gateway

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestSlowReadersAreServed: a client that takes a large answer in many times the time in which it
// may stand still gets all of it, and one that stands still does not.
func TestSlowReadersAreServed(t *testing.T) {
	t.Parallel()
	const standstill = time.Second
	content := bytes.Repeat([]byte("Litfass "), 1<<21)
	cut := make(chan error, 1)
	server := httptest.NewUnstartedServer(progressing(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(w, struct{ io.Reader }{bytes.NewReader(content)})
		if r.URL.Path == "/still" {
			cut <- err
		}
	}), standstill))
	server.Config.WriteTimeout, server.Config.ConnContext = standstill, bounded
	server.Start()
	t.Cleanup(server.Close)
	open := func(path string) net.Conn {
		conn, err := net.Dial("tcp", server.Listener.Addr().String()) //nolint:noctx // the test's own
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		_ = conn.(*net.TCPConn).SetReadBuffer(128 << 10)
		if _, err := io.WriteString(conn, "GET "+path+" HTTP/1.0\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		return conn
	}
	open("/still")
	if err := <-cut; err == nil {
		t.Error("an answer that its client does not take is served")
	}
	steady := open("/steady")
	began, read := time.Now(), 0
	for part := make([]byte, 64<<10); ; {
		n, err := steady.Read(part)
		read += n
		if err != nil {
			break
		}
		// As slow as not to be done in time, and not slower for a machine that is.
		for due := began.Add(3 * standstill * time.Duration(read) / time.Duration(len(content))); time.Now().Before(due); {
			time.Sleep(time.Millisecond)
		}
	}
	if took := time.Since(began); read < len(content) || took < 2*standstill {
		t.Errorf("%d bytes of %d in %s", read, len(content), took)
	}
}
