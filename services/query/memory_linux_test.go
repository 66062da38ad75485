//go:build !race

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// childEnv makes the test's program be the service.
const childEnv = "LITFASS_TEST_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// maxMemory is the maximum that the service takes in MiB, with a GOMEMLIMIT that leaves little
// garbage.
const maxMemory = 120

// TestSlowClientsTakeLittleMemory and hinder no others: many bodies that are half sent, and more
// connections than that with half a head, or nothing. The race detector would multiply the memory.
func TestSlowClientsTakeLittleMemory(t *testing.T) {
	engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"hits":[],"query":"","processingTimeMs":0,"limit":20,"offset":0,"estimatedTotalHits":0}`)
	}))
	defer engine.Close()
	listen, pid := startChild(t, engine.URL)
	const body = 1_500_000
	half := strings.Repeat(" ", body/2)
	for range 60 {
		head := fmt.Sprintf("POST /api/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", body)
		slowClient(t, listen, head+half)
	}
	for range 1000 {
		slowClient(t, listen, "GET /api/events?search=")
		slowClient(t, listen, "")
	}
	for range 100 {
		for method, body := range map[string]string{http.MethodGet: "", http.MethodPost: `{"limit": 5}`} {
			if got := askOnce(t, method, "http://"+listen+"/api/events", body); got != http.StatusOK {
				t.Fatalf("a usual %s gets %d", method, got)
			}
		}
	}
	if peak := peakMemory(t, pid); peak > maxMemory {
		t.Errorf("took %d MiB", peak)
	} else {
		t.Logf("took %d MiB", peak)
	}
}

// startChild runs the service in a separate process until the test ends.
func startChild(t *testing.T, engine string) (listen string, pid int) {
	t.Helper()
	listen = free(t)
	child := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // the test's own program
	child.Env = append(os.Environ(), childEnv+"=1", "LISTEN="+listen, "MEILI_URL="+engine, "NATS_URL=", "LOG_LEVEL=error", "GOMEMLIMIT=80MiB", "RATE_LIMITS=off")
	child.Stderr = os.Stderr
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = child.Process.Kill(); _ = child.Wait() })
	eventually(t, "the service", func() bool { return status(t, "http://"+listen+"/livez") == http.StatusOK })
	return listen, child.Process.Pid
}

// slowClient sends a text as far as it is read within a moment, and nothing else until the test
// ends.
func slowClient(t *testing.T, address, text string) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(conn, text) // may have been refused
}

// askOnce sends a request on a new connection.
func askOnce(t *testing.T, method, address, body string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Close = true
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	return response.StatusCode
}

// peakMemory returns the peak memory of a process, in MiB.
func peakMemory(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var peak int
	if _, err := fmt.Sscanf(rest, "%d kB", &peak); err != nil {
		t.Fatal(err)
	}
	return peak >> 10
}
