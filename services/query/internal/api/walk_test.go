package api

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/params"
)

// TestAWalkByCursorSeesEveryDateOnce: dates are added between its pages, before and after the
// cursor, many at the same moment.
func TestAWalkByCursorSeesEveryDateOnce(t *testing.T) {
	client := indextest.New(t)
	s := serveEvents(t, engine.New(client, patience), cache.NewSignal(time.Now), 0)
	random := rand.New(rand.NewPCG(3, 5))
	made := 0
	var stored []document.Date
	add := func(n int) {
		var lines [][]byte
		for range n {
			made++
			start := fmt.Sprintf("2026-11-%02d", 1+random.IntN(5))
			if random.IntN(3) > 0 {
				start += fmt.Sprintf("T%02d:00", random.IntN(3))
			}
			draft := dated{'x', start, "", "Concert", nil}.draft()
			draft.DateUUID = fmt.Sprintf("01930000-0000-7000-%04x-%012x", 0x8000+random.IntN(0x4000), made)
			doc := draft.document()
			stored = append(stored, doc)
			lines = append(lines, encode(t, doc))
		}
		put(t, client, document.Dates, lines...)
	}
	add(60)
	seen := map[string]int{}
	cursor, last := url.Values{}, ""
	for {
		var got enveloped[page]
		s.get(t, "/api/events?limit=7&"+cursor.Encode(), &got)
		if len(got.Data.Events) == 0 {
			break
		}
		for _, e := range got.Data.Events {
			place := e.StartDate + "T" + e.StartTime + e.DateUUID
			if place <= last {
				t.Fatalf("%s comes after %s", place, last)
			}
			last = place
			seen[e.DateUUID]++
		}
		cursor = url.Values{"last_event_start_at": {*got.Data.LastStartAt}, "last_event_date_uuid": {*got.Data.LastDateUUID}}
		if made < 100 {
			add(random.IntN(6))
		}
	}
	for i, doc := range stored {
		if n := seen[doc.DateUUID]; i < 60 && n != 1 || n > 1 {
			t.Errorf("date %d is seen %d times", i, n)
		}
	}
	if len(seen) == 60 {
		t.Error("no date that was added behind the cursor is seen")
	}
}

// concerts are dates that "jazz concert" finds with every kind of relevance: in one attribute or in
// two, near or far, with typing errors, whole or as the beginning of a word, many alike.
func concerts(t *testing.T, random *rand.Rand, n int) [][]byte {
	t.Helper()
	words := []string{"Jazz", "jazzz", "Jaz", "concert", "concerts", "concrt", "late", "night", "club", "of", "the"}
	text := func() string {
		chosen := []string{"Jazz", "concert"}
		for range random.IntN(6) {
			chosen = append(chosen, words[random.IntN(len(words))])
		}
		if random.IntN(2) == 0 {
			chosen[random.IntN(2)] = words[random.IntN(6)]
		}
		random.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		return strings.Join(chosen, " ")
	}
	var lines [][]byte
	for i := range n {
		title, tag := text(), "x"
		if i%3 == 0 {
			title, tag = "Something else", text()
		}
		draft := dated{'x', fmt.Sprintf("2026-11-%02d", 1+i%5), "", title, each(tags(tag), priced([]string{"free", "donation"}[i%2], 0, ""))}.draft()
		draft.DateUUID = fmt.Sprintf("01930000-0000-7000-%04x-%012x", 0x8000+random.IntN(0x4000), i)
		if i%7 > 0 { // the others are of an older version
			draft.doc.ChangedAt = time.Unix(int64(random.IntN(n/10)), 0).UTC().Format(time.RFC3339)
		}
		lines = append(lines, encode(t, draft.document()))
	}
	return lines
}

// walkAndPage reads a search by cursor and by offset.
func (s site) walkAndPage(t *testing.T, query string, limit int) (walked, paged []string) {
	t.Helper()
	address := fmt.Sprintf("/api/events?%s&limit=%d&", query, limit)
	for cursor := (url.Values{}); ; {
		var got enveloped[page]
		s.get(t, address+cursor.Encode(), &got)
		if len(got.Data.Events) == 0 {
			break
		}
		for i, e := range got.Data.Events {
			walked = append(walked, e.DateUUID)
			if e.SearchRank != i+1 {
				t.Errorf("rank %d of entry %d", e.SearchRank, i)
			}
		}
		cursor = url.Values{"last_event_start_at": {*got.Data.LastStartAt}, "last_event_date_uuid": {*got.Data.LastDateUUID}}
	}
	for {
		var got enveloped[page]
		s.get(t, fmt.Sprintf("%soffset=%d", address, len(paged)), &got)
		for _, e := range got.Data.Events {
			paged = append(paged, e.DateUUID)
		}
		if len(got.Data.Events) == 0 {
			return walked, paged
		}
	}
}

// TestAWalkBySearchSeesEveryDateOnce: by cursor in the order of relevance and of change, which is
// that of the pages by offset, near the beginning and far from it, with and without the cache and
// filters.
func TestAWalkBySearchSeesEveryDateOnce(t *testing.T) {
	client := indextest.New(t)
	put(t, client, document.Dates, concerts(t, rand.New(rand.NewPCG(9, 4)), 700)...)
	signal := cache.NewSignal(time.Now)
	for _, kept := range []int{0, 1 << 20} {
		signal.Hear(applied.Signal{Sequence: 1})
		s := serveEvents(t, engine.New(client, patience), signal, kept)
		for _, query := range []string{"search=jazz", "search=jazz+concert", "search=jazz+concert&price=free", "search=concert+jaz&categories=", "sort=changed", "search=jazz&sort=changed"} {
			walked, paged := s.walkAndPage(t, query, 23)
			if len(paged) < 250 || !slices.Equal(walked, paged) {
				t.Errorf("%s: walked over %d dates, paged over %d, or in another order", query, len(walked), len(paged))
			}
		}
	}
}

