package search

import (
	"bytes"
	"testing"

	"litfass/pkg/contracts/change"
)

// TestSwappedLettersAreOneTypo: the engine takes two letters in each other's place for one typo.
func TestSwappedLettersAreOneTypo(t *testing.T) {
	w := newWorld(t)
	for search, title := range map[string]string{"conecrt": "concert", "orchetsra": "orchestra", "conecrts": "concert", "excile": "exile"} {
		event := w.event(w.events[0].UUID)
		event.Title, event.Subtitle, event.Description, event.Tags = "nothing", "", "", nil
		event.Dates = []change.Date{w.date()}
		w.exchange(w.events[:1], []change.Event{event})
		answers := w.ask("search=" + search)
		edited := event
		edited.Title = title
		batch := w.exchange([]change.Event{event}, []change.Event{edited})
		w.events[0] = edited
		for _, a := range answers {
			next, _ := a.answer.Apply(batch)
			now := w.payload(w.again(a, 0))
			if next != nil && !bytes.Equal(w.payload(next), now) {
				t.Errorf("%s, %T: cached %.80s, the engine finds %q: %.80s", search, a.answer, w.payload(next), title, now)
			}
		}
	}
}
