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
	// ackWait is how long a delivered message may stay unacknowledged before it is delivered again: also while it waits in
	// the client for its turn, which an engine that is down may keep from coming. It may be long, because after a crash or
	// a lost connection the consumer does not wait for it. Whoever works longer on a batch says so with KeepAlive.
	ackWait  = 5 * time.Minute
	ackEvery = ackWait / 3

	// maxAckPending is how many messages may be delivered and not yet acknowledged: a batch in work, one in preparation,
	// and what the client holds ahead.
	maxAckPending = 50_000

	fetchMessages = 2_000    // held ahead by the client
	fetchBytes    = 16 << 20 // of one request to the server; never less than two greatest messages

	atHand      = time.Millisecond       // within which comes what the client holds already
	busyLook    = 2 * time.Millisecond   // how often to ask whether somebody is still busy
	morePending = 100 * time.Millisecond // how long to wait for messages that the server says are on their way
	checkIdle   = 2 * time.Second        // how long without a message until the server is asked for the consumer
	lookUp      = 250 * time.Millisecond // how often to look up from waiting
)

// Delivery is one message of the stream as a consumer gets it. Anything may be delivered twice.
type Delivery struct {
	Message
	Pending uint64 // messages that the consumer has still to get after this one
	msg     jetstream.Msg
}

// Consumer reads the stream in order from where its durable name has got to. One process at a time may read under a
// durable name: see HoldLease. It is not safe for concurrent use, but for Ack and KeepAlive.
type Consumer struct {
	stream     *Stream
	durable    string
	messages   jetstream.MessagesContext
	reconnects uint64 // of the connection, when messages was opened
}

// Consumer starts to read under a durable name, from the first message that was never acknowledged under it; a new name
// starts with the oldest message. Call Stop when done.
//
// What was delivered before, but not acknowledged, is delivered again at once, and what was acknowledged behind that a
// second time: the consumer is made anew at its acknowledged floor. Without that, the server would wait out ackWait.
func (s *Stream) Consumer(ctx context.Context, durable string) (*Consumer, error) {
	c := &Consumer{stream: s, durable: durable, reconnects: s.conn.Stats().Reconnects}
	if err := c.open(ctx); err != nil {
		return nil, fmt.Errorf("consumer %s: %w", durable, err)
	}
	return c, nil
}

func (c *Consumer) open(ctx context.Context) error {
	consumer, err := c.stream.resume(ctx, c.durable)
	if err != nil {
		return err
	}
	limit := max(fetchBytes, 2*int(c.stream.conn.MaxPayload()))
	c.messages, err = consumer.Messages(
		jetstream.PullMaxMessagesWithBytesLimit(fetchMessages, limit),
		jetstream.WithMessagesErrOnMissingHeartbeat(false), // a server that is away comes back: see reopen
	)
	return err
}

// reopen makes the consumer anew if the connection was lost since it was opened: messages and acknowledgements under way
// at that time are lost.
func (c *Consumer) reopen(ctx context.Context) error {
	for {
		now := c.stream.conn.Stats().Reconnects
		if now == c.reconnects {
			return nil
		}
		c.messages.Stop()
		if c.open(ctx) == nil {
			c.reconnects = now
			continue
		}
		if err := pause(ctx, firstRetry); err != nil { // JetStream may need longer than the connection
			return err
		}
	}
}

func (s *Stream) resume(ctx context.Context, durable string) (jetstream.Consumer, error) {
	config := jetstream.ConsumerConfig{
		Durable:       durable,
		DeliverPolicy: jetstream.DeliverAllPolicy,
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       ackWait,
		MaxAckPending: maxAckPending,
		MaxDeliver:    -1,
	}
	known, err := s.js.Consumer(ctx, s.config.Name, durable)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return s.js.CreateConsumer(ctx, s.config.Name, config)
	}
	if err != nil {
		return nil, err
	}
	info := known.CachedInfo()
	if info.NumAckPending == 0 && info.Config.MaxAckPending == maxAckPending && info.Config.AckWait == ackWait {
		return known, nil
	}
	if err := s.js.DeleteConsumer(ctx, s.config.Name, durable); err != nil {
		return nil, err
	}
	config.DeliverPolicy, config.OptStartSeq = jetstream.DeliverByStartSequencePolicy, info.AckFloor.Stream+1
	return s.js.CreateConsumer(ctx, s.config.Name, config)
}

// Forget makes a durable name unknown: the next Consumer of that name starts with the oldest message.
func (s *Stream) Forget(ctx context.Context, durable string) error {
	err := s.js.DeleteConsumer(ctx, s.config.Name, durable)
	if err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return fmt.Errorf("forget consumer %s: %w", durable, err)
	}
	return nil
}

// Stop ends the reading. Messages that were not acknowledged are delivered again to the next Consumer of the name.
func (c *Consumer) Stop() { c.messages.Stop() }

// Limits say when a batch is full.
type Limits struct {
	Messages int
	Bytes    int
	Linger   time.Duration // how long the first message of a batch waits for others
	// Busy tells whether whoever wants the batch is still at work on something else: as long as it is, the batch goes on
	// growing. nil means never.
	Busy func() bool
}

// busy is Busy, but not for longer than messages may wait without KeepAlive.
func (l Limits) busy(began time.Time) bool {
	return l.Busy != nil && time.Since(began) < ackEvery && l.Busy()
}

// wait is how long to wait for the message after the last one of a batch that began at a time.
func (l Limits) wait(last Delivery, began time.Time) time.Duration {
	wait := max(l.Linger-time.Since(began), atHand)
	if l.busy(began) {
		wait = max(wait, busyLook)
	}
	if last.Pending > 0 {
		wait = max(wait, morePending)
	}
	return wait
}

