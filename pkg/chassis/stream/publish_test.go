package stream_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/change"
)

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// event returns a change of an event whose snapshot is a JSON string.
func event(t *testing.T, id string, revision int64, snapshot string) change.Change {
	t.Helper()
	c, err := change.New(change.KindEvent, id, revision, snapshot)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func publish(t *testing.T, s *stream.Stream, changes ...change.Change) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), streamtest.Patience)
	defer cancel()
	if err := s.Publish(ctx, changes); err != nil {
		t.Fatal(err)
	}
}

// held returns the snapshot that the stream holds of an event.
func held(t *testing.T, s *stream.Stream, id string) string {
	t.Helper()
	snapshot, err := change.Read[string](streamtest.All(t, s)["event."+id])
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

func TestPublishKeepsTheNewest(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string][]int64{
		"in order":       {1, 2, 3},
		"repeated":       {3, 3},
		"older after":    {3, 1, 2},
		"back and forth": {2, 1, 3, 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, id := streamtest.New(t), newID()
			for _, revision := range steps {
				publish(t, s, event(t, id, revision, fmt.Sprint(revision)))
			}
			if got := held(t, s, id); got != "3" {
				t.Errorf("the stream holds revision %s", got)
			}
		})
	}
}

// A process that starts knows no sequence; the map of the old one does not count.
func TestPublishFromNewProcess(t *testing.T) {
	t.Parallel()
	config, id := streamtest.Config(t), newID()
	first, second := streamtest.Open(t, config), streamtest.Open(t, config)
	if err := first.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	publish(t, first, event(t, id, 7, "new"))
	publish(t, second, event(t, id, 6, "old"))
	if got := held(t, first, id); got != "new" {
		t.Fatalf("an older revision overwrote the newer: %q", got)
	}
	publish(t, second, event(t, id, 8, "newer"))
	publish(t, first, event(t, id, 7, "new")) // its map is out of date now
	if got := held(t, first, id); got != "newer" {
		t.Errorf("an older revision overwrote the newer: %q", got)
	}
}

func TestPublishTogether(t *testing.T) {
	t.Parallel()
	const publishers, entities = 4, 20
	config := streamtest.Config(t)
	ids := make([]string, entities)
	for i := range ids {
		ids[i] = newID()
	}
	if err := streamtest.Open(t, config).Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for p := range publishers {
		s := streamtest.Open(t, config)
		all.Go(func() {
			for turn := range 10 {
				revision := int64(turn*publishers + p + 1)
				batch := make([]change.Change, entities)
				for i, id := range ids {
					batch[i] = event(t, id, revision, fmt.Sprint(revision))
				}
				if err := s.Publish(t.Context(), batch); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for subject, c := range streamtest.All(t, streamtest.Open(t, config)) {
		if c.Revision != 10*publishers {
			t.Errorf("%s ended at revision %d", subject, c.Revision)
		}
	}
}

func TestPublishManyAndLarge(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	var batch []change.Change
	for range 1500 {
		batch = append(batch, event(t, newID(), 1, "small"))
	}
	large := newID()
	batch = append(batch, event(t, large, 1, strings.Repeat("x", 6<<20)))
	publish(t, s, batch...)
	if got := len(streamtest.All(t, s)); got != len(batch) {
		t.Errorf("%d of %d changes arrived", got, len(batch))
	}
	if got := len(held(t, s, large)); got != 6<<20 {
		t.Errorf("the large snapshot came back with %d bytes", got)
	}
}

func TestPublishNamesWhatIsTooLarge(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	before, giant, after := newID(), newID(), newID()
	err := s.Publish(t.Context(), []change.Change{
		event(t, before, 1, "a"), event(t, giant, 1, strings.Repeat("x", 9<<20)), event(t, after, 1, "b"),
	})
	var refused *stream.RejectedError
	if !errors.As(err, &refused) || len(refused.Rejected) != 1 || refused.Rejected[0].ID != giant {
		t.Fatalf("error = %v", err)
	}
	if got := streamtest.All(t, s); len(got) != 2 {
		t.Errorf("the others did not arrive: %v", got)
	}
}

func TestPublishReplacesWhatIsNoChange(t *testing.T) {
	t.Parallel()
	config, id := streamtest.Config(t), newID()
	s := streamtest.Open(t, config)
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	js := streamtest.JetStream(t, config.URL)
	if _, err := js.Publish(t.Context(), s.Prefix()+".event."+id, []byte("{broken")); err != nil {
		t.Fatal(err)
	}
	publish(t, s, event(t, id, 1, "sound"))
	if got := held(t, s, id); got != "sound" {
		t.Errorf("the stream holds %q", got)
	}
}

func TestPublishTombstone(t *testing.T) {
	t.Parallel()
	s, id := streamtest.New(t), newID()
	gone, err := change.New(change.KindEvent, id, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	publish(t, s, event(t, id, 1, "there"))
	publish(t, s, gone)
	if c := streamtest.All(t, s)["event."+id]; !c.Gone() || c.Revision != 2 {
		t.Errorf("the stream holds %+v", c)
	}
}

// Acknowledged messages survive the server's death; publishing fails while it is down and works
// again afterwards, on the same connection.
func TestPublishAcrossServerRestart(t *testing.T) {
	t.Parallel()
	server, id := streamtest.Start(t, 1<<20), newID()
	s := streamtest.Open(t, stream.Config{URL: server.URL(), Name: "CATALOG", Replicas: 1})
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	publish(t, s, event(t, id, 1, "before"))
	server.Kill()
	if err := s.Publish(t.Context(), []change.Change{event(t, id, 2, "down")}); err == nil {
		t.Error("published to a server that is down")
	}
	server.Resume()
	again := event(t, id, 3, "after")
	for deadline := time.Now().Add(streamtest.Patience); ; time.Sleep(20 * time.Millisecond) {
		err := s.Publish(t.Context(), []change.Change{again})
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	if got := held(t, s, id); got != "after" {
		t.Errorf("the stream holds %q", got)
	}
}

func TestMessagesAreWhatWasEncoded(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	c := event(t, newID(), 5, `quotes " and <tags> & emoji 🎷`)
	publish(t, s, c)
	want, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.WalkMessages(t.Context(), func(m stream.Message) error {
		if m.Subject != c.Subject(s.Prefix()) || !bytes.Equal(m.Data, want) {
			t.Errorf("message %s: %s", m.Subject, m.Data)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// Deleted messages and messages that are not changes do not hide the last revision.
func TestLastRevision(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	s := streamtest.Open(t, config)
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect := func(want int64) {
		t.Helper()
		if got, err := s.LastRevision(t.Context()); got != want || err != nil {
			t.Errorf("revision %d, want %d, %v", got, want, err)
		}
	}
	expect(0)
	deleted := newID()
	publish(t, s, event(t, newID(), 3, `{}`))
	publish(t, s, event(t, newID(), 7, `{}`))
	expect(7)
	publish(t, s, event(t, deleted, 8, `{}`))
	last, _, err := s.Last(t.Context(), change.KindEvent, deleted)
	if err == nil {
		err = s.Remove(t.Context(), last.Sequence)
	}
	if err == nil {
		_, err = streamtest.JetStream(t, config.URL).Publish(t.Context(), s.Prefix()+".event.x", []byte("{"))
	}
	if err != nil {
		t.Fatal(err)
	}
	expect(7)
}
