package stream

import (
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go"

	"litfass/pkg/contracts/applied"
)

// Completion is the relay's announcement that the stream holds everything public, and that the
// changes of all transactions up to the position are in it at sequences up to this one.
type Completion struct {
	Stream   string `json:"stream,omitempty"` // Identity; "" by a relay of an earlier version
	Sequence uint64 `json:"sequence"`
	Position uint64 `json:"position"`
	// Form identifies the form in which the stream up to the sequence is published; "" while some may
	// be published in another one, and by a relay of an earlier version.
	Form string `json:"form,omitempty"`
}

func (s *Stream) appliedSubject(node string) string { return s.prefix + "-applied." + node }

func (s *Stream) completeSubject() string { return s.prefix + "-complete" }

// mostSignalled bounds a freshness signal. It is below the server's usual limit of 1 MiB.
const mostSignalled = 512 << 10

// SignalApplied announces the state of its index to the query services of a read node. It is sent
// once and not stored; the sender repeats it every second. The changes of a batch are packed if
// they exceed the size of a signal. If they still do, they are left out, the entries first: then
// anything may have changed.
func (s *Stream) SignalApplied(node string, what applied.Signal) error {
	data, err := encodeApplied(what)
	if err == nil {
		err = s.conn.Publish(s.appliedSubject(node), data)
	}
	if err != nil {
		return fmt.Errorf("signal sequence %d: %w", what.Sequence, err)
	}
	return nil
}

// OnApplied calls fn, one call at a time, with each signal of a read node, repeated ones included.
// It continues after a lost connection, until unsubscribe is called.
func (s *Stream) OnApplied(node string, fn func(applied.Signal)) (unsubscribe func(), err error) {
	return onSignal(s, s.appliedSubject(node), func(what appliedSignal) { fn(what.unpacked()) })
}

// SignalComplete announces the state of the stream to all projectors. The changes must have been
// acknowledged. It is sent once and not stored; the sender repeats it every second. The error is a
// connection's.
func (s *Stream) SignalComplete(what Completion) error {
	if err := s.signal(s.completeSubject(), what); err != nil {
		return fmt.Errorf("signal position %d: %w", what.Position, err)
	}
	return nil
}

// OnComplete calls fn, one call at a time, with each signal of the relay. Repeated signals are
// included. It continues after a lost connection, until unsubscribe is called.
func (s *Stream) OnComplete(fn func(Completion)) (unsubscribe func(), err error) {
	return onSignal(s, s.completeSubject(), fn)
}

func (s *Stream) signal(subject string, payload any) error {
	data, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	return s.conn.Publish(subject, data)
}

func onSignal[T any](s *Stream, subject string, fn func(T)) (unsubscribe func(), err error) {
	subscription, err := s.conn.Subscribe(subject, func(msg *nats.Msg) {
		var payload T
		if err := json.Unmarshal(msg.Data, &payload); err != nil {
			s.log.Warn("ignoring an unreadable signal", "subject", msg.Subject, "error", err)
			return
		}
		fn(payload)
	})
	if err != nil {
		return nil, fmt.Errorf("listen to %s: %w", subject, err)
	}
	return func() { _ = subscription.Unsubscribe() }, nil // fails only when the connection is closed
}
