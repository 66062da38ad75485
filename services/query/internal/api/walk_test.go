package api

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"testing"
	"time"

	"litfass/pkg/document"
	"litfass/pkg/index/indextest"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/fresh"
)

// TestAWalkByCursorSeesEveryDateOnce: dates are added between its pages, before and behind the cursor, many at the same
// moment.
func TestAWalkByCursorSeesEveryDateOnce(t *testing.T) {
	client := indextest.New(t)
	s := serveEvents(t, engine.New(client, patience), fresh.NewSignal(time.Now), 0)
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
			doc := dated{'x', start, "", "Concert", nil}.document()
			doc.DateUUID = fmt.Sprintf("01930000-0000-7000-%04x-%012x", 0x8000+random.IntN(0x4000), made)
			stored = append(stored, doc)
			lines = append(lines, encoded(t, doc))
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
