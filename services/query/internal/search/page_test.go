package search

import (
	"bytes"
	"reflect"
	"testing"

	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/params"
)

func TestPayloadOfBrokenAnswersIsAnError(t *testing.T) {
	for _, answer := range []string{
		`{"hits":[{"date_uuid":5}]}`, `{}`, `[]`, `{"hits":[{"entry":5}]}`, `{"hits":[{"entry":""}]}`, `{"hits":[{"entry":"[]"}]}`,
		`{"hits":[{"entry":"{\"date_uuid\":5}"}]}`, `{"hits":[{"entry":null}]}`, `{"hits":[{}]}`,
	} {
		entries, ok := bothWays(t, answer)
		if !ok {
			continue
		}
		if rows, err := (page{}).rowsOf(entries); err == nil {
			t.Errorf("%s: %v", answer, rows)
		}
	}
}

// bothWays returns the entries of an answer. Read in one pass, they must be the same.
func bothWays(t *testing.T, answer string) (entries [][]byte, ok bool) {
	t.Helper()
	hits, err := engine.Hits([]byte(answer))
	if err != nil {
		return nil, false
	}
	if entries, err = entriesOf(hits); err != nil {
		return nil, false
	}
	texts, _, ok := engine.Texts([]byte(answer), "entry", nil)
	if ok && !reflect.DeepEqual(texts, entries) {
		t.Errorf("%s: read as %q in one pass, as %q in several", answer, texts, entries)
	}
	return entries, true
}

func TestEntriesAreCopied(t *testing.T) {
	const texts = `{"hits":[{"entry":"{\"title\":\"\\\"a\\\\ & <b>\",\"date_uuid\":\"0192f0a0-0000-7000-8000-000000000001\",\"start_date\":\"2026-11-20\",\"start_time\":\"19:30\"}"}]}`
	const former = `{"hits":[{"title":"\"a\\ & <b>","date_uuid":"0192f0a0-0000-7000-8000-000000000001","start_date":"2026-11-20","start_time":"19:30"}]}`
	const want = `{"events":[{"search_rank":8,"title":"\"a\\ & <b>","date_uuid":"0192f0a0-0000-7000-8000-000000000001","start_date":"2026-11-20","start_time":"19:30"}],` +
		`"last_event_date_uuid":"0192f0a0-0000-7000-8000-000000000001","last_event_start_at":"2026-11-20T19:30"}`
	for _, answer := range []string{texts, former} {
		entries, ok := bothWays(t, answer)
		if !ok {
			t.Fatal(answer)
		}
		rows, err := (page{}).rowsOf(entries)
		if err != nil {
			t.Fatal(err)
		}
		data, members := payload(rows, 7, false)
		if string(data) != want {
			t.Errorf("got %s, want %s", data, want)
		}
		if got := data[members[0].From:members[0].To]; !bytes.Equal(got, entries[0][1:]) {
			t.Errorf("the members are %s, want %s", got, entries[0][1:])
		}
		if at, err := cursorOf(entries[0]); err != nil || at != (params.Cursor{StartKey: 202611201930, DateUUID: "0192f0a0-0000-7000-8000-000000000001"}) {
			t.Errorf("the cursor is %v, %v", at, err)
		}
	}
}
