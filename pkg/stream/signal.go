package stream

import (
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go"
)

// applied is the payload of the freshness signal.
type applied struct {
	Sequence uint64 `json:"sequence"`
}

func (s *Stream) appliedSubject(node string) string { return s.prefix + "-applied." + node }

// SignalApplied announces to the query services of a read node that its index holds everything up
// to a sequence. It is sent once and not stored; the sender repeats it every second.
func (s *Stream) SignalApplied(node string, seq uint64) error {
	data, err := json.Marshal(applied{Sequence: seq})
	if err == nil {
		err = s.conn.Publish(s.appliedSubject(node), data)
	}
	if err != nil {
		return fmt.Errorf("signal sequence %d: %w", seq, err)
	}
	return nil
}

// OnApplied calls fn, one call at a time, with the sequence of each signal of a read node. Repeated
// signals are included, 0 when the indexes were exchanged for rebuilt ones, and lower sequences
// after that or in a new stream. It continues after a lost connection, until unsubscribe is called.
func (s *Stream) OnApplied(node string, fn func(seq uint64)) (unsubscribe func(), err error) {
	subscription, err := s.conn.Subscribe(s.appliedSubject(node), func(msg *nats.Msg) {
		var signal applied
		if err := json.Unmarshal(msg.Data, &signal); err != nil {
			s.log.Warn("ignoring an unreadable freshness signal", "subject", msg.Subject, "error", err)
			return
		}
		fn(signal.Sequence)
	})
	if err != nil {
		return nil, fmt.Errorf("listen to %s: %w", s.appliedSubject(node), err)
	}
	return func() { _ = subscription.Unsubscribe() }, nil // fails only when the connection is closed
}
