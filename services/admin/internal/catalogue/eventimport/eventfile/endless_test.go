package eventfile

import (
	"fmt"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
)

// TestEventsNameEachOther as their parts: each is read once.
func TestEventsNameEachOther(t *testing.T) {
	t.Parallel()
	event := func(id, part string) string {
		return fmt.Sprintf(`{"@type": "Event", "@id": %q, "name": %q, "startDate": "2027-03-05T20:00", "subEvent": [{"@id": %q}]}`, id, id, part)
	}
	text := page(`{"@graph": [` + event("a", "b") + "," + event("b", "c") + "," + event("c", "a") + "]}")
	wantLines(t, "three", lines(t, text), "a a 2027-03-05T20:00", "b b 2027-03-05T20:00", "c c 2027-03-05T20:00")
}

// TestShortPagesOfManyEvents: references and schedules stand for more events than an import may
// have, so that not all of them are read.
func TestShortPagesOfManyEvents(t *testing.T) {
	t.Parallel()
	list := func(n int, item string) string {
		return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
	}
	var layers []string
	for i := range 30 {
		layers = append(layers, fmt.Sprintf(`{"@type": "Event", "@id": "%d", "name": "%d", "subEvent": %s}`, i, i, list(10, fmt.Sprintf(`{"@id": "%d"}`, i+1))))
	}
	daily := `{"@type": "Schedule", "startDate": "2027-01-01", "repeatFrequency": "P1D", "repeatCount": 200}`
	for what, script := range map[string]string{
		"layers":    `{"@graph": [` + strings.Join(layers, ",") + "]}",
		"schedules": `{"@type": "Event", "@id": "a", "name": "a", "eventSchedule": ` + list(500, daily) + "}",
		"dates": `[{"@id": "d", "startDate": "2027-01-01", "name": "a"}, {"@type": "Event", "@id": "a", "name": "a", "subEvent": ` +
			list(50_000, `{"@id": "d"}`) + "}]",
		"events": list(50_000, `{"@type": "Event"}`),
	} {
		text := page(script)
		if _, err := Read(t.Context(), []byte(text), Options{}); !fault.Is(err, fault.TooLarge) {
			t.Errorf("%s: %v", what, err)
		}
		w := newWork(t.Context(), len(text))
		l := newLinkedEvents(linkedData(text, w), "", w)
		if found, full := l.all(); !full || len(found) > 2*MaxRows {
			t.Errorf("%s: %d found, full: %t", what, len(found), full)
		}
	}
	if links := Links(t.Context(), []byte(page(`{"@type": "ItemList", "itemListElement": `+addresses(5_000)+"}")), "https://example.org/list", 200); len(links) != 201 {
		t.Errorf("%d links", len(links))
	}
}

// addresses is a list of the addresses of pages.
func addresses(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`"/%d"`, i))
	}
	return "[" + strings.Join(all, ",") + "]"
}
