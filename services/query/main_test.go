package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
)

// patience bounds every wait for something that must happen.
const patience = 20 * time.Second

// TestServe runs the whole service as its main does: with a key that only reads, against the real
// engine and NATS.
func TestServe(t *testing.T) {
	address, client, signal, _ := start(t, "off")
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

// TestKeys: keys raise limits while they are in the stream, without a restart.
func TestKeys(t *testing.T) {
	address, _, _, sender := start(t, "on")
	if err := sender.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	const text = "lfk_partner"
	digest, _ := change.HashKey(text)
	key := change.Key{Hash: hex.EncodeToString(digest[:]), Revision: 1}
	for _, step := range []struct{ tier, policy string }{
		{"partner", `"GET /api/events";q=6000;w=60`},
		{"standard", `"GET /api/events";q=600;w=60`},
		{"", `"GET /api/events";q=60;w=60`},
	} {
		key.Tier, key.Revision = step.tier, key.Revision+1
		if err := sender.PublishKeys(t.Context(), []change.Key{key}); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the tier "+step.tier, func() bool { return policy(t, address, text) == step.policy })
	}
}

// policy returns the limit of a search with this key; "" while nothing listens yet.
func policy(t *testing.T, address, key string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/api/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-API-Key", key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return ""
	}
	_ = response.Body.Close()
	return response.Header.Get("RateLimit-Policy")
}

// start runs the service until the test ends. signal sends the read node's freshness signal, and
// sender is the stream as the admin service has it.
func start(t *testing.T, limits string) (
	address string, client *index.Client, signal func(sequence uint64), sender *stream.Stream,
) {
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
	streams := streamtest.Config(t)
	listen := free(t)
	for variable, value := range map[string]string{
		"LISTEN": listen, "MEILI_URL": config.URL, "MEILI_KEY": key, "INDEX_PREFIX": config.Prefix, "LOG_LEVEL": "error",
		"NATS_URL": streams.URL, "STREAM": streams.Name, "READ_NODE": "here", "COMPRESS": "true",
		"RATE_LIMITS": limits,
	} {
		t.Setenv(variable, value)
	}
	sender = streamtest.Open(t, streams)
	runService(t)
	return "http://" + listen, client, func(sequence uint64) {
		t.Helper()
		if err := sender.SignalApplied("here", applied.Signal{Sequence: sequence}); err != nil {
			t.Fatal(err)
		}
	}, sender
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

// count returns the number of entries that the search finds.
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
