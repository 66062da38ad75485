package stream_test

import (
	"errors"
	"slices"
	"testing"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
)

// letters reads all dead letters.
func letters(t *testing.T, of stream.DeadLetters) []stream.DeadLetter {
	t.Helper()
	var found []stream.DeadLetter
	err := of.Each(t.Context(), func(l stream.DeadLetter) error { found = append(found, l); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if count, err := of.Count(t.Context()); count != len(found) || err != nil {
		t.Errorf("%d letters, and %d by their count, %v", len(found), count, err)
	}
	return found
}

// Two read nodes that cannot apply the same change have a dead letter each, and remove their own.
func TestDeadLettersAreThoseOfAReadNode(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	north, south := s.DeadLetters("north"), s.DeadLetters("south")
	if found := letters(t, north); len(found) > 0 {
		t.Fatalf("%d letters before there is one", len(found))
	}
	put := func(of stream.DeadLetters, id, reason string) {
		t.Helper()
		if err := of.PublishDead(t.Context(), []byte(id+reason), "event", id, reason); err != nil {
			t.Fatal(err)
		}
	}
	put(north, "a", "old")
	put(south, "a", "south")
	put(north, "de.sh.kiel", "b")
	put(north, "a", "new")
	found := letters(t, north)
	if len(found) != 2 || found[0].ID != "de.sh.kiel" || found[1].Reason != "new" || found[1].Kind != "event" ||
		string(found[1].Data) != "anew" || found[1].Time.IsZero() || found[1].Sequence != 4 {
		t.Errorf("%+v", found)
	}
	data, known, err := north.Of(t.Context(), "event", "a")
	if string(data) != "anew" || !known || err != nil {
		t.Errorf("%q, %v, %v", data, known, err)
	}
	for range 2 { // the second time it is gone already
		if err := north.Remove(t.Context(), found[1].Sequence); err != nil {
			t.Fatal(err)
		}
	}
	if found := letters(t, north); len(found) != 1 || found[0].ID != "de.sh.kiel" {
		t.Errorf("%+v", found)
	}
	if _, known, err := north.Of(t.Context(), "event", "a"); known || err != nil {
		t.Errorf("removed, and found %v, %v", known, err)
	}
	if found := letters(t, south); len(found) != 1 || found[0].Reason != "south" {
		t.Errorf("%+v", found)
	}
	stop := errors.New("enough")
	if err := south.Each(t.Context(), func(stream.DeadLetter) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
}

func TestNextPassesOverGaps(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	if _, found, err := s.Next(t.Context(), 1); found || err != nil {
		t.Fatalf("found %v in an empty stream, %v", found, err)
	}
	first, second := newID(), newID()
	publish(t, s, event(t, first, 1, `{"n":1}`), event(t, second, 1, `{"n":1}`))
	publish(t, s, event(t, first, 2, `{"n":2}`))
	var met []uint64
	for from := uint64(1); ; {
		m, found, err := s.Next(t.Context(), from)
		if err != nil {
			t.Fatal(err)
		}
		if !found {
			break
		}
		met, from = append(met, m.Sequence), m.Sequence+1
	}
	if !slices.Equal(met, []uint64{2, 3}) {
		t.Errorf("sequences %v", met)
	}
}
