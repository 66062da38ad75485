package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"litfass/pkg/chassis/index"
	"litfass/pkg/contracts/applied"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
)

// slowEngine is an engine without documents that can delay searches.
type slowEngine struct {
	slow     atomic.Bool
	searches atomic.Int32 // that were delayed
	released chan struct{}
}

func (s *slowEngine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	if !strings.HasSuffix(r.URL.Path, "/search") {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"message":"not there","code":"document_not_found","type":"invalid_request"}`)
		return
	}
	if s.slow.Load() {
		s.searches.Add(1)
		<-s.released
	}
	_, _ = io.WriteString(w, `{"hits":[],"query":"","processingTimeMs":0,"limit":20,"offset":0,"estimatedTotalHits":0}`)
}

// TestAWaveOfMissesStarvesNoOthers: while searches wait for the engine, cached answers and details
// are served as usual, a search in flight is shared, and one over the limit is refused.
func TestAWaveOfMissesStarvesNoOthers(t *testing.T) {
	slow := &slowEngine{released: make(chan struct{})}
	server := httptest.NewServer(slow)
	t.Cleanup(server.Close)
	release := sync.OnceFunc(func() { close(slow.released) })
	t.Cleanup(release)
	e, err := engine.Connect(index.Config{URL: server.URL}, patience)
	if err == nil {
		e, err = e.Limited(1)
	}
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	signal := cache.NewSignal(func() time.Time { return now }) // never silent
	signal.Hear(applied.Signal{Sequence: 1})
	s := serveEvents(t, e, signal, 1<<20)
	t.Cleanup(http.DefaultClient.CloseIdleConnections) // the server waits for requests that it has not received
	want := func(path string, status int) []byte {
		t.Helper()
		response, body := s.do(t, "GET", path, "")
		if response.StatusCode != status {
			t.Errorf("%s: %d %s, want %d", path, response.StatusCode, body, status)
		}
		return body
	}
	miss := func(i int) string { return fmt.Sprintf("/api/events?limit=1&offset=%d", i) }
	want("/api/events", http.StatusOK)

	slow.slow.Store(true)
	var wave sync.WaitGroup
	wave.Go(func() { want(miss(0), http.StatusOK) })
	for slow.searches.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	wave.Go(func() { want(miss(0), http.StatusOK) })
	var refused atomic.Int32
	const more = 100 // than may wait
	var refusals sync.WaitGroup
	for i := range more {
		refusals.Go(func() {
			if response, body := s.do(t, "GET", miss(1+i), ""); response.StatusCode != http.StatusOK {
				refused.Add(1)
				wantRefusal(t, response, body)
			}
		})
	}
	for refused.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	for range 10 {
		want("/api/events", http.StatusOK)
		want("/api/event/"+unknown, http.StatusNotFound)
	}
	if searches := slow.searches.Load(); searches != 1 {
		t.Errorf("%d searches at once", searches)
	}
	refusals.Wait() // waiting ones are refused after a second
	release()
	wave.Wait()
	want(miss(1), http.StatusOK)
}

func wantRefusal(t *testing.T, response *http.Response, body []byte) {
	t.Helper()
	var got enveloped[json.RawMessage]
	if err := json.Unmarshal(body, &got); err != nil {
		t.Error(err)
	}
	wait, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if response.StatusCode != http.StatusServiceUnavailable || err != nil || wait < 1 || got.Status != 503 || got.Code != "overloaded" {
		t.Errorf("refused with %d, Retry-After %d, %s", response.StatusCode, wait, body)
	}
}
