package streamtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// Server is a NATS server of one test, which may kill it and start it again with the same port and
// data.
type Server struct {
	t       testing.TB
	port    int
	dir     string
	command *exec.Cmd
}

// Start runs a server with JetStream on a free port that accepts messages of up to maxPayload
// bytes. It is killed when the test ends.
func Start(t testing.TB, maxPayload int) *Server {
	t.Helper()
	return run(t, "max_payload: %d\njetstream { store_dir: %q }\n", maxPayload, t.TempDir())
}

// StartBehind runs a server with JetStream, and another one that passes everything on to it. The
// connection of a client of the latter stays up while the former is killed and started again, as
// that to one server of a cluster does when another dies.
func StartBehind(t testing.TB) (behind *Server, url string) {
	t.Helper()
	port := freePort(t)
	behind = run(t, "jetstream { store_dir: %q, domain: behind }\nleafnodes { listen: \"127.0.0.1:%d\" }\n", t.TempDir(), port)
	front := run(t, "default_js_domain: { \"$G\": behind }\nleafnodes { reconnect: \"100ms\", remotes: [{ url: \"nats-leaf://127.0.0.1:%d\" }] }\n", port)
	return behind, front.URL()
}

// run starts a server with these settings besides its address.
func run(t testing.TB, settings string, args ...any) *Server {
	t.Helper()
	s := &Server{t: t, port: freePort(t), dir: t.TempDir()}
	config := fmt.Sprintf("listen: \"127.0.0.1:%d\"\n"+settings, append([]any{s.port}, args...)...)
	if err := os.WriteFile(s.configFile(), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Resume()
	t.Cleanup(s.Kill)
	return s
}

// URL returns the server's address; it stays the same after Resume.
func (s *Server) URL() string { return fmt.Sprintf("nats://127.0.0.1:%d", s.port) }

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
	s.command = exec.Command(binary(s.t), "-c", s.configFile())
	s.command.Stdout, s.command.Stderr = s.t.Output(), s.t.Output()
	if err := s.command.Start(); err != nil {
		s.t.Fatal(err)
	}
	for deadline := time.Now().Add(Patience); ; time.Sleep(20 * time.Millisecond) {
		conn, err := nats.Connect(s.URL())
		if err == nil {
			conn.Close()
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("the NATS server does not answer: %v", err)
		}
	}
}

func (s *Server) configFile() string { return s.dir + "/server.conf" }

func binary(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("TEST_NATS_SERVER"); path != "" {
		return path
	}
	path, err := exec.LookPath("nats-server")
	if err != nil {
		t.Fatal("TEST_NATS_SERVER is not set and nats-server is not on PATH: this test starts a server of its own")
	}
	return path
}

func freePort(t testing.TB) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}
