package stream_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
)

const durable = "reader"

// atOnce makes a batch of the messages that the server has, without waiting for more.
var atOnce = stream.Limits{Messages: 1000, Bytes: 1 << 20}

func consume(t *testing.T, s *stream.Stream) *stream.Consumer {
	t.Helper()
	consumer, err := s.Consumer(t.Context(), durable)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(consumer.Stop)
	return consumer
}

func batch(t *testing.T, c *stream.Consumer, limits stream.Limits) []stream.Delivery {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), streamtest.Patience)
	defer cancel()
	got, err := c.Batch(ctx, limits)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func sequences(deliveries []stream.Delivery) []uint64 {
	var list []uint64
	for _, d := range deliveries {
		list = append(list, d.Sequence)
	}
	return list
}

// progress waits until the acknowledgements have reached the server.
func progress(t *testing.T, s *stream.Stream, done func(stream.Progress) bool) {
	t.Helper()
	deadline := time.Now().Add(streamtest.Patience)
	for {
		got, ok, err := s.Progress(t.Context(), durable)
		if err != nil || !ok {
			t.Fatalf("progress known %v: %v", ok, err)
		}
		if done(got) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("progress stays at %+v", got)
		}
		time.Sleep(time.Millisecond)
	}
}

func events(t *testing.T, n int) []change.Change {
	t.Helper()
	var changes []change.Change
	for range n {
		changes = append(changes, event(t, newID(), 1, "x"))
	}
	return changes
}

func TestBatchesHoldWhatThereIsAndNoMoreThanFits(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	publish(t, s, events(t, 10)...)
	c := consume(t, s)
	if got := sequences(batch(t, c, stream.Limits{Messages: 4, Bytes: 1 << 20})); !slices.Equal(got, []uint64{1, 2, 3, 4}) {
		t.Errorf("by messages: %v", got)
	}
	if got := sequences(batch(t, c, stream.Limits{Messages: 100, Bytes: 1})); !slices.Equal(got, []uint64{5}) {
		t.Errorf("by bytes: %v", got)
	}
	last := batch(t, c, atOnce)
	if got := sequences(last); !slices.Equal(got, []uint64{6, 7, 8, 9, 10}) || last[4].Pending != 0 || last[0].Pending != 4 {
		t.Errorf("all that is left: %v, pending %d to %d", got, last[0].Pending, last[len(last)-1].Pending)
	}
}

func TestBatchLingersForMore(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	publish(t, s, events(t, 1)...)
	c := consume(t, s)
	got := make(chan []stream.Delivery, 1)
	go func() {
		deliveries, _ := c.Batch(t.Context(), stream.Limits{Messages: 2, Bytes: 1 << 20, Linger: streamtest.Patience})
		got <- deliveries
	}()
	progress(t, s, func(p stream.Progress) bool { return p.Pending == 1 })
	publish(t, s, events(t, 1)...)
	if deliveries := <-got; len(deliveries) != 2 {
		t.Errorf("a batch of %d", len(deliveries))
	}
}

func TestBatchEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	c := consume(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Batch(ctx, atOnce); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestConsumerGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	publish(t, s, events(t, 6)...)
	c := consume(t, s)
	got := batch(t, c, stream.Limits{Messages: 6, Bytes: 1 << 20})
	c.Ack(got[:2])
	c.Ack(got[3:5]) // 3 and 6 stay
	progress(t, s, func(p stream.Progress) bool { return p.Applied == 2 && p.Pending == 2 && p.Last == 6 })

	c = consume(t, s) // the first one is still there, as if its process had died
	again := batch(t, c, stream.Limits{Messages: 4, Bytes: 1 << 20})
	if got := sequences(again); !slices.Equal(got, []uint64{3, 4, 5, 6}) {
		t.Errorf("delivered again: %v", got)
	}
	c.Ack(again)
	progress(t, s, func(p stream.Progress) bool { return p.Applied == 6 && p.Pending == 0 })

	publish(t, s, events(t, 1)...)
	c = consume(t, s)
	if got := sequences(batch(t, c, atOnce)); !slices.Equal(got, []uint64{7}) {
		t.Errorf("after all was acknowledged: %v", got)
	}
}

func TestForgetStartsOver(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	publish(t, s, events(t, 2)...)
	c := consume(t, s)
	c.Ack(batch(t, c, atOnce))
	progress(t, s, func(p stream.Progress) bool { return p.Pending == 0 })
	for range 2 {
		if err := s.Forget(t.Context(), durable); err != nil {
			t.Fatal(err)
		}
	}
	if p, ok, err := s.Progress(t.Context(), durable); ok || err != nil || p.Last != 2 {
		t.Errorf("progress %+v of a forgotten consumer, known %v: %v", p, ok, err)
	}
	if got := batch(t, consume(t, s), stream.Limits{Messages: 2, Bytes: 1 << 20}); len(got) != 2 {
		t.Errorf("started over with %v", sequences(got))
	}
}

