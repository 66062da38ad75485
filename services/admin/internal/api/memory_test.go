package api_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"
)

const bigFile = 5 << 20 // the largest that any operation reads

// TestBodiesOfStrangersAreNotKept: a request without valid credentials is answered before its body
// is read, so that hundreds of them at once take next to no memory.
func TestBodiesOfStrangersAreNotKept(t *testing.T) {
	s := newStage(t)
	const clients = 200
	before := heap(true)
	for range clients {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		_, _ = fmt.Fprintf(conn, "POST %s/user/avatar HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: %d\r\n\r\n%s",
			admin, s.people["owner"].refresh, bigFile, strings.Repeat("x", 32<<10))
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusUnauthorized || !response.Close {
			t.Errorf("answered %s, closing %v", response.Status, response.Close)
		}
	}
	if grown := heap(true) - before; grown > clients*bigFile/10 {
		t.Errorf("%d requests of %d MiB hold %d MiB", clients, bigFile>>20, grown>>20)
	}
}

// Uploads of authenticated clients wait, unread, until it is their turn.
func TestUploadsWaitForTheirTurn(t *testing.T) {
	s := newStage(t)
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // collect garbage early
	const clients = 80
	before, most := heap(true), 0
	var uploads sync.WaitGroup
	for range clients {
		uploads.Go(func() {
			kind := "multipart/form-data; boundary=x"
			file := io.MultiReader(strings.NewReader("--x\r\nContent-Disposition: form-data; name=\"avatar\"; filename=\"x\"\r\n\r\n"),
				io.LimitReader(noise{}, bigFile-1), strings.NewReader("\r\n--x--\r\n"))
			a := s.send(t, http.MethodPost, admin+"/user/avatar", file, "Authorization", "Bearer "+s.people["owner"].access, "Content-Type", kind)
			if a.status != http.StatusServiceUnavailable { // no turn came in time
				a.want(t, "a file that is no image", http.StatusBadRequest, "image_invalid")
			}
		})
	}
	done := make(chan struct{})
	go func() { uploads.Wait(); close(done) }()
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		case <-time.After(time.Millisecond):
			most = max(most, heap(false)-before)
		}
	}
	t.Logf("%d uploads of %d MiB took %d MiB at most", clients, bigFile>>20, most>>20)
	if most > clients*bigFile/2 {
		t.Errorf("%d uploads of %d MiB took %d MiB", clients, bigFile>>20, most>>20)
	}
}

// Functions of Fiber that read a body know no limit when bodies are streamed.
func TestBodiesAreReadWithALimit(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	unlimited := regexp.MustCompile(`c\.(Body|BodyRaw|BodyParser|FormFile|FormValue|MultipartForm)\(|\.(PostBody|PostArgs)\(|Request\(\)\.Body`)
	for _, file := range files {
		source, err := os.ReadFile(file) //nolint:gosec // our own
		if err != nil {
			t.Fatal(err)
		}
		if found := unlimited.Find(source); found != nil && !strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s calls %s: it should call web.ReadBody", file, found)
		}
	}
}

// noise is a file without an end.
type noise struct{}

func (noise) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// heap returns the bytes that are in use, without garbage if collected.
func heap(collected bool) int {
	if collected {
		runtime.GC()
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc) //nolint:gosec // no machine has that much
}
