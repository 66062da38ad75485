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

// TestOnlyWhatIsComparedCounts: answers that read no attribute which a batch altered are kept,
// however many they are, and only the others count as compared.
func TestOnlyWhatIsComparedCounts(t *testing.T) {
	t.Parallel()
	const dates, others = 1_000, 1_100
	var batch applied.Batch
	for n := range dates {
		at := func(words string) applied.Attributes {
			return applied.Attributes{
				"date_uuid": json.RawMessage(fmt.Sprintf(`"0192f0a0-0000-7000-8000-%012d"`, n)), "start_key": json.RawMessage(fmt.Sprint(202611010000 + n)),
				"text_words": json.RawMessage(words),
			}
		}
		batch.Dates = append(batch.Dates, applied.Date{ID: fmt.Sprint(n), Before: at(`"eins"`), After: at(`"zwei"`)})
	}
	about := func(words string) Criteria {
		return NewCriteria(filter.Simplify(filter.Dates(params.Query{}, filter.Places{})), "", words)
	}
	c, s := newCache(1 << 30)
	for n := range others {
		key := Key{0, byte(n >> 8), byte(n)}
		answer := []Answer{
			&Page{Criteria: about(""), ByStart: true, Total: &Tally{Criteria: about("")}}, &Tally{Criteria: about(""), Grouped: true},
			&Hints{Payload: encoded.NewPayload([]byte("{}")), Search: about(""), Relaxed: []*Tally{{Criteria: about("")}}},
		}[n%3]
		c.put(&entry{kind: "test", key: key, answer: answer}, c.applied)
	}
	c.put(&entry{kind: "test", key: Key{1}, answer: &Tally{Criteria: about("jazz")}}, c.applied)
	s.Hear(applied.Signal{Sequence: 2, Batches: 1, Batch: &batch})
	if stats := c.Stats(); stats.Entries != others+1 || stats.Compared != dates {
		t.Errorf("%+v", stats)
	}
}

// TestRenderedEntriesAreExchanged: where only rendered entries changed, the pages that show them
// exchange them, and nothing else is compared.
func TestRenderedEntriesAreExchanged(t *testing.T) {
	t.Parallel()
	id := func(n int) string { return fmt.Sprintf("0192f0a0-0000-7000-8000-%012d", n) }
	attributes := func(n int) applied.Attributes {
		return applied.Attributes{
			"date_uuid": json.RawMessage(`"` + id(n) + `"`), "uuid": json.RawMessage(`"` + id(1_000+n/2) + `"`),
			"start_key": json.RawMessage(fmt.Sprint(202611010000 + n)), "changed_at": json.RawMessage(`"2026"`),
		}
	}
	batch := applied.Batch{Whole: true}
	for n := range 6 {
		batch.Dates = append(batch.Dates, applied.Date{
			ID: id(n), Before: attributes(n), After: attributes(n), Shown: true, Entry: []string{fmt.Sprintf(`{"new":%d}`, n)}, Revision: 2,
		})
	}
	batch.Dates[5].After["changed_at"] = json.RawMessage(`"2027"`)
	every := NewCriteria(filter.Simplify(filter.Dates(params.Query{}, filter.Places{})), "", "")
	pageOf := func(grouped bool, numbers ...int) *Page {
		var rows []Row
		for _, n := range numbers {
			rows = append(rows, Row{
				Cursor: params.Cursor{StartKey: int64(202611010000 + n), DateUUID: id(n)}, Members: []byte(`"old":0}`), Event: id(1_000 + n/2), Dates: 2,
			})
		}
		return NewPage(Page{Criteria: every, ByStart: true, Grouped: grouped, Limit: len(rows), Encode: func(_ *Page, rows []Row) ([]byte, []Span) {
			var data []byte
			var spans []Span
			for _, row := range rows {
				from := uint32(len(data)) //nolint:gosec // short
				data = append(data, row.Members...)
				spans = append(spans, Span{from, uint32(len(data))}) //nolint:gosec // short
			}
			return data, spans
		}}, rows, false)
	}
	c, s := newCache(1 << 30)
	for i, page := range []*Page{pageOf(false, 0, 3, 8), pageOf(true, 2, 8), pageOf(false, 8, 9)} {
		c.put(&entry{kind: "test", key: Key{byte(i)}, answer: page}, c.applied)
	}
	c.put(&entry{kind: "test", key: Key{9}, answer: &Tally{Criteria: every, Total: 10}}, c.applied)
	s.Hear(applied.Signal{Sequence: 2, Batches: 1, Batch: &batch})
	for i, want := range []string{`"new":0}"new":3}"old":0}`, `"new":2}"old":0}`, `"old":0}"old":0}`} {
		if shown := c.entries.peek(Key{byte(i)}).answer.(*Page).Payload.Plain(); string(shown) != want+"}" { //nolint:forcetypeassert // as put; the end is the envelope's
			t.Errorf("page %d shows %s, want %s", i, shown, want)
		}
	}
	if stats := c.Stats(); stats.Patched != 2 || stats.Entries != 4 || stats.Compared != 0 {
		t.Errorf("%+v", stats)
	}
	for i := range batch.Dates {
		batch.Dates[i].Entry = []string{fmt.Sprintf(`{"newer":%d}`, i)}
	}
	batch.Dates = append(batch.Dates, applied.Date{ID: id(900), After: attributes(900), Shown: true, Entry: []string{`{"comes":1}`}})
	s.Hear(applied.Signal{Sequence: 3, Batches: 2, Batch: &batch})
	for i, want := range []string{`"newer":0}"newer":3}"old":0}`, `"newer":2}"old":0}`} {
		if shown := c.entries.peek(Key{byte(i)}).answer.(*Page).Payload.Plain(); string(shown) != want+"}" { //nolint:forcetypeassert // as put; the end is the envelope's
			t.Errorf("next to a date that comes, page %d shows %s, want %s", i, shown, want)
		}
	}
}
