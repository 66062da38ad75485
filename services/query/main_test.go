package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"litfass/pkg/applied"
	"litfass/pkg/document"
	"litfass/pkg/index"
	"litfass/pkg/index/indextest"
	"litfass/pkg/stream"
)

// patience bounds every wait for something that must happen.
const patience = 20 * time.Second

// TestServe runs the whole service as its main does: with a key that only reads, against the real
// engine and NATS.
func TestServe(t *testing.T) {
	address, client, signal := start(t)
	putState(t, client, index.State{Filling: true})
	eventually(t, "the service", func() bool { return status(t, address+"/livez") == http.StatusOK })
	if code, body, err := ask(t, address+"/readyz"); code != http.StatusServiceUnavailable || !strings.Contains(body, "being filled") {
		t.Errorf("ready with an index that is being filled: %d %s, %v", code, body, err)
	}
	putState(t, client, index.State{})
	eventually(t, "readiness", func() bool { return status(t, address+"/readyz") == http.StatusOK })
	if got := count(t, address); got != 0 {
		t.Fatalf("%d entries in an empty index", got)
	}
	signal(1)
	eventually(t, "the signal", func() bool {
		signal(1)
		return strings.Contains(get(t, address+"/metrics"), "litfass_query_fresh 1")
	})
	count(t, address)
	put(t, client, `{"date_uuid":"01930000-0000-7000-8000-000000000001","start_key":202611200000,`+
		`"entry":"{\"date_uuid\":\"01930000-0000-7000-8000-000000000001\",\"start_date\":\"2026-11-20\",\"start_time\":\"00:00\"}"}`)
	eventually(t, "the change", func() bool {
		signal(2)
		return count(t, address) == 1
	})
	eventually(t, "a kept answer", func() bool {
		signal(2)
		count(t, address)
		return !strings.Contains(get(t, address+"/metrics"), `litfass_query_cache_answers_total{result="hit"} 0`)
	})
	if got := status(t, address+"/api/events?limit=0"); got != http.StatusBadRequest {
		t.Errorf("bad input gets %d", got)
	}
}

// start runs the service until the test ends. signal sends the read node's freshness signal.
func start(t *testing.T) (address string, client *index.Client, signal func(sequence uint64)) {
	t.Helper()
	config := indextest.Config(t)
	client = index.Connect(config)
	if err := client.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	key, err := client.ReadKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	name := "T" + strings.ReplaceAll(uuid.NewString(), "-", "")
	listen := free(t)
	for variable, value := range map[string]string{
		"LISTEN": listen, "MEILI_URL": config.URL, "MEILI_KEY": key, "INDEX_PREFIX": config.Prefix, "LOG_LEVEL": "error",
		"NATS_URL": os.Getenv("TEST_NATS_URL"), "STREAM": name, "READ_NODE": "here", "COMPRESS": "true",
	} {
		t.Setenv(variable, value)
	}
	sender, err := stream.Connect(t.Context(), stream.Config{URL: os.Getenv("TEST_NATS_URL"), Name: name, Replicas: 1}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sender.Close)
	runService(t)
	return "http://" + listen, client, func(sequence uint64) {
		t.Helper()
		if err := sender.SignalApplied("here", applied.Signal{Sequence: sequence}); err != nil {
			t.Fatal(err)
		}
	}
}

func runService(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("serve: %v", err)
			}
		case <-time.After(patience):
			t.Error("serve does not end")
		}
	})
}

// free returns a host:port that nothing listens on.
func free(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

func putState(t *testing.T, client *index.Client, state index.State) {
	t.Helper()
	if err := client.PutState(t.Context(), state); err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, client *index.Client, date string) {
	t.Helper()
	tasks, err := client.Add(t.Context(), document.Dates, [][]byte{[]byte(date)})
	if err == nil {
		err = client.Wait(t.Context(), tasks...)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !happened(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s does not come", what)
		}
	}
}

func ask(t *testing.T, address string) (int, string, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, string(body), err
}

// status returns 0 while nothing listens yet.
func status(t *testing.T, address string) int {
	t.Helper()
	status, _, err := ask(t, address)
	if err != nil {
		return 0
	}
	return status
}

func get(t *testing.T, address string) string {
	t.Helper()
	status, body, err := ask(t, address)
	if err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d, %v: %s", address, status, err, body)
	}
	return body
}

// count returns how many entries the search finds.
func count(t *testing.T, address string) int {
	t.Helper()
	var found struct {
		Data struct {
			Events []json.RawMessage `json:"events"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(get(t, address+"/api/events")), &found); err != nil {
		t.Fatal(fmt.Errorf("read the answer: %w", err))
	}
	return len(found.Data.Events)
}

func TestConfigurationIsChecked(t *testing.T) {
	for variable, value := range map[string]string{"MEILI_URL": "not an address", "TIME_ZONE": "Mars/Olympus", "QUERY_TIMEOUT": "soon", "ENGINE_CONCURRENCY": "0", "INDEX_PREFIX": "a b"} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv("MEILI_URL", "http://127.0.0.1:1")
			t.Setenv(variable, value)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if err := serve(ctx); err == nil || !strings.Contains(err.Error(), variable) {
				t.Errorf("error %v does not name %s", err, variable)
			}
		})
	}
}
