package search

import (
	"testing"

	"litfass/services/query/internal/engine"
)

func TestPayloadOfBrokenAnswersIsAnError(t *testing.T) {
	for _, answer := range []string{
		`{"hits":[{"date_uuid":5}]}`, `{}`, `[]`, `{"hits":[{"entry":5}]}`, `{"hits":[{"entry":""}]}`, `{"hits":[{"entry":"[]"}]}`,
		`{"hits":[{"entry":"{\"date_uuid\":5}"}]}`, `{"hits":[{"entry":null}]}`, `{"hits":[{}]}`,
	} {
		hits, err := engine.Hits([]byte(answer))
		if err != nil {
			continue
		}
		if w, err := write(hits, 0); err == nil {
			t.Errorf("%s: %s", answer, w.payload)
		}
	}
}

func TestEntriesAreCopied(t *testing.T) {
	const texts = `{"hits":[{"entry":"{\"title\":\"\\\"a\\\\ & <b>\",\"date_uuid\":\"d\",\"start_date\":\"2026-11-20\",\"start_time\":\"19:30\"}"}]}`
	const former = `{"hits":[{"title":"\"a\\ & <b>","date_uuid":"d","start_date":"2026-11-20","start_time":"19:30"}]}`
	const want = `{"events":[{"search_rank":8,"title":"\"a\\ & <b>","date_uuid":"d","start_date":"2026-11-20","start_time":"19:30"}],` +
		`"last_event_date_uuid":"d","last_event_start_at":"2026-11-20T19:30"}`
	for _, answer := range []string{texts, former} {
		hits, err := engine.Hits([]byte(answer))
		if err != nil {
			t.Fatal(err)
		}
		there := place{startKey: 202611201930, dateUUID: "d"}
		w, err := write(hits, 7)
		if err != nil || string(w.payload) != want || string(w.ids) != "d" || w.first != there || w.last != there {
			t.Errorf("got %s from %v to %v, %v, want %s", w.payload, w.first, w.last, err, want)
		}
	}
}
