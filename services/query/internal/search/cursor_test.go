package search

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/index"
	"litfass/pkg/contracts/applied"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/params"
	"litfass/services/query/internal/places"
)

// ranked is an engine that finds this many dates by any words, and counts the questions and the
// documents of its answers.
type ranked struct {
	dates                int
	questions, documents int
}

func rankedID(place int) string { return fmt.Sprintf("01930000-0000-7000-8000-%012x", place) }

func (r *ranked) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	var asked struct {
		Filter        string
		Offset, Limit int
	}
	if err := json.NewDecoder(request.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	first, end := asked.Offset, min(asked.Offset+asked.Limit, r.dates)
	if _, err := fmt.Sscanf(asked.Filter, `date_uuid = "01930000-0000-7000-8000-%12x"`, &first); err == nil {
		end = min(first+1, r.dates)
	}
	var hits []string
	for place := first; place < end; place++ {
		hits = append(hits, fmt.Sprintf(
			`{"date_uuid":%[1]q,"entry":"{\"date_uuid\":\"%[1]s\",\"start_date\":\"2026-11-20\",\"start_time\":\"19:30\"}",`+
				`"start_key":202611201930,"_rankingScore":%[2]g}`,
			rankedID(place), 1-float64(place/50)/1000)) // fifty at a time have one score
	}
	r.questions++
	r.documents += len(hits)
	fmt.Fprintf(w, `{"hits":[%s],"query":"jazz"}`, strings.Join(hits, ","))
}

func newRanked(t *testing.T, dates int, signal *cache.Signal) (*Searcher, *ranked) {
	t.Helper()
	found := &ranked{dates: dates}
	server := httptest.NewServer(found)
	t.Cleanup(server.Close)
	e, err := engine.Connect(index.Config{URL: server.URL}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	store := places.NewStore(places.InIndexes(e), signal, time.Now, slog.New(slog.DiscardHandler))
	return NewSearcher(e, store, nil, nil, cache.New(signal, 10<<20, time.Minute)), found
}

func behind(place, limit int) params.Query {
	return params.Query{Search: "jazz", Limit: limit, After: &params.Cursor{DateUUID: rankedID(place)}}
}

// TestACursorIsLookedForByFewDocuments: near ones by one question, which is cached while nothing
// changes, far ones by binary search.
func TestACursorIsLookedForByFewDocuments(t *testing.T) {
	signal := cache.NewSignal(time.Now)
	s, found := newRanked(t, 20_000, signal)
	for _, test := range []struct{ place, questions, documents int }{
		{0, 2, near + 1}, {near - 1, 1, 1}, {near, 16, 16}, {777, 16, 16}, {5_000, 16, 16}, {params.MaxOffset - 1, 16, 16},
	} {
		found.questions, found.documents = 0, 0
		signal.Hear(applied.Signal{Sequence: 1})
		payload, err := s.Events(t.Context(), behind(test.place, 1), QueryString{})
		data := read(t, payload)
		if err != nil || !strings.Contains(string(data), rankedID(test.place+1)) || !strings.Contains(string(data), `"search_rank":1,`) {
			t.Errorf("behind %d: %s, %v", test.place, data, err)
		}
		if found.questions > test.questions || found.documents > test.documents {
			t.Errorf("behind %d: %d questions and %d documents, want at most %d and %d",
				test.place, found.questions, found.documents, test.questions, test.documents)
		}
	}
}

func TestACursorIsGoneWhenItsDateIs(t *testing.T) {
	for _, test := range []struct {
		dates, place, questions int
		code                    string
	}{
		{150, 150, 1, "cursor_gone"}, {near, near, 2, "cursor_gone"}, {3_000, 3_000, 2, "cursor_gone"},
		{20_000, params.MaxOffset, 16, "cursor_at_end"}, {20_000, 19_999, 16, "cursor_at_end"},
	} {
		s, found := newRanked(t, test.dates, cache.NewSignal(time.Now))
		_, err := s.Events(t.Context(), behind(test.place, 20), QueryString{})
		if fault.Of(err).Code != test.code || !fault.Is(err, fault.Invalid) || len(fault.Of(err).Violations) != 1 {
			t.Errorf("behind %d of %d: %v", test.place, test.dates, err)
		}
		if found.questions > test.questions {
			t.Errorf("behind %d of %d: %d questions, want at most %d", test.place, test.dates, found.questions, test.questions)
		}
	}
}
