package stream_test

import (
	"context"
	"testing"
	"time"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
)

// lookedUp returns the read nodes, by name.
func lookedUp(t *testing.T, s *stream.Stream) map[string]stream.ReadNode {
	t.Helper()
	nodes, err := s.ReadNodes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]stream.ReadNode{}
	for _, node := range nodes {
		found[node.Name] = node
	}
	return found
}

// One node has applied everything and lost its projector, one has a projector that has read
// nothing yet, and another durable name is no node's.
func TestReadNodes(t *testing.T) {
	t.Parallel()
	config := leased(t)
	s := streamtest.Open(t, config)
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found := lookedUp(t, s); len(found) > 0 {
		t.Fatalf("before there are leases: %+v", found)
	}
	err := s.HoldLease(t.Context(), "north", "before", func(context.Context) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if found := lookedUp(t, s); len(found) > 0 {
		t.Fatalf("before any is at work: %+v", found)
	}
	before := time.Now().Add(-time.Minute)
	publish(t, s, events(t, 2)...)
	for _, durable := range []string{stream.Durable("south"), "others"} {
		consumer, err := s.Consumer(t.Context(), durable)
		if err != nil {
			t.Fatal(err)
		}
		batch, err := consumer.Batch(t.Context(), stream.Limits{Messages: 2, Bytes: 1 << 20, Linger: time.Minute})
		if err != nil || len(batch) != 2 {
			t.Fatalf("%d messages, %v", len(batch), err)
		}
		consumer.Ack(batch)
		consumer.Stop()
	}
	if err := s.DeadLetters("south").PublishDead(t.Context(), nil, "event", "a", "x"); err != nil {
		t.Fatal(err)
	}
	err = s.HoldLease(t.Context(), "north", "one", func(context.Context) error {
		found := lookedUp(t, s)
		for deadline := time.Now().Add(streamtest.Patience); found["south"].Pending > 0 && time.Now().Before(deadline); {
			found = lookedUp(t, s) // until the acknowledgements have arrived
		}
		north, south := found["north"], found["south"]
		if len(found) != 2 || !north.Leased || north.Applied != 0 || north.Pending != 2 || north.Dead != 0 ||
			north.Oldest.Before(before) || north.Heard.Before(before) {
			t.Errorf("north of %d: %+v", len(found), north)
		}
		if south.Leased || south.Applied != 2 || south.Pending != 0 || south.Dead != 1 || !south.Oldest.IsZero() ||
			south.Heard.Before(before) {
			t.Errorf("south: %+v", south)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found := lookedUp(t, s); len(found) != 1 || found["south"].Name != "south" {
		t.Errorf("after north has given back its lease: %+v", found)
	}
}
