package search

import "testing"

func TestPayloadOfBrokenAnswersIsAnError(t *testing.T) {
	for _, answer := range []string{`{"hits":[{"date_uuid":5}]}`, `{}`, `[]`} {
		if data, err := payload([]byte(answer), 0); err == nil {
			t.Errorf("%s: %s", answer, data)
		}
	}
}
