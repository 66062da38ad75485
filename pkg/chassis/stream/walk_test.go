package stream_test

import (
	"errors"
	"slices"
	"testing"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/change"
)

func TestWalkEmpty(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	last, err := s.Walk(t.Context(), func(uint64, change.Change) error { return errors.New("called") })
	if err != nil || last != 0 {
		t.Errorf("last = %d, error %v", last, err)
	}
}

func TestWalkInOrder(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	ids := make([]string, 700) // more than one pull
	for i := range ids {
		ids[i] = newID()
		publish(t, s, event(t, ids[i], 1, "first"))
	}
	publish(t, s, event(t, ids[0], 2, "again")) // moves to the end
	want := append(slices.Clone(ids[1:]), ids[0])
	var got []string
	var sequences []uint64
	last, err := s.Walk(t.Context(), func(sequence uint64, c change.Change) error {
		got, sequences = append(got, c.ID), append(sequences, sequence)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("walked %d entities in another order than they were published", len(got))
	}
	if !slices.IsSorted(sequences) || sequences[len(sequences)-1] != last {
		t.Errorf("sequences end at %d, the stream at %d", sequences[len(sequences)-1], last)
	}
	if sequence, err := s.LastSequence(t.Context()); err != nil || sequence != last {
		t.Errorf("last sequence = %d (%v), walked to %d", sequence, err, last)
	}
}

// Messages published during the walk are not part of it, even if they replace messages that the
// walk has yet to reach.
func TestWalkEndsWhereItBegan(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	first, second := newID(), newID()
	publish(t, s, event(t, first, 1, "a"))
	publish(t, s, event(t, second, 1, "b"))
	var seen []string
	last, err := s.Walk(t.Context(), func(_ uint64, c change.Change) error {
		seen = append(seen, c.ID)
		publish(t, s, event(t, newID(), 1, "new"), event(t, second, 2, "changed"))
		return nil
	})
	if err != nil || last != 2 {
		t.Fatalf("last = %d, error %v", last, err)
	}
	if len(seen) == 0 || len(seen) > 2 || seen[0] != first {
		t.Errorf("walked %v", seen)
	}
}

func TestWalkAfterPurge(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	s := streamtest.Open(t, config)
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	publish(t, s, event(t, newID(), 1, "a"))
	made, err := streamtest.JetStream(t, config.URL).Stream(t.Context(), config.Name)
	if err != nil {
		t.Fatal(err)
	}
	if err := made.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	last, err := s.Walk(t.Context(), func(uint64, change.Change) error { return errors.New("called") })
	if err != nil || last != 1 {
		t.Errorf("last = %d, error %v", last, err)
	}
}

func TestWalkStopsWithItsCaller(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	publish(t, s, event(t, newID(), 1, "a"), event(t, newID(), 1, "b"))
	enough := errors.New("enough")
	calls := 0
	if _, err := s.Walk(t.Context(), func(uint64, change.Change) error { calls++; return enough }); !errors.Is(err, enough) {
		t.Errorf("error = %v", err)
	}
	if calls != 1 {
		t.Errorf("called %d times", calls)
	}
}

func TestWalkPassesOverWhatIsNoChange(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	s := streamtest.Open(t, config)
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	js := streamtest.JetStream(t, config.URL)
	if _, err := js.Publish(t.Context(), s.Prefix()+".event.junk", []byte("junk")); err != nil {
		t.Fatal(err)
	}
	publish(t, s, event(t, newID(), 1, "sound"))
	if got := len(streamtest.All(t, s)); got != 1 {
		t.Errorf("walked %d changes", got)
	}
	messages := 0
	if _, err := s.WalkMessages(t.Context(), func(stream.Message) error { messages++; return nil }); err != nil || messages != 2 {
		t.Errorf("walked %d messages, error %v", messages, err)
	}
}

// A walk goes on where it was when the server dies in the middle.
func TestWalkAcrossServerRestart(t *testing.T) {
	t.Parallel()
	server := streamtest.Start(t, 1<<20)
	s := streamtest.Open(t, stream.Config{URL: server.URL(), Name: "CATALOG", Replicas: 1})
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	snapshot := make([]byte, 100<<10) // more than the walk buffers, so that it must ask again
	for i := range snapshot {
		snapshot[i] = 'x'
	}
	const entities = 200
	for range entities {
		publish(t, s, event(t, newID(), 1, string(snapshot)))
	}
	walked := 0
	_, err := s.Walk(t.Context(), func(uint64, change.Change) error {
		walked++
		if walked == 3 {
			server.Kill()
			server.Resume()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if walked != entities {
		t.Errorf("walked %d of %d", walked, entities)
	}
}

// A lagging replica does not know the newest message: Next must not ask it, as it would by direct
// access.
func TestNextNeedsNoDirectAccess(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	s := streamtest.Open(t, config)
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	publish(t, s, event(t, newID(), 1, "a"), event(t, newID(), 2, "b"))
	js := streamtest.JetStream(t, config.URL)
	held, err := js.Stream(t.Context(), config.Name)
	if err != nil {
		t.Fatal(err)
	}
	led := held.CachedInfo().Config
	led.AllowDirect = false
	if _, err := js.UpdateStream(t.Context(), led); err != nil {
		t.Fatal(err)
	}
	for sequence, want := range map[uint64]uint64{0: 1, 1: 1, 2: 2, 3: 0} {
		m, found, err := s.Next(t.Context(), sequence)
		if err != nil || found != (want > 0) || m.Sequence != want {
			t.Errorf("from %d: message %d, found %v: %v", sequence, m.Sequence, found, err)
			continue
		}
		if found && (m.Subject == "" || m.Published.IsZero() || decoded(t, m).Revision != int64(want)) {
			t.Errorf("from %d: %+v", sequence, m)
		}
	}
}

func decoded(t *testing.T, m stream.Message) change.Change {
	t.Helper()
	c, err := change.Decode(m.Data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
