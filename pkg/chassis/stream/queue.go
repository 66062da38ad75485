package stream

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// workWait is how long a taken item may stay without a sign of life before another process gets
	// it: short, since nothing is done about the item meanwhile. A process that was only slow goes on
	// at the same time as the other one.
	workWait  = time.Second
	workAlive = workWait / 4
	workPoll  = time.Second // of one request for an item
	workTaken = 10_000      // items that may be in the hands of workers
)

// workConfig is the stream of the work queues. An item is a word that says where there is work, not
// the work, which its owner keeps: losing an item costs time only, until it is offered again. So
// the stream is in memory, and an item that already waits, or is being worked on, is not added
// again.
func (s *Stream) workConfig() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:                 s.workName(),
		Description:          "where there is work to be done, by queue",
		Subjects:             []string{s.workPrefix() + ".>"},
		Storage:              jetstream.MemoryStorage,
		Replicas:             s.config.Replicas,
		Retention:            jetstream.WorkQueuePolicy,
		MaxMsgsPerSubject:    1,
		Discard:              jetstream.DiscardNew,
		DiscardNewPerSubject: true,
	}
}

func (s *Stream) workName() string { return s.config.Name + "_WORK" }

func (s *Stream) workPrefix() string { return s.prefix + "-work" }

// Offer adds items to a queue, each a word of letters, digits and -. An item that is in the queue
// or in the hands of a worker is not added again: after it has returned an item, a worker must look
// whether there is more to do.
func (s *Stream) Offer(ctx context.Context, queue string, items []string) error {
	acks := make([]jetstream.PubAckFuture, len(items))
	for i, item := range items {
		var err error
		acks[i], err = s.js.PublishAsync(s.workPrefix()+"."+queue+"."+item, nil, jetstream.WithExpectStream(s.workName()))
		if err != nil {
			return fmt.Errorf("offer work of %s: %w", queue, err)
		}
	}
	for _, ack := range acks {
		select {
		case <-ack.Ok():
		case err := <-ack.Err():
			if !isWaiting(err) {
				return fmt.Errorf("offer work of %s: %w", queue, err)
			}
		case <-ctx.Done():
			return fmt.Errorf("offer work of %s: %w", queue, context.Cause(ctx))
		}
	}
	return nil
}

// isWaiting reports whether an item was refused because the queue has it.
func isWaiting(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && strings.Contains(api.Description, "maximum messages per subject")
}

// Item is an item in the hands of a worker.
type Item struct {
	Word  string
	Again bool // another worker had it, and gave no sign of life any more
}

// Work takes items from a queue until ctx ends, and calls handle for each in a goroutine of its
// own, for at most slots items at a time. Of several processes, one gets an item. handle returns it
// by calling done, which reports whether the server has confirmed that; items of a process that
// died are given to another one within workWait. Work returns once every call has returned, with an
// error unless ctx ended; the context of handle has ended by then.
func (s *Stream) Work(
	ctx context.Context, queue string, slots int, handle func(ctx context.Context, item Item, done func()),
) error {
	consumer, err := s.worker(ctx, queue)
	if err != nil {
		return fmt.Errorf("work on %s: %w", queue, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	defer working.Wait()
	defer cancel()
	free := make(chan struct{}, slots)
	for {
		select {
		case <-ctx.Done():
			return nil
		case free <- struct{}{}:
		}
		msg, err := consumer.Next(jetstream.FetchMaxWait(workPoll))
		if err != nil {
			<-free
			if errors.Is(err, jetstream.ErrNoMessages) || errors.Is(err, nats.ErrTimeout) {
				continue
			}
			if isUnanswered(err) && pause(ctx, workAlive) == nil {
				consumer, err = s.worker(ctx, queue)
			}
			if err != nil && ctx.Err() == nil {
				return fmt.Errorf("work on %s: %w", queue, err)
			}
			continue
		}
		working.Go(func() {
			defer func() { <-free }()
			work(ctx, msg, handle)
		})
	}
}

func (s *Stream) worker(ctx context.Context, queue string) (jetstream.Consumer, error) {
	if err := s.ensure(ctx, s.workConfig()); err != nil {
		return nil, err
	}
	ctx, cancel := ofOneRequest(ctx)
	defer cancel()
	return s.js.CreateOrUpdateConsumer(ctx, s.workName(), jetstream.ConsumerConfig{
		Durable:       queue,
		FilterSubject: s.workPrefix() + "." + queue + ".*",
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       workWait,
		MaxAckPending: workTaken,
		MaxDeliver:    -1,
	})
}

// work has one item handled, with signs of life until it is returned.
func work(ctx context.Context, msg jetstream.Msg, handle func(ctx context.Context, item Item, done func())) {
	returned := make(chan struct{})
	var once sync.Once
	var alive sync.WaitGroup
	alive.Go(func() {
		ticker := time.NewTicker(workAlive)
		defer ticker.Stop()
		for {
			select {
			case <-returned:
				return
			case <-ticker.C:
				_ = msg.InProgress() // not connected: at worst another process gets the item
			}
		}
	})
	done := func() {
		once.Do(func() {
			close(returned)
			alive.Wait() // a sign of life after the acknowledgement would be an error
			confirm, cancel := ofOneRequest(context.WithoutCancel(ctx))
			defer cancel()
			_ = msg.DoubleAck(confirm) // lost: the item comes again
		})
	}
	defer done()
	item := Item{Word: msg.Subject()[strings.LastIndexByte(msg.Subject(), '.')+1:]}
	if meta, err := msg.Metadata(); err == nil {
		item.Again = meta.NumDelivered > 1
	}
	handle(ctx, item, done)
}
