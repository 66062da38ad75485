package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// ErrNobody means that no process answers to a name.
var ErrNobody = errors.New("nobody answers")

// askSilence is how long the answering side may say nothing before it counts as gone.
const askSilence = 30 * time.Second

const noResponders = "503" // status of the server's own reply when nobody listens

func (s *Stream) askSubject(name string) string { return s.prefix + "-ask." + name }

// Answer lets handle talk to every process that asks for name, each in a goroutine of its own, until stop is called. What
// handle passes to say is heard there in order, as long as somebody listens.
func (s *Stream) Answer(name string, handle func(say func(line []byte))) (stop func(), err error) {
	subscription, err := s.conn.Subscribe(s.askSubject(name), func(msg *nats.Msg) {
		if msg.Reply == "" {
			return
		}
		go handle(func(line []byte) { _ = s.conn.Publish(msg.Reply, line) }) // not connected: nobody hears it
	})
	if err != nil {
		return nil, fmt.Errorf("answer to %s: %w", name, err)
	}
	if err := s.conn.FlushTimeout(requestTimeout); err != nil { // from now on the server knows
		return nil, errors.Join(fmt.Errorf("answer to %s: %w", name, err), subscription.Unsubscribe())
	}
	return func() { _ = subscription.Unsubscribe() }, nil
}

// Ask asks the process that answers to name and calls hear with each line that it says, until hear reports that this was
// the last one or returns an error, which Ask returns. ErrNobody when no process answers to name.
func (s *Stream) Ask(ctx context.Context, name string, hear func(line []byte) (done bool, err error)) error {
	inbox := s.conn.NewInbox()
	subscription, err := s.conn.SubscribeSync(inbox)
	if err != nil {
		return fmt.Errorf("ask for %s: %w", name, err)
	}
	defer func() { _ = subscription.Unsubscribe() }()
	if err := s.conn.PublishRequest(s.askSubject(name), inbox, nil); err != nil {
		return fmt.Errorf("ask for %s: %w", name, err)
	}
	for {
		msg, err := nextLine(ctx, subscription)
		if err != nil {
			return fmt.Errorf("ask for %s: %w", name, err)
		}
		if done, err := hear(msg.Data); err != nil || done {
			return err
		}
	}
}

func nextLine(ctx context.Context, subscription *nats.Subscription) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, askSilence, errors.New("it fell silent"))
	defer cancel()
	msg, err := subscription.NextMsgWithContext(ctx)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return nil, ErrNobody
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, err
	case len(msg.Data) == 0 && msg.Header.Get("Status") == noResponders:
		return nil, ErrNobody
	}
	return msg, nil
}
