package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// ErrNoResponder means that no process responds to a name.
var ErrNoResponder = errors.New("no process responds")

// askSilence is how long a responder may send nothing before Ask fails.
const askSilence = 30 * time.Second

const noResponders = "503" // status of the server's reply to a request without subscribers

func (s *Stream) askSubject(name string) string { return s.prefix + "-ask." + name }

// responders is the queue group of all processes that answer to a name: the server hands each
// request to one of them.
const responders = "responders"

// Answer calls handle with each request to name, in a goroutine of its own, until stop is called.
// When several processes answer to name, each request reaches one of them. Lines passed to say
// arrive at the requesting process in order, as long as it listens.
func (s *Stream) Answer(name string, handle func(request []byte, say func(line []byte))) (stop func(), err error) {
	subscription, err := s.conn.QueueSubscribe(s.askSubject(name), responders, func(msg *nats.Msg) {
		if msg.Reply == "" {
			return
		}
		go handle(msg.Data, func(line []byte) { _ = s.conn.Publish(msg.Reply, line) }) // not connected: the line is lost
	})
	if err != nil {
		return nil, fmt.Errorf("answer to %s: %w", name, err)
	}
	if err := s.conn.FlushTimeout(requestTimeout); err != nil { // now the server knows the subscription
		return nil, errors.Join(fmt.Errorf("answer to %s: %w", name, err), subscription.Unsubscribe())
	}
	return func() { _ = subscription.Unsubscribe() }, nil
}

// Ask sends a request to one process that answers to name and calls hear with each line of the
// reply, until hear reports the last one or returns an error, which Ask returns. The request may be
// empty. Ask returns ErrNoResponder when no process answers to name.
func (s *Stream) Ask(
	ctx context.Context, name string, request []byte, hear func(line []byte) (done bool, err error),
) error {
	inbox := s.conn.NewInbox()
	subscription, err := s.conn.SubscribeSync(inbox)
	if err != nil {
		return fmt.Errorf("ask for %s: %w", name, err)
	}
	defer func() { _ = subscription.Unsubscribe() }()
	if err := s.conn.PublishRequest(s.askSubject(name), inbox, request); err != nil {
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
	ctx, cancel := context.WithTimeoutCause(ctx, askSilence, errors.New("the responder stopped sending"))
	defer cancel()
	msg, err := subscription.NextMsgWithContext(ctx)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return nil, ErrNoResponder
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, err
	case len(msg.Data) == 0 && msg.Header.Get("Status") == noResponders:
		return nil, ErrNoResponder
	}
	return msg, nil
}
