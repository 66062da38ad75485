package cache

import (
	"encoding/json"
	"fmt"
	"testing"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/applied"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// TestATimeOfChangeInvalidatesWhatReadsIt: an edit sets the time of change of all dates of its
// event. Answers that show or order by it are compared with all of these dates, others only with
// the ones that changed otherwise.
func TestATimeOfChangeInvalidatesWhatReadsIt(t *testing.T) {
	t.Parallel()
	const dates, others = 975, 1_100
	id := func(n int) string { return fmt.Sprintf("0192f0a0-0000-7000-8000-%012d", n) }
	var batch applied.Batch
	for n := range dates {
		at := func(time string) applied.Attributes {
			return applied.Attributes{
				"date_uuid": json.RawMessage(`"` + id(n) + `"`), "start_key": json.RawMessage(fmt.Sprint(202611010000 + n)),
				"title_words": json.RawMessage(`"jazz"`), "venue_uuid": json.RawMessage(`"v"`), "changed_at": json.RawMessage(time),
			}
		}
		batch.Dates = append(batch.Dates, applied.Date{ID: id(n), Before: at(`"2026-11-20T10:00:00Z"`), After: at(`"2026-11-20T11:00:00Z"`)})
	}
	every := func(words string) Criteria {
		return NewCriteria(filter.Simplify(filter.Dates(params.Query{}, filter.Places{})), "", words)
	}
	answers, payload := map[Key]Answer{}, encoded.NewPayload([]byte("{}"))
	for n := range others {
		answers[Key{0, byte(n >> 8), byte(n)}] = &Suggestions{Payload: payload, Criteria: every("jazz"), Places: map[string]map[string]bool{"venue_uuid": {"v": true}}}
	}
	answers[Key{1}] = &Page{Payload: payload, Criteria: every(""), ByStart: true, IDs: id(dates - 1)}
	answers[Key{2}] = &Tally{Criteria: every("jazz"), Total: dates}
	answers[Key{3}] = &Page{Payload: payload, Criteria: every(""), ByStart: true, ShowsChange: true, IDs: id(dates)}
	answers[Key{4}] = &Page{Payload: payload, Criteria: every(""), ByStart: true, ShowsChange: true, IDs: id(dates - 1)}
	answers[Key{5}] = &Page{Payload: payload, Criteria: every("jazz"), ByChange: true}
	invalid := map[Key]bool{{4}: true, {5}: true}
	c, s := newCache(1 << 30)
	for key, answer := range answers {
		c.put(&entry{kind: "test", key: key, answer: answer}, c.applied)
	}
	s.Hear(applied.Signal{Sequence: 2, Batches: 1, Batch: &batch})
	for key := range answers {
		if cached := c.entries.peek(key) != nil; cached == invalid[key] {
			t.Errorf("%T %d: cached %v", answers[key], key[0], cached)
		}
	}
	if stats := c.Stats(); stats.Dropped[Form]+stats.Dropped[Rank] != uint64(len(invalid)) || stats.Dropped[Work] > 0 || stats.Compared != 3*dates {
		t.Errorf("%+v", stats)
	}
}
