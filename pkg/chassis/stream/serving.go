package stream

import "fmt"

// Serving is a query service's announcement to the query services of other read nodes.
type Serving struct {
	Node string `json:"node"` // the read node that it belongs to
	// Position is the number of the database's transaction up to which its answers are complete; 0
	// while that is not known.
	Position uint64 `json:"position"`
	Ready    bool   `json:"ready"` // whether it should get requests
}

func (s *Stream) servingSubject() string { return s.prefix + "-serving" }

// SignalServing announces how far a query service has got. It is sent once and not stored; the
// sender repeats it every second.
func (s *Stream) SignalServing(what Serving) error {
	if err := s.signal(s.servingSubject(), what); err != nil {
		return fmt.Errorf("signal position %d of read node %s: %w", what.Position, what.Node, err)
	}
	return nil
}

// OnServing calls fn, one call at a time, with the announcement of every query service, including
// this one. It continues after a lost connection, until unsubscribe is called.
func (s *Stream) OnServing(fn func(Serving)) (unsubscribe func(), err error) {
	return onSignal(s, s.servingSubject(), fn)
}
