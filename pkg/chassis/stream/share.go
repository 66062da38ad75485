package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// shareWait is how long a process may keep messages without a sign of life before another one
	// gets them.
	shareWait  = time.Second
	shareAlive = shareWait / 4
	sharePoll  = time.Second // of one request for a message
	shareFetch = 50          // messages of one request, of which each may have the maximum size
	shareTaken = 10_000      // messages that may be in the hands of all processes
)

// Share passes the messages of the stream to handle, in batches of at most limits.Messages and
// about limits.Bytes, until ctx ends. Many processes may share a durable name, unlike that of a
// Consumer: each message goes to one of them, and those of a process that died to another one
// within shareWait. So messages of one subject may be handled at the same time by two processes, or
// the newer one first.
//
// The messages are acknowledged when handle returns nil. Its error ends Share, and the messages
// come again. Share returns the cause of ctx when that ends.
func (s *Stream) Share(
	ctx context.Context, durable string, limits Limits, handle func(ctx context.Context, batch []Delivery) error,
) error {
	consumer, err := s.shared(ctx, durable)
	if err != nil {
		return fmt.Errorf("shared consumer %s: %w", durable, err)
	}
	for ctx.Err() == nil {
		batch, err := fetch(consumer, limits)
		if isUnanswered(err) {
			if err = pause(ctx, shareAlive); err == nil {
				consumer, err = s.shared(ctx, durable)
			}
		}
		if err != nil {
			return fmt.Errorf("shared consumer %s: %w", durable, err)
		}
		if len(batch) == 0 {
			continue
		}
		if err := keepWhile(batch, func() error { return handle(ctx, batch) }); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

func (s *Stream) shared(ctx context.Context, durable string) (jetstream.Consumer, error) {
	ctx, cancel := ofOneRequest(ctx)
	defer cancel()
	known, err := s.js.Consumer(ctx, s.config.Name, durable)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return s.js.CreateConsumer(ctx, s.config.Name, jetstream.ConsumerConfig{
			Durable:       durable,
			DeliverPolicy: jetstream.DeliverAllPolicy,
			AckPolicy:     jetstream.AckExplicitPolicy,
			AckWait:       shareWait,
			MaxAckPending: shareTaken,
			MaxDeliver:    -1,
		})
	}
	if err != nil {
		return nil, err
	}
	config := known.CachedInfo().Config // of another version; it may begin elsewhere
	if config.AckWait == shareWait && config.MaxAckPending == shareTaken {
		return known, nil
	}
	config.AckWait, config.MaxAckPending = shareWait, shareTaken
	return s.js.UpdateConsumer(ctx, s.config.Name, config)
}

// isUnanswered reports whether no consumer answered a request for messages: another process is
// creating it, or it was deleted.
func isUnanswered(err error) bool {
	return errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrConsumerDeleted)
}

// fetch waits for a message and returns it with the following ones; none after sharePoll.
func fetch(consumer jetstream.Consumer, limits Limits) ([]Delivery, error) {
	first, err := consumer.Next(jetstream.FetchMaxWait(sharePoll))
	if errors.Is(err, jetstream.ErrNoMessages) || errors.Is(err, nats.ErrTimeout) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	one, err := deliveryOf(first)
	if err != nil {
		return nil, err
	}
	batch, size := []Delivery{one}, len(one.Data)
	for len(batch) < limits.Messages && size < limits.Bytes && batch[len(batch)-1].Pending > 0 {
		following, err := consumer.FetchNoWait(min(shareFetch, limits.Messages-len(batch)))
		if err != nil {
			return nil, err
		}
		before := len(batch)
		for msg := range following.Messages() {
			next, err := deliveryOf(msg)
			if err != nil {
				return nil, err
			}
			batch, size = append(batch, next), size+len(next.Data)
		}
		if len(batch) == before {
			break
		}
	}
	return batch, nil
}

// keepWhile calls handle with signs of life for the messages, and then acknowledges them, or
// returns them to the server.
func keepWhile(batch []Delivery, handle func() error) error {
	done, quiet := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(quiet)
		ticker := time.NewTicker(shareAlive)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				for _, delivery := range batch {
					_ = delivery.msg.InProgress() // not connected: at worst another process gets it
				}
			}
		}
	}()
	err := handle()
	close(done)
	<-quiet
	for _, delivery := range batch {
		if err == nil {
			_ = delivery.msg.Ack()
		} else {
			_ = delivery.msg.Nak()
		}
	}
	return err
}
