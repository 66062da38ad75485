package node

import (
	"context"
	"sync"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/stream"
)

// patience is the time that changes may be pending before the node counts as behind: longer than
// the interval between looks.
const patience = 2 * time.Second

// status is the progress of the node. It is safe for concurrent use; the zero value knows nothing.
type status struct {
	mu       sync.Mutex
	stream   string // identity of the stream that is followed; "" before
	foreign  bool   // the index was built from another stream
	progress stream.Progress
	caughtUp time.Time // when nothing was pending for the last time
	begun    bool      // looked at least once since the reset
	from     uint64    // sequence of the stream's newest message at that look
	certain  uint64    // sequence up to which the index certainly holds the stream
	position uint64    // up to which the index is complete; 0: not known
	reached  uint64    // sequence of the signal with that position
	form     string    // in which everything in the index was published; "": not known
	oldest   waiting   // message that was not applied at the last look; zero without any
	signals  []completion
}

// completion is a signal of the relay: the stream up to sequence is complete up to position, and
// published in one form.
type completion struct {
	sequence, position uint64
	form               string // "": in several
}

// maxSignals bounds the signals of the relay that wait while the index is behind.
const maxSignals = 64

// begin forgets the progress and records the followed stream, and whether the index was built from
// another one.
func (s *status) begin(stream string, foreign bool) {
	s.reset()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stream, s.foreign = stream, foreign
}

// follows reports whether the node follows this stream.
func (s *status) follows(stream string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stream == stream
}

// rebuilt records that the index is now built from a stream.
func (s *status) rebuilt(from string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.foreign = s.foreign && s.stream != from
}

// reset forgets the progress: the index may have been lost.
func (s *status) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress, s.begun, s.from, s.certain, s.position, s.signals = stream.Progress{}, false, 0, 0, 0, nil
	s.form, s.oldest, s.reached = "", waiting{}, 0
}

// look records the consumer's progress. That is certain only while nothing is pending: a pending
// message that a newer one replaces counts as acknowledged at once, though the index has neither.
func (s *status) look(p stream.Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.Applied = max(p.Applied, min(s.progress.Applied, p.Last)) // acknowledgements may still be on their way
	s.progress = p
	if p.Pending == 0 {
		s.caughtUp = time.Now()
		s.certain = p.Applied
	}
	if !s.begun {
		s.begun, s.from = true, p.Last
	}
	s.advance()
}

// apply records that everything up to a sequence has been applied.
func (s *status) apply(sequence uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress.Applied = max(s.progress.Applied, sequence)
	s.certain = max(s.certain, sequence)
	if s.progress.Last = max(s.progress.Last, sequence); s.progress.Applied == s.progress.Last {
		s.caughtUp = time.Now()
	}
	s.advance()
}

// hear records a signal of the relay about the followed stream, and reports whether the index is
// complete up to a greater position than before. An index that was built from another stream may
// have documents that no message of this one removes, so that its position is not known.
func (s *status) hear(what stream.Completion) (further bool) {
	s.mu.Lock()
	ours := !s.foreign && (what.Stream == s.stream || what.Stream == "")
	s.mu.Unlock()
	return ours && s.complete(completion{what.Sequence, what.Position, what.Form})
}

// complete records a signal of the relay and reports whether the index is complete up to a greater
// position than before.
func (s *status) complete(c completion) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.position
	for len(s.signals) > 0 && s.signals[len(s.signals)-1].sequence > c.sequence {
		s.signals = s.signals[:len(s.signals)-1] // of messages that the stream has lost, with a server
	}
	if len(s.signals) == maxSignals {
		s.signals = s.signals[:maxSignals-1] // the last: the new one says more
	}
	s.signals = append(s.signals, c)
	s.advance()
	return s.position > before
}

// advance moves the position over the signals whose part of the stream is applied. A part without
// messages counts as applied, so the consumer of an empty index may begin above a signal's
// sequence: nothing counts before the index has the messages of the first look.
func (s *status) advance() {
	if !s.holdsAll() {
		return
	}
	for len(s.signals) > 0 && s.signals[0].sequence <= s.certain {
		s.position = max(s.position, s.signals[0].position)
		s.form, s.reached = s.signals[0].form, s.signals[0].sequence
		s.signals = s.signals[1:]
	}
}

// holdsAll reports whether the index has the messages that were in the stream at the first look.
func (s *status) holdsAll() bool { return s.begun && s.certain >= s.from }

// holdsForm returns the form in which everything in the index was published; "" when not known.
func (s *status) holdsForm() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.form
}

// filled is holdsAll for callers without the lock.
func (s *status) filled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.holdsAll()
}

// waiting is a message that is not applied yet.
type waiting struct {
	sequence  uint64
	published time.Time
}

// waiting records the oldest message that is not applied.
func (s *status) waiting(sequence uint64, published time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.oldest = waiting{sequence, published}
}

// behind returns the age of the oldest message that is not applied. It grows even while the stream
// does not answer.
func (s *status) behind() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.oldest.sequence <= s.progress.Applied {
		return 0
	}
	return max(time.Since(s.oldest.published), 0)
}

// applied returns the sequence of the stream up to which the index has every change, and the
// position up to which it is complete.
func (s *status) applied() (sequence, position uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.progress.Applied, s.position
}

// completed returns the sequence of the stream that belongs to the position of the index, and the
// identity of the stream.
func (s *status) completed() (sequence uint64, stream string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reached, s.stream
}

// Lag is the distance of the index from the end of the stream.
type Lag struct {
	Pending uint64 `json:"pending"` // messages not yet applied
	Applied uint64 `json:"applied_sequence"`
	Last    uint64 `json:"stream_sequence"`
	// Form identifies the form of snapshots in which everything in the index was published; "" while
	// some may be in another one.
	Form string `json:"form"`
}

// Lag reads the lag from the stream. Fault Unavailable when the stream does not answer or no
// projector has started yet.
func (n *Node) Lag(ctx context.Context) (Lag, error) {
	progress, found, err := n.Stream.Progress(ctx, n.durable)
	if err != nil {
		return Lag{}, fault.Wrap(err, fault.Unavailable, "stream_unavailable", "the stream does not answer")
	}
	if !found {
		return Lag{Last: progress.Last}, fault.New(fault.Unavailable, "not_begun",
			"the index has not begun to follow the stream")
	}
	return Lag{
		Pending: progress.Pending, Applied: progress.Applied, Last: progress.Last, Form: n.status.holdsForm(),
	}, nil
}

// CaughtUp returns nil when the index has everything in the stream, except for changes of the last
// two seconds, else a fault with the lag.
func (n *Node) CaughtUp(ctx context.Context) error {
	lag, err := n.Lag(ctx)
	if err != nil || lag.Pending == 0 {
		return err
	}
	n.status.mu.Lock()
	behind := time.Since(n.status.caughtUp)
	n.status.mu.Unlock()
	if behind < patience {
		return nil
	}
	return fault.New(fault.Unavailable, "behind", "%d changes behind: applied up to %d of %d",
		lag.Pending, lag.Applied, lag.Last)
}

// Connected returns nil while the connection to the stream is up.
func (n *Node) Connected(context.Context) error {
	if !n.Stream.Connected() {
		return fault.New(fault.Unavailable, "stream_unavailable", "the stream does not answer")
	}
	return nil
}
