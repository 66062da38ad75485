package stream

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"litfass/pkg/chassis/tracing"
)

const (
	// ackWait is how long a delivered message may stay unacknowledged before it is delivered again.
	// That includes the time it waits in the client, which is long while an engine is down. It may
	// be long because a restarted or reconnected consumer does not wait for it. KeepAlive extends
	// it for a batch that takes longer.
	ackWait  = 5 * time.Minute
	ackEvery = ackWait / 3

	// maxAckPending is how many delivered messages may be unacknowledged: one batch being applied,
	// one being prepared, and the client's buffer.
	maxAckPending = 50_000

	fetchMessages = 2_000    // buffered by the client
	fetchBytes    = 16 << 20 // of one request to the server; at least two messages of maximum size

	atHand      = time.Millisecond       // enough to receive what the client has buffered
	morePending = 100 * time.Millisecond // how long to wait for messages that the server has announced
	checkIdle   = 2 * time.Second        // idle time after which the server is asked how the consumer stands
	lookUp      = 250 * time.Millisecond // longest single wait for a message
)

// Delivery is a message as a consumer receives it. Any message may be delivered twice.
type Delivery struct {
	Message
	Pending uint64 // messages after this one that are not delivered yet
	Trace   string // traceparent of the edit, see change.Change; "" outside of a trace
	reply   string // subject on which the message is acknowledged
	msg     jetstream.Msg
}

// Reference returns the delivery without its data, for a caller that reads them again with At.
func (d Delivery) Reference() Delivery {
	d.Data, d.msg = nil, nil
	return d
}

// Acknowledgements, as the server reads them.
var (
	acknowledged = []byte("+ACK")
	inProgress   = []byte("+WPI")
)

// Consumer reads the stream in order, starting at the first message not acknowledged under its
// durable name. One process at a time may use a durable name; see HoldLease. Only Ack and KeepAlive
// are safe for concurrent use.
//
// In a cluster, the server that leads the consumer may die while the connection, to another server,
// stays up. Its pending requests, deliveries and acknowledgements are then lost, and neither side
// reports it: the consumer has to notice (see next and check) and is opened again.
type Consumer struct {
	stream         *Stream
	durable        string
	messages       jetstream.MessagesContext
	reconnects     uint64       // of the connection, when messages was opened
	delivered      uint64       // consumer sequence of the last message received
	unacknowledged atomic.Int64 // messages returned by Batch and not acknowledged yet
	suspect        bool         // the last check found something missing
	broken         bool         // something is missing for certain; see reopen
}

// Consumer starts to read under a durable name, at the first message that was never acknowledged
// under it, or at the oldest message for a new name. Call Stop when done.
//
// Unacknowledged messages of an earlier consumer are delivered again immediately, and acknowledged
// ones after them a second time: the consumer is created again at its acknowledgement floor. The
// server would otherwise wait for ackWait to elapse.
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
	c.delivered = consumer.CachedInfo().Delivered.Consumer
	limit := max(fetchBytes, 2*int(c.stream.conn.MaxPayload()))
	c.messages, err = consumer.Messages(
		jetstream.PullMaxMessagesWithBytesLimit(fetchMessages, limit),
		jetstream.WithMessagesErrOnMissingHeartbeat(false), // an unreachable server returns: see reopen
	)
	return err
}

