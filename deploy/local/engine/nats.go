package engine

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"litfass/deploy/local/proc"
	"litfass/deploy/natsusers"
)

// NATS is a local nats-server with JetStream on 127.0.0.1.
type NATS struct {
	Bin     string
	Data    string // folder for its configuration and its streams
	Port    int
	Monitor int // port of its monitoring pages
	LogFile string
	// Passwords are those of its users; without any it has no users, and every client may do all.
	Passwords map[string]string
}

// URL returns the address for services, which bring a user.
func (n NATS) URL() string { return "nats://127.0.0.1:" + strconv.Itoa(n.Port) }

// OperatorURL returns the address with the user who may do all.
func (n NATS) OperatorURL() string {
	address := url.URL{Scheme: "nats", Host: "127.0.0.1:" + strconv.Itoa(n.Port)}
	if password, known := n.Passwords[natsusers.Operator]; known {
		address.User = url.UserPassword(natsusers.Operator, password)
	}
	return address.String()
}

// natsConfig allows messages of 8 MB: an event with all its dates is one message.
const natsConfig = `# Written by the launcher at every start.
server_name: litfass-local
listen: "127.0.0.1:%d"
http: "127.0.0.1:%d"
max_payload: 8MB
jetstream {
  store_dir: %q
}
`

// Prepare writes the configuration.
func (n NATS) Prepare() error {
	if err := os.MkdirAll(n.Data, 0o755); err != nil {
		return err
	}
	config := fmt.Appendf(nil, natsConfig, n.Port, n.Monitor, n.Data)
	if len(n.Passwords) > 0 {
		config = append(config, natsusers.Config()...)
	}
	return os.WriteFile(n.config(), config, 0o644)
}

func (n NATS) config() string { return filepath.Join(n.Data, "nats.conf") }

// Process returns the server as a process of the stack; Prepare comes first.
func (n NATS) Process() *proc.Process {
	var passwords []string
	for user, password := range n.Passwords {
		passwords = append(passwords, natsusers.Variable(user)+"="+password)
	}
	return proc.New(proc.Spec{
		Name:    "NATS",
		Command: []string{n.Bin, "-c", n.config()},
		Env:     passwords,
		Dir:     n.Data,
		LogFile: n.LogFile,
		Ready:   func(ctx context.Context) error { return PingNATS(ctx, n.OperatorURL()) },
	})
}

// PingNATS returns nil when a server answers and has JetStream enabled.
func PingNATS(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := nats.Connect(address, nats.Timeout(2*time.Second), nats.NoReconnect())
	if err != nil {
		return err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	_, err = js.AccountInfo(ctx)
	return err
}
