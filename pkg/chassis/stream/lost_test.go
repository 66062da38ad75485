package stream_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
)

// behind returns a stream reached through another server, so that its own may die without the
// connection being lost; direct returns the same stream over a direct connection to its server.
func behind(t *testing.T) (server *streamtest.Server, through *stream.Stream, direct func() *stream.Stream) {
	t.Helper()
	server, url := streamtest.StartBehind(t)
	config := stream.Config{URL: server.URL(), Name: "CATALOG", Replicas: 1}
	if err := streamtest.Open(t, config).Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	front := config
	front.URL = url
	return server, answering(t, front), func() *stream.Stream { return answering(t, config) }
}

// answering connects to a stream and waits until it answers.
func answering(t *testing.T, config stream.Config) *stream.Stream {
	t.Helper()
	s := streamtest.Open(t, config)
	for deadline := time.Now().Add(streamtest.Patience); ; time.Sleep(20 * time.Millisecond) {
		_, err := s.LastSequence(t.Context())
		if err == nil {
			_, _, err = s.Keys(t.Context())
		}
		if err == nil {
			return s
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

// The server that leads a consumer takes the consumer's requests for messages with it.
func TestConsumerGoesOnAfterItsLeaderDied(t *testing.T) {
	t.Parallel()
	server, s, direct := behind(t)
	publish(t, direct(), events(t, 1)...)
	c := consume(t, s)
	c.Ack(batch(t, c, atOnce))
	progress(t, s, func(p stream.Progress) bool { return p.Pending == 0 })
	server.Kill()
	server.Resume()
	publish(t, direct(), events(t, 1)...)
	got := sequences(batch(t, c, atOnce)) // perhaps the first once more: the server may have forgotten its acknowledgement
	if got[len(got)-1] != 2 {
		t.Errorf("after the loss: %v", got)
	}
}

// So it does with the consumer of a follower of keys.
func TestKeysAreHeardAfterTheServerOfTheirConsumerDied(t *testing.T) {
	t.Parallel()
	server, s, direct := behind(t)
	h := follow(t, s)
	h.until(t, "replaced 1:")
	publishKeys(t, direct(), key(1, 1, "standard"))
	h.until(t, "replaced 1: 1=standard")
	server.Kill()
	server.Resume()
	publishKeys(t, direct(), key(1, 2, "partner"))
	h.untilTier(t, 1, "partner")
}

// steal makes another client of a consumer receive messages in turn with it, and never acknowledge
// them: they count as delivered, like messages that a server was about to send when it died.
func steal(t *testing.T, config stream.Config, messages int) (stolen <-chan []uint64) {
	t.Helper()
	consumer, err := streamtest.JetStream(t, config.URL).Consumer(t.Context(), config.Name, durable)
	if err != nil {
		t.Fatal(err)
	}
	batch, err := consumer.Fetch(messages, jetstream.FetchMaxWait(streamtest.Patience))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(streamtest.Patience); ; time.Sleep(time.Millisecond) {
		info, err := consumer.Info(t.Context())
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("the other client does not wait for messages: %v", err)
		}
		if info.NumWaiting == 2 {
			break
		}
	}
	all := make(chan []uint64, 1)
	go func() {
		var sequences []uint64
		for msg := range batch.Messages() {
			if meta, err := msg.Metadata(); err == nil {
				sequences = append(sequences, meta.Sequence.Stream)
			}
		}
		all <- sequences
	}()
	return all
}

// A message that was lost on its way is delivered again in its place, long before ackWait: whether
// others follow it or not.
func TestNoMessageIsPassedOver(t *testing.T) {
	t.Parallel()
	for _, published := range []int{2, 3} {
		t.Run(fmt.Sprint(published), func(t *testing.T) {
			t.Parallel()
			config := streamtest.Config(t)
			s := streamtest.Open(t, config)
			if err := s.Ensure(t.Context()); err != nil {
				t.Fatal(err)
			}
			c := consume(t, s)
			waitForRequest(t, s, c)
			stolen := steal(t, config, 1)
			publish(t, s, events(t, published)...)
			var last uint64
			for got := map[uint64]bool{}; len(got) < published; {
				next := batch(t, c, atOnce)
				for _, sequence := range sequences(next) {
					if sequence > last+1 {
						t.Errorf("message %d after %d", sequence, last)
					}
					got[sequence], last = true, sequence
				}
				c.Ack(next)
			}
			progress(t, s, func(p stream.Progress) bool { return p.Pending == 0 })
			if lost := <-stolen; !slices.Equal(lost, []uint64{2}) {
				t.Errorf("%v were lost", lost)
			}
		})
	}
}

// waitForRequest has a consumer ask the server for messages, of which there are none yet.
func waitForRequest(t *testing.T, s *stream.Stream, c *stream.Consumer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if got, err := c.Batch(ctx, atOnce); err == nil {
		t.Fatalf("got %v of an empty stream %s", sequences(got), s.Prefix())
	}
}
