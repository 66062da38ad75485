package api

import (
	"net/http"
	"testing"
	"time"

	"litfass/pkg/applied"
	"litfass/pkg/index/indextest"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/fresh"
)

// Every answer, kept or not, names the position that was heard before it, that of what is not there
// included; a refused request none.
func TestAnswersNameTheirPosition(t *testing.T) {
	client := indextest.New(t)
	eventsSite(t, client)
	signal := fresh.NewSignal(time.Now)
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
