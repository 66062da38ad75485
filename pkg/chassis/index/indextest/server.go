package indextest

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"litfass/pkg/chassis/index"
)

const (
	patience  = 60 * time.Second
	serverKey = "only-for-one-test-0123456789"
)

// Server is a Meilisearch of one test, which may kill it and start it again with the same port and
// data.
type Server struct {
	t       testing.TB
	port    int
	dir     string
	command *exec.Cmd
}

// Start runs a server on a free port. It is killed when the test ends. TEST_MEILI_SERVER is the
// path of its program; without it, meilisearch is looked up on PATH, and the test fails when it is
// not found.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t, port: freePort(t), dir: t.TempDir()}
	s.Resume()
	t.Cleanup(s.Kill)
	return s
}

// Config returns the server's address and key; they stay the same after Resume.
func (s *Server) Config() index.Config {
	return index.Config{URL: "http://127.0.0.1:" + strconv.Itoa(s.port), Key: serverKey}
}

// Kill ends the server without warning, as a power failure would.
func (s *Server) Kill() {
	if s.command == nil {
		return
	}
	_ = s.command.Process.Kill() // already gone is just as well
	_ = s.command.Wait()         // reports the kill
	s.command = nil
}

// Resume starts the server on its old data and returns once it answers.
func (s *Server) Resume() {
	s.t.Helper()
	s.command = exec.Command(binary(s.t),
		"--http-addr", fmt.Sprintf("127.0.0.1:%d", s.port), "--master-key", serverKey, "--db-path", s.dir+"/data",
		"--dump-dir", s.dir+"/dumps", "--snapshot-dir", s.dir+"/snapshots", "--no-analytics",
		"--max-indexing-memory", "256MiB", "--log-level", "ERROR")
	s.command.Dir = s.dir
	s.command.Stdout, s.command.Stderr = s.t.Output(), s.t.Output()
	if err := s.command.Start(); err != nil {
		s.t.Fatal(err)
	}
	client := index.Connect(s.Config())
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		err := client.Health(context.Background())
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatal(err)
		}
	}
}

func binary(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("TEST_MEILI_SERVER"); path != "" {
		return path
	}
	path, err := exec.LookPath("meilisearch")
	if err != nil {
		t.Fatal("TEST_MEILI_SERVER is not set and meilisearch is not on PATH: this test starts a server of its own")
	}
	return path
}

func freePort(t testing.TB) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }() // only its number was wanted
	return listener.Addr().(*net.TCPAddr).Port
}