func TestConsumerOfDeletedNameFails(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t)
	c := consume(t, s)
	failed := make(chan error, 1)
	go func() {
		_, err := c.Batch(t.Context(), atOnce)
		failed <- err
	}()
	for { // until the consumer is asked for messages, its end goes unnoticed
		if err := s.Forget(t.Context(), durable); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-failed:
			if !errors.Is(err, jetstream.ErrConsumerDeleted) {
				t.Errorf("got %v", err)
			}
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func TestConsumerSurvivesServerRestart(t *testing.T) {
	t.Parallel()
	server := streamtest.Start(t, 1<<20)
	s := streamtest.Open(t, stream.Config{URL: server.URL(), Name: "CATALOG", Replicas: 1})
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	publish(t, s, events(t, 3)...)
	c := consume(t, s)
	got := batch(t, c, stream.Limits{Messages: 3, Bytes: 1 << 20})
	server.Kill()
	c.Ack(got) // never arrives
	server.Resume()
	again := batch(t, c, stream.Limits{Messages: 3, Bytes: 1 << 20})
	if got := sequences(again); !slices.Equal(got, []uint64{1, 2, 3}) {
		t.Errorf("delivered again: %v", got)
	}
	c.Ack(again)
	progress(t, s, func(p stream.Progress) bool { return p.Applied == 3 && p.Pending == 0 })
	publish(t, s, events(t, 1)...)
	if got := sequences(batch(t, c, atOnce)); !slices.Equal(got, []uint64{4}) {
		t.Errorf("after the restart: %v", got)
	}
}

func TestDeadChangesAreKeptWithTheirReason(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	s := streamtest.Open(t, config)
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	js := streamtest.JetStream(t, config.URL)
	dead, err := js.Stream(t.Context(), config.Name+"_DEAD")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ kind, id, reason, subject, header string }{
		{"event", "a-b", "no\nday", "event.a-b", "no day"},
		{"region", "de.sh.kiel", "ö", "region.de.sh.kiel", "ö"},
		{"", "", "", "unknown.unknown", ""},
		{"a b", "..*.>\x00é.", "\xff", "a_b.__.___", "?"},
		{"event", strings.Repeat("x", 300), strings.Repeat("é", 600), "event." + strings.Repeat("x", 200), strings.Repeat("é", 500)},
	} {
		if err := s.DeadLetters("north").PublishDead(t.Context(), []byte("{"), test.kind, test.id, test.reason); err != nil {
			t.Errorf("%s %s: %v", test.kind, test.id, err)
			continue
		}
		msg, err := dead.GetLastMsgForSubject(t.Context(), s.Prefix()+"-dead.north."+test.subject)
		if err != nil {
			t.Errorf("%s: %v", test.subject, err)
			continue
		}
		if got := msg.Header.Get(stream.ReasonHeader); got != test.header || string(msg.Data) != "{" {
			t.Errorf("%s: reason %q, want %q; data %q", test.subject, got, test.header, msg.Data)
		}
	}
	if last, err := s.LastSequence(t.Context()); last != 0 || err != nil {
		t.Errorf("the catalogue's stream holds a dead change: %d, %v", last, err)
	}
}

func TestDeadChangeTooBigForItsReason(t *testing.T) {
	t.Parallel()
	server := streamtest.Start(t, 4096)
	s := streamtest.Open(t, stream.Config{URL: server.URL(), Name: "CATALOG", Replicas: 1})
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	letters := s.DeadLetters("north")
	if err := letters.PublishDead(t.Context(), make([]byte, 4090), "event", "a", "why"); err != nil {
		t.Error(err)
	}
	if data, found, err := letters.Of(t.Context(), "event", "a"); !found || len(data) > 0 || err != nil {
		t.Errorf("%d bytes, found %v, %v", len(data), found, err)
	}
}

func TestAppliedSignalReachesItsReadNode(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	here, there := streamtest.Open(t, config), streamtest.Open(t, config)
	heard := make(chan applied.Signal, 10)
	unsubscribe, err := there.OnApplied("north", func(what applied.Signal) { heard <- what })
	if err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(streamtest.Patience)
	want := applied.Signal{Sequence: 7, Position: 70}
	for got := (applied.Signal{}); got != want; {
		if err := errors.Join(here.SignalApplied("south", applied.Signal{Sequence: 3}), here.SignalApplied("north", want)); err != nil {
			t.Fatal(err)
		}
		select {
		case got = <-heard:
			if got != want {
				t.Fatalf("heard %v, which is another node's", got)
			}
		case <-time.After(10 * time.Millisecond):
			if time.Now().After(deadline) {
				t.Fatal("heard nothing")
			}
		}
	}
	unsubscribe()
}