// Batch waits for a message and returns it with those that follow: until the batch is full, or nothing more is on its way
// and the first has waited for limits.Linger and limits.Busy. After a lost connection it goes on at the first message that was never
// acknowledged. An error means that ctx has ended or that this consumer is of no more use.
func (c *Consumer) Batch(ctx context.Context, limits Limits) ([]Delivery, error) {
	first, err := c.first(ctx)
	if err != nil {
		return nil, err
	}
	batch, size, began := []Delivery{first}, len(first.Data), time.Now()
	for len(batch) < limits.Messages && size < limits.Bytes && ctx.Err() == nil {
		next, err := c.next(limits.wait(batch[len(batch)-1], began))
		if errors.Is(err, nats.ErrTimeout) && limits.busy(began) {
			continue
		}
		if err != nil {
			break // nothing came; what is wrong with the consumer the next call will tell
		}
		batch, size = append(batch, next), size+len(next.Data)
	}
	return batch, nil //nolint:nilerr // what was received so far is a whole answer
}

func (c *Consumer) first(ctx context.Context) (Delivery, error) {
	for idle := time.Duration(0); ; idle += lookUp {
		if err := ctx.Err(); err != nil {
			return Delivery{}, context.Cause(ctx)
		}
		if err := c.reopen(ctx); err != nil {
			return Delivery{}, err
		}
		delivery, err := c.next(lookUp)
		if !errors.Is(err, nats.ErrTimeout) {
			return delivery, err
		}
		if idle >= checkIdle {
			if err := c.exists(ctx); err != nil {
				return Delivery{}, err
			}
			idle = 0
		}
	}
}

// exists returns ErrConsumerDeleted when the server no longer knows the consumer: one that was deleted while nobody asked
// it for messages would otherwise stay silent for ever. A server that does not answer proves nothing.
func (c *Consumer) exists(ctx context.Context) error {
	_, err := c.stream.js.Consumer(ctx, c.stream.config.Name, c.durable)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return fmt.Errorf("consumer %s: %w", c.durable, jetstream.ErrConsumerDeleted)
	}
	return nil
}

func (c *Consumer) next(wait time.Duration) (Delivery, error) {
	msg, err := c.messages.Next(jetstream.NextMaxWait(wait))
	if err != nil {
		return Delivery{}, fmt.Errorf("next message: %w", err)
	}
	meta, err := msg.Metadata()
	if err != nil {
		return Delivery{}, fmt.Errorf("place of a message in the stream: %w", err)
	}
	return Delivery{
		Message: Message{Sequence: meta.Sequence.Stream, Subject: msg.Subject(), Data: msg.Data()},
		Pending: meta.NumPending,
		msg:     msg,
	}, nil
}

// Ack acknowledges a batch. An acknowledgement that does not reach the server only makes it deliver the message again.
func (c *Consumer) Ack(batch []Delivery) {
	for _, delivery := range batch {
		_ = delivery.msg.Ack()
	}
}

// KeepAlive tells the server, until ctx ends, that the batch is still in work, so that it is not delivered again.
func (c *Consumer) KeepAlive(ctx context.Context, batch []Delivery) {
	ticker := time.NewTicker(ackEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			for _, delivery := range batch {
				if delivery.msg.InProgress() != nil {
					break // not connected: delivered again at worst
				}
			}
		}
	}
}

// Progress tells how far a durable name has got.
type Progress struct {
	Last    uint64 // sequence of the stream's newest message
	Applied uint64 // everything up to this sequence is acknowledged
	Pending uint64 // messages not yet acknowledged; at least 1 as long as there are any
}

// Progress returns how far the consumer with that durable name has got. ok is false when there is none.
func (s *Stream) Progress(ctx context.Context, durable string) (progress Progress, ok bool, err error) {
	last, err := s.LastSequence(ctx) // first: what the consumer is told to lack then can only be more
	if err != nil {
		return Progress{}, false, err
	}
	consumer, err := s.js.Consumer(ctx, s.config.Name, durable)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return Progress{Last: last}, false, nil
	}
	if err != nil {
		return Progress{}, false, fmt.Errorf("progress of consumer %s: %w", durable, err)
	}
	info := consumer.CachedInfo()
	progress = Progress{Last: last, Applied: info.AckFloor.Stream, Pending: info.NumPending + uint64(info.NumAckPending)}
	if progress.Pending > 0 || progress.Applied >= last {
		return progress, true, nil
	}
	waiting, err := s.holds(ctx, max(progress.Applied, info.Delivered.Stream)+1)
	switch {
	case err != nil:
		return Progress{}, false, err
	case waiting: // the consumer learns of new messages only after whoever published them
		progress.Pending = 1
	default: // the newest messages were deleted, so that the floor stays below
		progress.Applied = last
	}
	return progress, true, nil
}

// holds reports whether the stream has a message at a sequence or above.
func (s *Stream) holds(ctx context.Context, sequence uint64) (bool, error) {
	stream, err := s.stream(ctx)
	if err != nil {
		return false, err
	}
	_, err = stream.GetMsg(ctx, sequence, jetstream.WithGetMsgSubject(s.Prefix()+".>"))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for message %d: %w", sequence, err)
	}
	return true, nil
}

// Identity tells this stream from every other one, also from one of the same name that was made after it was deleted.
func (s *Stream) Identity(ctx context.Context) (string, error) {
	stream, err := s.stream(ctx)
	if err != nil {
		return "", err
	}
	info, err := stream.Info(ctx)
	if err != nil {
		return "", fmt.Errorf("read the identity of stream %s: %w", s.config.Name, err)
	}
	return s.config.Name + "@" + info.Created.UTC().Format(time.RFC3339Nano), nil
}