// reopen creates the consumer again if the connection was lost since it was opened: messages and
// acknowledgements in flight at that time are lost. So does it if they were lost otherwise.
func (c *Consumer) reopen(ctx context.Context) error {
	for {
		now := c.stream.conn.Stats().Reconnects
		if now == c.reconnects && !c.broken {
			return nil
		}
		c.messages.Stop()
		if c.open(ctx) == nil {
			c.reconnects, c.broken, c.suspect = now, false, false
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
	return s.createAgain(ctx, config)
}

// createAgain creates a consumer of the name of one that was just deleted, whose files the server
// may still be removing.
func (s *Stream) createAgain(ctx context.Context, config jetstream.ConsumerConfig) (jetstream.Consumer, error) {
	const attempts = 20
	for attempt := 1; ; attempt++ {
		created, err := s.js.CreateConsumer(ctx, s.config.Name, config)
		var refused *jetstream.APIError
		if !errors.As(err, &refused) || refused.ErrorCode != jetstream.JSErrCodeConsumerCreate || attempt == attempts {
			return created, err
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// Forget deletes a durable name: the next Consumer of that name starts at the oldest message.
func (s *Stream) Forget(ctx context.Context, durable string) error {
	err := s.js.DeleteConsumer(ctx, s.config.Name, durable)
	if err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return fmt.Errorf("forget consumer %s: %w", durable, err)
	}
	return nil
}

// Stop stops reading. Unacknowledged messages are delivered again to the next Consumer of the name.
func (c *Consumer) Stop() { c.messages.Stop() }

// Limits decide when a batch is complete.
type Limits struct {
	Messages int
	Bytes    int
	Linger   time.Duration // how long the first message of a batch waits for others
}

// wait returns how long to wait for the next message of a batch that began at the given time.
func (l Limits) wait(last Delivery, began time.Time) time.Duration {
	wait := max(l.Linger-time.Since(began), atHand)
	if last.Pending > 0 {
		wait = max(wait, morePending)
	}
	return wait
}

// Batch waits for a message and returns it with the following ones: until the batch is full, or
// until no further messages are in flight and limits.Linger has expired. After a lost connection it
// continues at the first unacknowledged message. It returns an error when ctx ends or when this
// consumer can no longer be used.
func (c *Consumer) Batch(ctx context.Context, limits Limits) ([]Delivery, error) {
	first, err := c.first(ctx)
	if err != nil {
		return nil, err
	}
	batch, size, began := []Delivery{first}, len(first.Data), time.Now()
	for len(batch) < limits.Messages && size < limits.Bytes && ctx.Err() == nil {
		next, err := c.next(limits.wait(batch[len(batch)-1], began))
		if err != nil {
			break // no message; the next call reports the consumer's error
		}
		batch, size = append(batch, next), size+len(next.Data)
	}
	c.unacknowledged.Add(int64(len(batch)))
	return batch, nil //nolint:nilerr // the messages received so far are a complete batch
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
		if errors.Is(err, errGap) {
			continue
		}
		if !errors.Is(err, nats.ErrTimeout) {
			return delivery, err
		}
		if idle >= checkIdle {
			if err := c.check(ctx); err != nil {
				return Delivery{}, err
			}
			idle = 0
		}
	}
}

// check asks the server for the state of an idle consumer. It returns ErrConsumerDeleted when the
// server no longer knows it: a consumer deleted between two requests for messages would otherwise
// stay silent forever. A server that does not answer proves nothing.
//
// The consumer counts as broken when two checks in a row find that none of our requests waits at
// the server, or that it waits for acknowledgements of messages that we do not hold. A single check
// may have met a request that has just expired, or acknowledgements on their way.
func (c *Consumer) check(ctx context.Context) error {
	ctx, cancel := ofOneRequest(ctx)
	defer cancel()
	unacknowledged := c.unacknowledged.Load() // before the server counts: it can only be more than what the server waits for
	known, err := c.stream.js.Consumer(ctx, c.stream.config.Name, c.durable)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return fmt.Errorf("consumer %s: %w", c.durable, jetstream.ErrConsumerDeleted)
	}
	if err != nil {
		return nil
	}
	info := known.CachedInfo()
	missing := info.NumWaiting == 0 || int64(info.NumAckPending) > unacknowledged
	c.broken, c.suspect = missing && c.suspect, missing
	if c.broken {
		c.stream.log.Warn("requests or messages of a consumer were lost, opening it again", "consumer", c.durable,
			"waiting", info.NumWaiting, "unacknowledged", info.NumAckPending, "held", unacknowledged)
	}
	return nil
}

// errGap means that a message was dropped because others before it were lost: a batch must have no
// gaps. It is delivered again once the consumer is reopened.
var errGap = errors.New("messages were lost")

func (c *Consumer) next(wait time.Duration) (Delivery, error) {
	msg, err := c.messages.Next(jetstream.NextMaxWait(wait))
	if err != nil {
		return Delivery{}, fmt.Errorf("next message: %w", err)
	}
	if c.broken || c.stream.conn.Stats().Reconnects != c.reconnects {
		return Delivery{}, errGap
	}
	meta, err := msg.Metadata()
	if err != nil {
		return Delivery{}, fmt.Errorf("place of a message in the stream: %w", err)
	}
	if c.broken = meta.Sequence.Consumer != c.delivered+1; c.broken {
		c.stream.log.Warn("messages of a consumer were lost, opening it again", "consumer", c.durable,
			"delivery", meta.Sequence.Consumer, "last", c.delivered)
		return Delivery{}, errGap
	}
	c.delivered = meta.Sequence.Consumer
	return deliveryOf(msg)
}

// deliveryOf returns a message with its place in the stream.
func deliveryOf(msg jetstream.Msg) (Delivery, error) {
	meta, err := msg.Metadata()
	if err != nil {
		return Delivery{}, fmt.Errorf("place of a message in the stream: %w", err)
	}
	return Delivery{
		Message: Message{
			Sequence: meta.Sequence.Stream, Subject: msg.Subject(), Data: msg.Data(), Published: meta.Timestamp,
		},
		Pending: meta.NumPending,
		Trace:   msg.Headers().Get(tracing.Header),
		reply:   msg.Reply(),
		msg:     msg,
	}, nil
}

// Ack acknowledges a batch, once. A lost acknowledgement only has the message delivered again.
func (c *Consumer) Ack(batch []Delivery) {
	for _, delivery := range batch {
		_ = c.stream.conn.Publish(delivery.reply, acknowledged)
	}
	c.unacknowledged.Add(-int64(len(batch)))
}

// Forgo forgets a number of messages that were received twice: each is acknowledged once.
func (c *Consumer) Forgo(messages int) { c.unacknowledged.Add(-int64(messages)) }

// KeepAlive reports messages to the server as in progress until ctx ends, so that they are not
// delivered again. held returns those that are not acknowledged.
func (c *Consumer) KeepAlive(ctx context.Context, held func() []Delivery) {
	ticker := time.NewTicker(ackEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			for _, delivery := range held() {
				if c.stream.conn.Publish(delivery.reply, inProgress) != nil {
					break // not connected: at worst it is delivered again
				}
			}
		}
	}
}

// Progress is the position of a durable name in the stream.
type Progress struct {
	Stream  string // Identity of the stream
	Last    uint64 // sequence of the stream's newest message
	Applied uint64 // everything up to this sequence is acknowledged
	Pending uint64 // messages not yet acknowledged; at least 1 as long as there are any
}

// Progress returns the position of the consumer with that durable name; ok is false when there is
// none.
func (s *Stream) Progress(ctx context.Context, durable string) (progress Progress, ok bool, err error) {
	state, err := s.State(ctx) // first, so that the consumer's pending count can only be higher
	if err != nil {
		return Progress{}, false, err
	}
	last := state.Last
	consumer, err := s.js.Consumer(ctx, s.config.Name, durable)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return Progress{Stream: state.Identity, Last: last}, false, nil
	}
	if err != nil {
		return Progress{}, false, fmt.Errorf("progress of consumer %s: %w", durable, err)
	}
	info := consumer.CachedInfo()
	progress = Progress{
		Stream: state.Identity, Last: last, Applied: info.AckFloor.Stream,
		Pending: info.NumPending + uint64(info.NumAckPending),
	}
	if progress.Pending > 0 {
		return progress, true, nil
	}
	_, waiting, err := s.Next(ctx, max(progress.Applied, info.Delivered.Stream)+1)
	switch {
	case err != nil:
		return Progress{}, false, err
	case waiting: // the server counts new messages for the consumer later than for their publisher,
		// and later than it takes the replaced ones for acknowledged
		progress.Pending = 1
	default: // the newest messages were deleted, so that the floor stays below
		progress.Applied = max(progress.Applied, last)
	}
	return progress, true, nil
}
