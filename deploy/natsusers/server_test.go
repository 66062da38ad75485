package natsusers_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"k8s.io/apimachinery/pkg/util/yaml"

	"litfass/deploy/local/engine"
	"litfass/deploy/local/proc"
	"litfass/deploy/natsusers"
	"litfass/pkg/chassis/stream"
)

// server is a NATS server with users whose password is their name, and the connections of services
// to it.
type server struct {
	engine.NATS
	t       *testing.T
	process *proc.Process
	log     *said
}

// said is the log of all services.
type said struct {
	mu sync.Mutex
	bytes.Buffer
}

// Write implements io.Writer.
func (s *said) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Buffer.Write(line)
}

func start(t *testing.T) server {
	t.Helper()
	passwords := map[string]string{}
	for _, user := range natsusers.All {
		passwords[user] = user
	}
	s := prepare(t, passwords)
	must(t, s.process.Start(t.Context()))
	return s
}

// prepare returns a server that has not been started.
func prepare(t *testing.T, passwords map[string]string) server {
	t.Helper()
	dir := t.TempDir()
	nats := engine.NATS{
		Bin: os.Getenv("TEST_NATS_SERVER"), Data: dir, Port: freePort(t), Monitor: freePort(t),
		LogFile: filepath.Join(dir, "log"), Passwords: passwords,
	}
	must(t, nats.Prepare())
	process := nats.Process()
	t.Cleanup(func() { _ = process.Kill() })
	return server{nats, t, process, &said{}}
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// as returns the stream as a service sees it.
func (s server) as(user string) *stream.Stream {
	s.t.Helper()
	opened := s.open(user)
	must(s.t, opened.Await(s.t.Context()))
	return opened
}

// open is as, and does not wait for the connection.
func (s server) open(user string) *stream.Stream {
	s.t.Helper()
	config := stream.Config{
		URL: s.URL(), User: user, Password: user, Name: "CATALOG", Replicas: 1,
		Journal: stream.Journal{Age: time.Hour, Bytes: 1 << 20},
	}
	opened, err := stream.Open(config, slog.New(slog.NewTextHandler(s.log, nil)))
	must(s.t, err)
	s.t.Cleanup(opened.Close)
	return opened
}

// must fails the test for the first error.
func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// violations are the refusals that a connection hears of.
type violations chan error

// connect returns a connection of a user with its refusals.
func (s server) connect(user string) (*nats.Conn, violations) {
	s.t.Helper()
	refused := make(violations, 1000)
	conn, err := nats.Connect(s.URL(), nats.UserInfo(user, user),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(conn.Close)
	return conn, refused
}

// refuses expects that the server refuses what a user publishes to each subject.
func (s server) refuses(user string, subjects []string) {
	s.t.Helper()
	conn, refused := s.connect(user)
	for _, subject := range subjects {
		must(s.t, conn.Publish(subject, []byte("{}")))
	}
	must(s.t, conn.Flush())
	refused.expect(s.t, user, subjects)
}

// hearsNothing expects that the server refuses the subscriptions of a user.
func (s server) hearsNothing(user string, subjects ...string) {
	s.t.Helper()
	conn, refused := s.connect(user)
	for _, subject := range subjects {
		_, err := conn.Subscribe(subject, func(*nats.Msg) {})
		must(s.t, err)
	}
	must(s.t, conn.Flush())
	refused.expect(s.t, user, subjects)
}

func (v violations) expect(t *testing.T, user string, subjects []string) {
	t.Helper()
	var said []string
	for range subjects {
		select {
		case err := <-v:
			said = append(said, err.Error())
		case <-time.After(5 * time.Second):
		}
	}
	all := strings.Join(said, "\n")
	for _, subject := range subjects {
		if !strings.Contains(all, `"`+subject+`"`) {
			t.Errorf("%s may use %s", user, subject)
		}
	}
}

// writesNothing expects that the server makes no consumer of the catalogue for a user that writes
// to a subject of the catalogue.
func (s server) writesNothing(user, subject string) {
	s.t.Helper()
	conn, err := nats.Connect(s.URL(), nats.UserInfo(user, user), nats.CustomInboxPrefix("_INBOX."+user))
	must(s.t, err)
	s.t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	must(s.t, err)
	_, err = js.CreatePushConsumer(s.t.Context(), "CATALOG", jetstream.ConsumerConfig{Name: "writer", DeliverSubject: subject})
	if !errors.Is(err, &jetstream.APIError{ErrorCode: consumerCycle}) {
		s.t.Errorf("%s creates a consumer that writes to %s: %v", user, subject, err)
	}
}

// consumerCycle is the server's code for a consumer that writes to its own stream.
const consumerCycle = 10081

// TestServerWithoutUsersAdmitsServices: that of an operator who has made no passwords.
func TestServerWithoutUsersAdmitsServices(t *testing.T) {
	t.Parallel()
	s := prepare(t, nil)
	must(t, s.process.Start(t.Context()))
	admin := s.as(natsusers.Admin)
	must(t, admin.Ensure(t.Context()))
	stop, err := admin.Answer("report", func(_ []byte, say func([]byte)) { say([]byte("done")) })
	must(t, err)
	defer stop()
	hear(t, s.as(natsusers.Query), "report")
}

// TestServersReadTheirConfiguration: those of Compose and of Kubernetes.
func TestServersReadTheirConfiguration(t *testing.T) {
	t.Parallel()
	read := func(path string) string {
		content, err := os.ReadFile(path)
		must(t, err)
		return string(content)
	}
	for name, files := range map[string]map[string]string{
		"compose":    {"nats.conf": read("../compose/nats.conf"), "nats-users.conf": read("../compose/nats-users.conf")},
		"kubernetes": {"nats.conf": dataOf(t, "../kubernetes/nats.yaml", "nats.conf"), "nats-users.conf": dataOf(t, "../kubernetes/nats-users.yaml", "nats-users.conf")},
	} {
		folder := t.TempDir()
		for file, content := range files {
			must(t, os.WriteFile(filepath.Join(folder, file), []byte(content), 0o600))
		}
		for file := range files {
			check := exec.CommandContext(t.Context(), os.Getenv("TEST_NATS_SERVER"), "-t", "-c", filepath.Join(folder, file))
			check.Env = []string{"POD_NAME=nats-0"}
			for _, user := range natsusers.All {
				check.Env = append(check.Env, natsusers.Variable(user)+"=p123")
			}
			if said, err := check.CombinedOutput(); err != nil {
				t.Errorf("%s of %s: %v\n%s", file, name, err, said)
			}
		}
	}
}

// dataOf returns a value of the ConfigMap that a manifest begins with.
func dataOf(t *testing.T, path, key string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	must(t, err)
	first, _, _ := strings.Cut(string(content), "\n---\n")
	var found struct{ Data map[string]string }
	must(t, yaml.Unmarshal([]byte(first), &found))
	return found.Data[key]
}
