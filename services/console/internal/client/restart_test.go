package client

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
)

// TestRequestsAfterARestart: a replaced service closes the idle connections. No read fails because
// of the closed ones, and no edit.
func TestRequestsAfterARestart(t *testing.T) {
	const readers = 20
	var reading sync.WaitGroup
	reading.Add(readers)
	var apart atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !apart.Load() { // so that each read opens a connection
			reading.Done()
			reading.Wait()
		}
		_, _ = w.Write([]byte("{}"))
	}))
	t.Cleanup(server.Close)
	c := New(server.URL, "", time.Minute)
	var answered sync.WaitGroup
	for range readers {
		answered.Go(func() {
			if _, err := c.Do(t.Context(), Call{Path: "/api/events"}); err != nil {
				t.Error(err)
			}
		})
	}
	answered.Wait()
	apart.Store(true)
	server.CloseClientConnections()
	if _, err := c.Do(t.Context(), Call{Path: "/api/events"}); err != nil {
		t.Error(err)
	}
}

// TestEditsAreSentOnce: a service that ends amid an edit may have stored the edit.
// So the edit is not sent again, also over a connection from before.
func TestEditsAreSentOnce(t *testing.T) {
	var edits atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			edits.Add(1)
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(server.Close)
	c := New(server.URL, "", time.Minute)
	for sent := int64(1); sent <= 2; sent++ {
		if _, err := c.Do(t.Context(), Call{Path: "/livez"}); err != nil {
			t.Fatal(err)
		}
		_, err := c.Do(t.Context(), Call{Method: http.MethodPost, Path: "/api/admin/event/create", Body: map[string]string{"title": "Jazz"}})
		if !fault.Is(err, fault.Unavailable) || edits.Load() != sent {
			t.Errorf("the service got %d edits, want %d: %v", edits.Load(), sent, err)
		}
	}
}

// TestAgentsOfPeople: a browser's name cannot break a request.
func TestAgentsOfPeople(t *testing.T) {
	var agent atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { agent.Store(r.Header["User-Agent"]) }))
	t.Cleanup(server.Close)
	c := New(server.URL, "", time.Minute)
	for sent, want := range map[string]int{"Brow\x01ser\r\nX-Api-Key: forged": 1, "": 0} {
		if _, err := c.Do(t.Context(), Call{Path: "/livez", Agent: sent}); err != nil {
			t.Fatal(err)
		}
		if got := agent.Load().([]string); len(got) != want || want == 1 && got[0] != "BrowserX-Api-Key: forged" {
			t.Errorf("%q: the service got %q", sent, got)
		}
	}
}
