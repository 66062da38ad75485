package main

import (
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/applied"
)

// TestALaggingNodeIsNotReady: while a query service of another read node is ahead for longer than
// the limit.
func TestALaggingNodeIsNotReady(t *testing.T) {
	t.Setenv("READY_LAG", "1s")
	address, client, _, _ := start(t, "off")
	putState(t, client, index.State{})
	config := stream.Config{URL: os.Getenv("NATS_URL"), Name: os.Getenv("STREAM"), Replicas: 1}
	nats, err := stream.Connect(t.Context(), config, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nats.Close)
	announce := func(own, other uint64) {
		t.Helper()
		if err := nats.SignalApplied("here", applied.Signal{Sequence: own, Position: own}); err != nil {
			t.Fatal(err)
		}
		if err := nats.SignalServing(stream.Serving{Node: "there", Position: other, Ready: true}); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "readiness", func() bool { announce(7, 7); return status(t, address+"/readyz") == http.StatusOK })
	eventually(t, "its end", func() bool {
		announce(7, 8)
		code, body, err := ask(t, address+"/readyz")
		return err == nil && code == http.StatusServiceUnavailable && strings.Contains(body, "1 of 2 read nodes")
	})
	eventually(t, "readiness again", func() bool { announce(8, 8); return status(t, address+"/readyz") == http.StatusOK })
}
