package stream_test

import (
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/change"
)

// journaled returns a stream with a journal, ensured and empty.
func journaled(t *testing.T, config stream.Config) *stream.Stream {
	t.Helper()
	config.Journal = stream.Journal{Age: time.Hour, Bytes: 1 << 20}
	s := streamtest.Open(t, config)
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// entries returns all entries of the journal.
func entries(t *testing.T, s *stream.Stream) (all []stream.JournalEntry) {
	t.Helper()
	first, last, ok, err := s.JournalBounds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for at := first; ok && at <= last; at++ {
		entry, exists, err := s.JournalEntry(t.Context(), at)
		if err != nil || !exists {
			t.Fatalf("entry %d: %t, %v", at, exists, err)
		}
		all = append(all, entry)
	}
	return all
}

// TestTheJournalHasWhatWasReplaced: each change has the state before it, at the sequence that its
// place says, by whichever process that was published.
func TestTheJournalHasWhatWasReplaced(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	s := journaled(t, config)
	a, b := newID(), newID()
	publish(t, s, event(t, a, 1, "a one"), event(t, b, 1, "b one"))
	publish(t, journaled(t, config), event(t, b, 2, "b two"), event(t, a, 2, "a two"))
	publish(t, s, event(t, a, 1, "older"), event(t, b, 3, "b three"))
	publish(t, s, event(t, b, 3, "b three")) // repeated: nothing is published
	type replacement struct{ before, after string }
	for i, want := range []struct {
		after   uint64
		changes []replacement
	}{
		{0, []replacement{{"", "a one"}, {"", "b one"}}}, {2, []replacement{{"b one", "b two"}, {"a one", "a two"}}},
		{4, []replacement{{"b two", "b three"}}},
	} {
		all := entries(t, s)
		if len(all) != 3 {
			t.Fatalf("%d entries: %+v", len(all), all)
		}
		got := all[i]
		if got.After != want.after || got.Void != 0 || len(got.Changes) != len(want.changes) || !strings.HasPrefix(got.Stream, config.Name+"@") {
			t.Fatalf("entry %d: %+v", i, got)
		}
		for n, change := range want.changes {
			if !strings.Contains(string(got.Changes[n].After), change.after) || !strings.Contains(string(got.Changes[n].Before), change.before) ||
				(change.before == "") != (got.Changes[n].Before == nil) {
				t.Errorf("entry %d, change %d: %s, %s", i, n, got.Changes[n].Before, got.Changes[n].After)
			}
		}
	}
	at := uint64(0)
	for _, c := range []string{"a two", "b three"} { // as the stream has them
		_, err := s.WalkFrom(t.Context(), at+1, func(sequence uint64, _ change.Change) error { at = sequence; return nil })
		if err != nil {
			t.Fatalf("%s: %v", c, err)
		}
	}
	if at != 5 {
		t.Errorf("the last change is at %d, want 5", at)
	}
}

// TestWhatIsPublishedOtherwiseIsAHole: another publisher without a journal shows by the beginning
// of the next entry.
func TestWhatIsPublishedOtherwiseIsAHole(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	s := journaled(t, config)
	publish(t, s, event(t, newID(), 1, "one"))
	publish(t, streamtest.Open(t, config), event(t, newID(), 2, "past the journal"))
	publish(t, s, event(t, newID(), 3, "three"))
	all := entries(t, s)
	if len(all) != 2 || all[0].End() != 1 || all[1].After != 2 {
		t.Errorf("%+v", all)
	}
}

// TestChangesArePublishedWithoutTheJournal: one that cannot be written leaves a hole.
func TestChangesArePublishedWithoutTheJournal(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	config.Journal = stream.Journal{Age: time.Hour, Bytes: 1} // no entry fits
	s := streamtest.Open(t, config)
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	id := newID()
	publish(t, s, event(t, id, 1, "one"))
	publish(t, s, event(t, id, 2, "two"))
	if held(t, s, id) != "two" || len(entries(t, s)) != 0 {
		t.Errorf("the stream holds %s, the journal %+v", held(t, s, id), entries(t, s))
	}
}

// TestVoidsAreWrittenBeforeOtherChanges: what could not be recorded while the server was down
// stands before the next entry, and reaches up to it.
func TestVoidsAreWrittenBeforeOtherChanges(t *testing.T) {
	t.Parallel()
	server := streamtest.Start(t, 1<<20)
	s := journaled(t, stream.Config{URL: server.URL(), Name: "CATALOG", Replicas: 1})
	publish(t, s, event(t, newID(), 1, "one"), event(t, newID(), 1, "two"))
	publish(t, s, event(t, newID(), 1, "three"))
	written := entries(t, s)
	server.Kill()
	for _, entry := range written {
		s.VoidJournal(t.Context(), entry)
	}
	server.Resume()
	if err := s.Await(t.Context()); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(streamtest.Patience); s.Publish(t.Context(), []change.Change{event(t, newID(), 2, "four")}) != nil; {
		if time.Now().After(deadline) {
			t.Fatal("nothing can be published")
		}
	}
	all := entries(t, s)
	if len(all) != 5 || all[2].Void != 3 || all[2].After != 0 || all[3].Void != 3 || all[3].After != 2 || len(all[4].Changes) != 1 || all[4].After != 3 {
		t.Errorf("%+v", all)
	}
	publish(t, s, event(t, newID(), 3, "five"))
	if all := entries(t, s); len(all) != 6 {
		t.Errorf("voids are written again: %+v", all[5:])
	}
}

// TestReadersConfirmEntries: by the message at the place of a change.
func TestReadersConfirmEntries(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	s := journaled(t, config)
	a, b := newID(), newID()
	publish(t, s, event(t, a, 1, "a"), event(t, b, 1, "b"))
	published := func(entry stream.JournalEntry, upTo uint64) bool {
		holds, err := s.Published(t.Context(), entry, upTo)
		if err != nil {
			t.Fatal(err)
		}
		return holds
	}
	first := entries(t, s)[0]
	if !published(first, 1) || !published(first, 2) || published(first, 3) || published(first, 0) {
		t.Errorf("what is published is not: %+v", first)
	}
	other := first
	other.Changes = []stream.JournalChange{first.Changes[1], first.Changes[0]}
	if published(other, 1) || published(other, 2) {
		t.Error("changes in another order are published")
	}
	publish(t, s, event(t, b, 2, "newer b"))
	if published(first, 2) || !published(first, 1) {
		t.Error("a replaced change is in the stream")
	}
}
