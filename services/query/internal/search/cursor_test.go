package search

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/fault"
	"litfass/pkg/index"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/fresh"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/places"
)

// ranked is an engine that finds so many dates by any words, and that notes the pages of ids asked
// for.
type ranked struct {
	dates int
	steps []string
}

func rankedID(place int) string { return fmt.Sprintf("01930000-0000-7000-8000-%012x", place) }

func (r *ranked) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	var asked struct {
		AttributesToRetrieve []string
		Offset, Limit        int
	}
	if err := json.NewDecoder(request.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if len(asked.AttributesToRetrieve) == 1 {
		r.steps = append(r.steps, fmt.Sprintf("%d+%d", asked.Offset, asked.Limit))
	}
	var hits []string
	for place := asked.Offset; place < min(asked.Offset+asked.Limit, r.dates); place++ {
		hits = append(hits, fmt.Sprintf(`{"date_uuid":%q,"start_date":"2026-11-20","start_time":"19:30"}`, rankedID(place)))
	}
	fmt.Fprintf(w, `{"hits":[%s],"query":"jazz"}`, strings.Join(hits, ","))
}

func newRanked(t *testing.T, dates int, signal *fresh.Signal) (*Searcher, *ranked) {
	t.Helper()
	found := &ranked{dates: dates}
	server := httptest.NewServer(found)
	t.Cleanup(server.Close)
	e, err := engine.Connect(index.Config{URL: server.URL}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	store := places.NewStore(places.InIndexes(e), signal, time.Now, slog.New(slog.DiscardHandler))
	return NewSearcher(e, store, fresh.NewCache(signal, 10<<20, time.Minute)), found
}

func behind(place, limit int) params.Query {
	return params.Query{Search: "jazz", Limit: limit, After: &params.Cursor{DateUUID: rankedID(place)}}
}

// TestACursorIsLookedForInSteps: each step is asked for once while nothing changes, and none beyond
// the date's own.
func TestACursorIsLookedForInSteps(t *testing.T) {
	signal := fresh.NewSignal(time.Now)
	s, found := newRanked(t, 20_000, signal)
	for _, test := range []struct {
		place int
		steps []string
	}{
		{0, []string{"0+200"}},
		{199, nil},
		{200, []string{"200+800"}},
		{999, nil},
		{params.MaxOffset - 1, []string{"1000+2000", "3000+7000"}},
		{1_500, nil},
	} {
		found.steps = nil
		signal.Applied(1)
		data, err := s.Events(t.Context(), behind(test.place, 1))
		if err != nil || !strings.Contains(string(data), rankedID(test.place+1)) || !strings.Contains(string(data), `"search_rank":1,`) {
			t.Errorf("behind %d: %s, %v", test.place, data, err)
		}
		if !slices.Equal(found.steps, test.steps) {
			t.Errorf("behind %d: asked for %v, want %v", test.place, found.steps, test.steps)
		}
	}
	if _, err := s.Events(t.Context(), behind(params.MaxOffset, 1)); fault.Of(err).Code != "cursor_gone" {
		t.Errorf("behind a date beyond the first %d: %v", params.MaxOffset, err)
	}
}

func TestACursorIsNotLookedForBehindTheLastDate(t *testing.T) {
	s, found := newRanked(t, 150, fresh.NewSignal(time.Now))
	if _, err := s.Events(t.Context(), behind(150, 20)); fault.Of(err).Code != "cursor_gone" || !fault.Is(err, fault.Invalid) {
		t.Errorf("behind a date that is not found: %v", err)
	}
	if want := []string{"0+200"}; !slices.Equal(found.steps, want) {
		t.Errorf("asked for %v, want %v", found.steps, want)
	}
}