// TestAWalkByWordsEndsAtItsBound: the answer after the last place says so, unlike that to a cursor
// whose date is gone.
func TestAWalkByWordsEndsAtItsBound(t *testing.T) {
	client := indextest.New(t)
	lines := make([][]byte, 0, params.MaxOffset+3)
	for i := range cap(lines) {
		draft := dated{'x', "2026-11-20", "", "Jazz", nil}.draft()
		draft.DateUUID = fmt.Sprintf("01930000-0000-7000-8000-%012x", i)
		lines = append(lines, encode(t, draft.document()))
	}
	put(t, client, document.Dates, lines...)
	s := serveEvents(t, engine.New(client, patience), cache.NewSignal(time.Now), 0)
	after := func(place int) (int, enveloped[page]) {
		response, body := s.do(t, http.MethodGet, fmt.Sprintf(
			"/api/events?search=jazz&limit=1&last_event_start_at=2026-11-20T00:00&last_event_date_uuid=01930000-0000-7000-8000-%012x", place-1), "")
		var got enveloped[page]
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, got
	}
	if status, got := after(params.MaxOffset); status != http.StatusOK || len(got.Data.Events) != 1 {
		t.Errorf("after the last place: %d %+v", status, got)
	}
	if status, got := after(params.MaxOffset + 1); status != http.StatusBadRequest || got.Code != "cursor_at_end" {
		t.Errorf("beyond the last place: %d %+v", status, got)
	}
	if status, got := after(1 << 20); status != http.StatusBadRequest || got.Code != "cursor_gone" {
		t.Errorf("of a date that is gone: %d %+v", status, got)
	}
}

// TestTheLatestChangeIsFirst: in the search and in its feeds, and dates that changed at the same
// time are in the order by start.
func TestTheLatestChangeIsFirst(t *testing.T) {
	client := indextest.New(t)
	var lines [][]byte
	for name, changedAt := range map[byte]string{
		'a': "2026-11-02T10:00:00Z", 'b': "2026-11-03T10:00:00Z", 'c': "", 'd': "2026-11-03T10:00:00Z", 'e': "2026-11-03T09:59:59Z",
	} {
		draft := dated{name, fmt.Sprintf("2026-12-%02d", name-'a'+1), "", "Jazz", nil}.draft()
		draft.doc.ChangedAt = changedAt
		lines = append(lines, encode(t, draft.document()))
	}
	put(t, client, document.Dates, lines...)
	s := serveEvents(t, engine.New(client, patience), cache.NewSignal(time.Now), 0)
	for _, query := range []string{"sort=changed", "sort=changed&search=jazz", "sort=changed&group=event"} {
		var got enveloped[page]
		s.get(t, "/api/events?"+query, &got)
		order := ""
		for _, e := range got.Data.Events {
			order += nameOf(t, e.DateUUID)
		}
		if order != "bdeac" {
			t.Errorf("%s: %s", query, order)
		}
	}
	_, body := s.do(t, http.MethodGet, "/api/events.rss?sort=changed&limit=2", "")
	first, second := strings.Index(string(body), dateID('b')), strings.Index(string(body), dateID('d'))
	if first < 0 || second < first || strings.Contains(string(body), dateID('e')) || strings.Count(string(body), "2026-11-03T10:00:00Z") != 2 {
		t.Errorf("the feed is %s", body)
	}
}

// TestACursorWhoseDateLeftTheSearchIsGone: the date is elsewhere in the order by start, not in that
// of relevance.
func TestACursorWhoseDateLeftTheSearchIsGone(t *testing.T) {
	s := eventsSite(t, indextest.New(t))
	cursor := "last_event_start_at=2026-11-20T00:00&last_event_date_uuid=" + dateID('d')
	for _, query := range []string{"search=jazz&" + cursor, "search=midnight&title=nothing&" + cursor, "search=midnight&geolist_region=a,b,c&" + cursor} {
		response, body := s.do(t, "GET", "/api/events?"+query, "")
		var got enveloped[json.RawMessage]
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != http.StatusBadRequest || got.Code != "cursor_gone" || got.ResponseType != "get-events" ||
			len(got.Details) != 1 || got.Details[0].Field != "last_event_date_uuid" {
			t.Errorf("%s: %d %s", query, response.StatusCode, body)
		}
	}
	var last enveloped[page]
	if s.get(t, "/api/events?search=midnight&"+cursor, &last); len(last.Data.Events) != 0 || last.Data.LastDateUUID != nil {
		t.Errorf("behind the last date: %+v", last.Data)
	}
	var counted enveloped[struct {
		Total int `json:"total_event_count"`
	}]
	if s.get(t, "/api/events/type-summary?search=jazz&"+cursor, &counted); counted.Data.Total != 3 {
		t.Errorf("the summary counts %d, want 3 with any cursor", counted.Data.Total)
	}
}
