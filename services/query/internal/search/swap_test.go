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

// TestAPageByStartFollowsWords: edits of words leave a page by start as it is, or patch it, as long
// as the document has the words of the search before and after.
func TestAPageByStartFollowsWords(t *testing.T) {
	w := newWorld(t)
	event := w.event(w.events[0].UUID)
	event.Title, event.Subtitle, event.Description, event.Tags = "kaufhaus", "", "", nil
	event.Dates = []change.Date{w.date(), w.date()}
	w.exchange(w.events[:1], []change.Event{event})
	for _, step := range []struct {
		title   string
		follows bool
	}{
		{"konzertsaal", false}, {"saal", true}, {"saal am markt", true}, {"der saal", true}, {"konzertsaal", false},
		{"konzertsaal saal", true}, {"saal konzertsaal", true}, {"lesung", true}, {"konzertsaal", false}, {"konzertsall", false},
	} {
		page := w.load("search=saal&sort=start&limit=100")
		edited := event
		edited.Title = step.title
		batch := w.exchange([]change.Event{event}, []change.Event{edited})
		event = edited
		next, reason := page.answer.Apply(batch)
		now := w.payload(w.again(page, 0))
		if next != nil && !bytes.Equal(w.payload(next), now) {
			t.Errorf("%s: cached %.300s, the engine finds %.300s", step.title, w.payload(next), now)
		}
		if (next != nil) != step.follows {
			t.Errorf("%s: the page follows is %v, %s", step.title, next != nil, reason)
		}
	}
}
