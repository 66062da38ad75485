package stream_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
)

func TestEnsureTwiceAndTogether(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	s := streamtest.Open(t, config)
	done := make(chan error)
	for range 4 {
		go func() { done <- s.Ensure(t.Context()) }()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	js := streamtest.JetStream(t, config.URL)
	for name, subject := range map[string]string{config.Name: s.Prefix() + ".>", config.Name + "_DEAD": s.Prefix() + "-dead.>"} {
		made, err := js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		got := made.CachedInfo().Config
		if got.MaxMsgsPerSubject != 1 || len(got.Subjects) != 1 || got.Subjects[0] != subject {
			t.Errorf("stream %s has subjects %v, %d messages each", name, got.Subjects, got.MaxMsgsPerSubject)
		}
	}
}

func TestEnsureBringsSettingsBack(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	s := streamtest.Open(t, config)
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	js := streamtest.JetStream(t, config.URL)
	made, err := js.Stream(t.Context(), config.Name)
	if err != nil {
		t.Fatal(err)
	}
	other := made.CachedInfo().Config
	other.Description = "changed elsewhere"
	if _, err := js.UpdateStream(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if made, err = js.Stream(t.Context(), config.Name); err != nil {
		t.Fatal(err)
	}
	if got := made.CachedInfo().Config.Description; got == other.Description {
		t.Errorf("description is still %q", got)
	}
}

func TestConnectGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	server := streamtest.Start(t, 1<<20)
	server.Kill()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := stream.Connect(ctx, stream.Config{URL: server.URL(), Name: "X", Replicas: 1}, streamtest.Log(t))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error = %v", err)
	}
}

func TestConnectRefusesBadSettings(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]stream.Config{
		"no address":  {Name: "CATALOG", Replicas: 1},
		"no name":     {URL: "nats://127.0.0.1:1", Replicas: 1},
		"dot in name": {URL: "nats://127.0.0.1:1", Name: "A.B", Replicas: 1},
		"no replica":  {URL: "nats://127.0.0.1:1", Name: "CATALOG"},
	} {
		if _, err := stream.Connect(t.Context(), config, streamtest.Log(t)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestAwaitEnsured: who waits for the streams creates none, and goes on once all are there.
func TestAwaitEnsured(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	s := streamtest.Open(t, config)
	waited := make(chan error, 1)
	go func() { waited <- s.AwaitEnsured(t.Context()) }()
	short, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := s.AwaitEnsured(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without streams: %v", err)
	}
	if _, err := streamtest.JetStream(t, config.URL).Stream(t.Context(), config.Name); !errors.Is(err, jetstream.ErrStreamNotFound) {
		t.Errorf("it created a stream: %v", err)
	}
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-waited; err != nil {
		t.Error(err)
	}
}
