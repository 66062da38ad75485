// Package streamtest gives each test a stream of its own on a real NATS server.
//
// TEST_NATS_URL is the address of a server with JetStream. TEST_NATS_SERVER is the path of the
// server program for tests that stop and start one; without it, nats-server is looked up on PATH. A
// test without its engine fails.
package streamtest

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/change"
)

// Patience is how long a helper waits for an engine before the test fails.
const Patience = 30 * time.Second

// Config returns the settings of a stream that no other test uses. Its streams are deleted when
// the test ends.
func Config(t testing.TB) stream.Config {
	t.Helper()
	url := os.Getenv("TEST_NATS_URL")
	if url == "" {
		t.Fatal("TEST_NATS_URL is not set: this test needs NATS with JetStream, which make test PKG=./... starts")
	}
	config := stream.Config{URL: url, Name: "T" + rand.Text(), Replicas: 1}
	t.Cleanup(func() { remove(t, config) })
	return config
}

// New returns a stream of its own, ensured and empty. It is closed and deleted when the test ends.
func New(t testing.TB) *stream.Stream {
	t.Helper()
	s := Open(t, Config(t))
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
	defer cancel()
	if err := s.Ensure(ctx); err != nil {
		t.Fatal(err)
	}
	return s
}

// Open connects to the stream of config. The connection is closed when the test ends.
func Open(t testing.TB, config stream.Config) *stream.Stream {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
	defer cancel()
	s, err := stream.Connect(ctx, config, Log(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// All returns the last change of every entity in the stream, by subject without the stream's prefix
// ("event.<uuid>").
func All(t testing.TB, s *stream.Stream) map[string]change.Change {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
	defer cancel()
	all := map[string]change.Change{}
	_, err := s.Walk(ctx, func(_ uint64, c change.Change) error {
		all[string(c.Kind)+"."+c.ID] = c
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// JetStream returns a plain connection to the server, for functions that package stream does not
// offer.
func JetStream(t testing.TB, url string) jetstream.JetStream {
	t.Helper()
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// Log returns a logger that writes to the test's output.
func Log(t testing.TB) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func remove(t testing.TB, config stream.Config) {
	conn, err := nats.Connect(config.URL)
	if err != nil {
		t.Errorf("clean up stream %s: %v", config.Name, err)
		return
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Errorf("clean up stream %s: %v", config.Name, err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	names := []string{"KV_" + config.Name + "_LEASES"}
	for _, name := range []string{"", "_DEAD", "_KEYS", "_CHANGES", "_WORK"} {
		names = append(names, config.Name+name)
	}
	for _, name := range names {
		if err := js.DeleteStream(ctx, name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			t.Errorf("clean up stream %s: %v", name, err)
		}
	}
}
