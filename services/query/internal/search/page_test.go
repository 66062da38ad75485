package search

import (
	"testing"

	"litfass/services/query/internal/engine"
)

func TestPayloadOfBrokenAnswersIsAnError(t *testing.T) {
	for _, answer := range []string{`{"hits":[{"date_uuid":5}]}`, `{}`, `[]`} {
		hits, err := engine.Hits([]byte(answer))
		if err != nil {
			continue
		}
		if data, err := payload(hits, len(answer), 0); err == nil {
			t.Errorf("%s: %s", answer, data)
		}
	}
}
