package stream_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
)

// leased returns a stream whose leases go with it.
func leased(t *testing.T) stream.Config {
	t.Helper()
	config := streamtest.Config(t)
	js := streamtest.JetStream(t, config.URL)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), streamtest.Patience)
		defer cancel()
		if err := js.DeleteKeyValue(ctx, config.Name+"_LEASES"); err != nil {
			t.Error(err)
		}
	})
	return config
}

func TestOneHolderAtATime(t *testing.T) {
	t.Parallel()
	config := leased(t)
	first, second := streamtest.Open(t, config), streamtest.Open(t, config)
	held, release, done := make(chan struct{}), make(chan struct{}), make(chan error, 2)
	go func() {
		done <- first.HoldLease(t.Context(), "north", "one", func(ctx context.Context) error {
			close(held)
			<-release
			return ctx.Err()
		})
	}()
	<-held
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	err := second.HoldLease(ctx, "north", "two", func(context.Context) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "held by one") {
		t.Fatalf("two holders: %v", err)
	}
	if err := second.HoldLease(t.Context(), "south", "two", func(context.Context) error { return nil }); err != nil {
		t.Errorf("another lease: %v", err)
	}
	go func() {
		done <- second.HoldLease(t.Context(), "north", "two", func(context.Context) error { return nil })
	}()
	close(release)
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestLeaseIsRenewedAndItsErrorReturned(t *testing.T) {
	t.Parallel()
	s := streamtest.Open(t, leased(t))
	broken := errors.New("broken")
	err := s.HoldLease(t.Context(), "north", "one", func(ctx context.Context) error {
		select { // longer than a lease lives without renewal
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(6 * time.Second):
			return broken
		}
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestLeaseThatIsTakenAwayEndsItsHolder(t *testing.T) {
	t.Parallel()
	config := leased(t)
	s := streamtest.Open(t, config)
	err := s.HoldLease(t.Context(), "north", "one", func(ctx context.Context) error {
		leases, err := streamtest.JetStream(t, config.URL).KeyValue(ctx, config.Name+"_LEASES")
		if err != nil {
			return err
		}
		if _, err := leases.PutString(ctx, "north", "two"); err != nil {
			return err
		}
		<-ctx.Done()
		return context.Cause(ctx)
	})
	if !errors.Is(err, stream.ErrLeaseLost) {
		t.Errorf("got %v", err)
	}
}

// The lease of a holder that died is taken by another holder after it expires, and by the same one
// immediately.
func TestLeaseOfTheDead(t *testing.T) {
	t.Parallel()
	config := leased(t)
	s := streamtest.Open(t, config)
	nothing := func(context.Context) error { return nil }
	if err := s.HoldLease(t.Context(), "north", "one", nothing); err != nil {
		t.Fatal(err)
	}
	leases, err := streamtest.JetStream(t, config.URL).KeyValue(t.Context(), config.Name+"_LEASES")
	if err != nil {
		t.Fatal(err)
	}
	for _, heir := range []string{"dead", "heir"} {
		if _, err := leases.PutString(t.Context(), "north", "dead"); err != nil {
			t.Fatal(err)
		}
		if err := s.HoldLease(t.Context(), "north", heir, nothing); err != nil {
			t.Errorf("%s: %v", heir, err)
		}
	}
}

func TestLeaseIsLostWithTheServer(t *testing.T) {
	t.Parallel()
	server := streamtest.Start(t, 1<<20)
	s := streamtest.Open(t, stream.Config{URL: server.URL(), Name: "CATALOG", Replicas: 1})
	err := s.HoldLease(t.Context(), "north", "one", func(ctx context.Context) error {
		server.Kill()
		<-ctx.Done()
		return context.Cause(ctx)
	})
	if !errors.Is(err, stream.ErrLeaseLost) {
		t.Errorf("got %v", err)
	}
	server.Resume()
	for deadline := time.Now().Add(streamtest.Patience); ; {
		err := s.HoldLease(t.Context(), "north", "one", func(context.Context) error { return nil })
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}
