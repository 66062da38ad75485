package api_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// mayBeBlank are the operations whose texts are optional: a draft needs no title, and reactivating
// an account no reason.
var mayBeBlank = map[string]bool{
	"POST /api/admin/event/create": true, "PATCH /api/admin/event/{eventId}": true, "PUT /api/admin/event/{eventId}/header": true,
	"PUT /api/admin/people/{userId}/state": true,
}

// TestBlankTextsAreMissing: a text of which a reader sees nothing is no reason, name or message.
func TestBlankTextsAreMissing(t *testing.T) {
	t.Parallel()
	c := newExamples(t)
	before, tried := c.digest(t), 0
	for _, w := range writes {
		h := hostile{examples: c, write: w}
		h.method, h.path, _ = strings.Cut(w.operation, " ")
		if w.body == unread || w.body == upload || mayBeBlank[w.operation] {
			continue
		}
		if err := json.Unmarshal([]byte(c.ids.Replace(w.body)), &h.keys); err != nil {
			t.Fatal(err)
		}
		for _, field := range []string{"name", "title", "reason", "note", "subject", "message"} {
			if _, required := h.keys[field]; !required {
				continue
			}
			for _, blank := range []string{`""`, `" \u00a0\u3000\n"`, `"\u200b\u2060"`, `"\u2800\u3164\ufe0f"`} {
				h.refused(t, "blank "+blank, h.with(field, blank), 400, field)
				tried++
			}
		}
	}
	if after := c.digest(t); after != before || tried < 50 {
		t.Errorf("after %d texts:\n%s\nbefore\n%s", tried, after, before)
	}
}
