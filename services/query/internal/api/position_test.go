package api

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/applied"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
)

// Every answer, cached or not, has the position that was heard before it, also one about a missing
// entity; a refused request has none.
func TestAnswersNameTheirPosition(t *testing.T) {
	client := indextest.New(t)
	eventsSite(t, client)
	signal := cache.NewSignal(time.Now)
	s := serveEvents(t, engine.New(client, patience), signal, 1<<20)
	expect := func(path string, status int, want string) {
		t.Helper()
		response, body := s.do(t, http.MethodGet, path, "")
		if got := response.Header.Get("Litfass-Position"); response.StatusCode != status || got != want {
			t.Errorf("%s: %d, position %q, want %d and %q: %.200s", path, response.StatusCode, got, status, want, body)
		}
	}
	expect("/api/events", http.StatusOK, "")
	signal.Hear(applied.Signal{Sequence: 1, Position: 4711})
	for _, path := range []string{"/api/events", "/api/events", "/api/venues", "/api/choosable-venues"} {
		expect(path, http.StatusOK, "4711")
	}
	expect("/api/event/01941f29-7c00-7000-8000-0000000000ff", http.StatusNotFound, "4711")
	expect("/api/events?limit=0", http.StatusBadRequest, "")
	signal.Hear(applied.Signal{Sequence: 1, Position: 4712})
	expect("/api/events", http.StatusOK, "4712")
}

// A request for a position is answered once the index is complete up to it. One for a position that
// does not come is refused with the lag, in the operation's envelope.
func TestRequestsWaitForTheirPosition(t *testing.T) {
	client := indextest.New(t)
	eventsSite(t, client)
	begun := time.Now()
	var later atomic.Int64
	signal := cache.NewSignal(func() time.Time { return begun.Add(time.Duration(later.Load())) })
	s := serveEvents(t, engine.New(client, patience), signal, 1<<20)
	ask := func(path, position string) (*http.Response, string) {
		t.Helper()
		response, body := s.do(t, http.MethodGet, path, "", "Litfass-Position", position)
		return response, string(body)
	}
	timing := regexp.MustCompile(`^position;dur=(\d+\.\d)$`)
	waited := func(response *http.Response, position string) (took time.Duration) {
		t.Helper()
		match := timing.FindStringSubmatch(response.Header.Get("Server-Timing"))
		if match == nil {
			t.Errorf("%q: the wait is %q", position, response.Header.Get("Server-Timing"))
			return 0
		}
		took, _ = time.ParseDuration(match[1] + "ms")
		return took
	}
	refused := func(path, position string, status int, code, reason string) {
		t.Helper()
		response, body := ask(path, position)
		if status == http.StatusConflict && waited(response, position) < positionWait {
			t.Errorf("%s with %q: refused after %q", path, position, response.Header.Get("Server-Timing"))
		}
		var f struct {
			Code    string
			Details []struct{ Field, Reason string }
		}
		if err := json.Unmarshal([]byte(body), &f); err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != status || f.Code != code || len(f.Details) != 1 ||
			f.Details[0].Field != "Litfass-Position" || f.Details[0].Reason != reason {
			t.Errorf("%s with %q: %d %s", path, position, response.StatusCode, body)
		}
	}
	refused("/api/events", "7", http.StatusConflict, "not_yet_applied", "is 7; what this read node has applied is not known")
	signal.Hear(applied.Signal{Sequence: 1, Position: 4711})
	later.Store(int64(7 * time.Second))
	signal.Hear(applied.Signal{Sequence: 1, Position: 4711})
	for _, position := range []string{"", "0", "1", "4711", "0004711"} {
		if response, body := ask("/api/events", position); response.StatusCode != http.StatusOK || response.Header.Get("Server-Timing") != "" {
			t.Errorf("%q: %d after %q %s", position, response.StatusCode, response.Header.Get("Server-Timing"), body)
		}
	}
	for _, path := range []string{"/api/events", "/api/choosable-venues", "/api/venue/" + version4} {
		refused(path, "4713", http.StatusConflict, "not_yet_applied", "is 4713; this read node has applied 4711, has been there for 7 s, and is 2 behind")
	}
	refused("/api/events", "18446744073709551615", http.StatusConflict, "not_yet_applied",
		"is 18446744073709551615; this read node has applied 4711, has been there for 7 s, and is 18446744073709546904 behind")
	for _, malformed := range []string{"x", "-1", "+1", "1.0", "0x10", "1_000", "1, 2", "18446744073709551616"} {
		refused("/api/events", malformed, http.StatusBadRequest, "invalid_position", "is not one number of decimal digits below 2^64")
	}
	for position := uint64(4713); ; position++ {
		time.AfterFunc(positionWait/4, func() { signal.Hear(applied.Signal{Sequence: position, Position: position}) })
		wanted := strconv.FormatUint(position, 10)
		response, body := ask("/api/events", wanted)
		if response.StatusCode != http.StatusOK || response.Header.Get("Litfass-Position") != wanted {
			t.Fatalf("%d, position %q: %s", response.StatusCode, response.Header.Get("Litfass-Position"), body)
		}
		if response.Header.Get("Server-Timing") != "" { // it arrived before the signal
			if waited(response, wanted) <= 0 {
				t.Errorf("waited for %q", response.Header.Get("Server-Timing"))
			}
			break
		}
	}
}

// A header that is sent twice has no one meaning.
func TestTwoPositionsAreRefused(t *testing.T) {
	signal := cache.NewSignal(time.Now)
	signal.Hear(applied.Signal{Position: 10})
	s := serveEvents(t, engine.New(indextest.New(t), patience), signal, 0)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+"/api/events", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header["Litfass-Position"] = []string{"1", "2"}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusBadRequest {
		t.Errorf("answered with %d", response.StatusCode)
	}
}
