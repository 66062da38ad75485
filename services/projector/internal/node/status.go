package node

import (
	"context"
	"sync"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/stream"
)

// patience is how long changes may be on their way before the node counts as behind: longer than
// from one look to the next.
const patience = 2 * time.Second

// status is what is known of how far the node has got. It is safe for concurrent use; the zero
// value knows nothing.
type status struct {
	mu       sync.Mutex
	stream   string // identity of the stream that is followed; "" before
	foreign  bool   // the index was built from another stream
	progress stream.Progress
	caughtUp time.Time // when nothing was pending for the last time
	begun    bool      // looked at least once since the reset
	from     uint64    // sequence of the stream's newest message at that look
	certain  uint64    // sequence up to which the index holds for certain what the stream held
	position uint64    // up to which the index is complete; 0: not known
	oldest   waiting   // message that was not applied at the last look; zero without any
	signals  []completion
}

// completion is what the relay has signalled: the stream up to sequence is complete up to position.
type completion struct{ sequence, position uint64 }

// mostSignals bounds what is kept of the relay's signals while the index is behind.
const mostSignals = 64

// begin forgets what was applied, and takes in which stream is followed from now on, and whether
// the index was built from another one.
func (s *status) begin(stream string, foreign bool) {
	s.reset()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stream, s.foreign = stream, foreign
}

// follows reports whether this is the stream that is followed.
func (s *status) follows(stream string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stream == stream
}

// rebuilt takes in that the index is now built from a stream.
func (s *status) rebuilt(from string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.foreign = s.foreign && s.stream != from
}

// reset forgets what was applied: the index may have been lost.
func (s *status) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress, s.begun, s.from, s.certain, s.position, s.signals = stream.Progress{}, false, 0, 0, 0, nil
	s.oldest = waiting{}
}

// look takes in what the stream says. Its account of what is applied is certain only while nothing
// is pending: a message on its way that a newer one replaces counts as acknowledged at once, though
// the index holds neither.
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

// apply takes in that everything up to a sequence has been applied.
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

// hear takes in a signal of the relay, unless it speaks of another stream, and reports whether the
// index is complete up to a greater position than before. An index that was built from another
// stream may hold what no message of this one has removed, so that its position is not known.
func (s *status) hear(what stream.Completion) (further bool) {
	s.mu.Lock()
	ours := !s.foreign && (what.Stream == s.stream || what.Stream == "")
	s.mu.Unlock()
	return ours && s.complete(completion{what.Sequence, what.Position})
}

// complete takes in what the relay signals and reports whether the index is complete up to a
// greater position than before.
func (s *status) complete(c completion) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.position
	for len(s.signals) > 0 && s.signals[len(s.signals)-1].sequence > c.sequence {
		s.signals = s.signals[:len(s.signals)-1] // of messages that the stream has lost, with a server
	}
	if len(s.signals) == mostSignals {
		s.signals = s.signals[:mostSignals-1] // the last: the new one says more
	}
	s.signals = append(s.signals, c)
	s.advance()
	return s.position > before
}

// advance moves the position over the signals whose part of the stream is applied. Where the stream
// has no messages any more it counts as applied, so that the consumer of an empty index may begin
// above a signal's sequence: nothing counts before the index holds what the stream held at first.
func (s *status) advance() {
	if !s.holdsAll() {
		return
	}
	for len(s.signals) > 0 && s.signals[0].sequence <= s.certain {
		s.position = max(s.position, s.signals[0].position)
		s.signals = s.signals[1:]
	}
}

// holdsAll reports whether the index holds what the stream held at the first look, and what was
// applied since.
func (s *status) holdsAll() bool { return s.begun && s.certain >= s.from }

// filled is holdsAll for others.
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

// waiting takes in which is the oldest message that is not applied.
func (s *status) waiting(sequence uint64, published time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.oldest = waiting{sequence, published}
}

// behind returns for how long the oldest message that is not applied has been in the stream. It
// grows also while the stream cannot be asked.
func (s *status) behind() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.oldest.sequence <= s.progress.Applied {
		return 0
	}
	return max(time.Since(s.oldest.published), 0)
}

// applied returns up to which sequence of the stream the index holds every change, and up to which
// position it is complete.
func (s *status) applied() (sequence, position uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.progress.Applied, s.position
}

// Lag is how far the index is behind the stream.
type Lag struct {
	Pending uint64 `json:"pending"` // messages not yet applied
	Applied uint64 `json:"applied_sequence"`
	Last    uint64 `json:"stream_sequence"`
}

// Lag asks the stream how far the index is behind. Fault Unavailable when the stream does not
// answer or no projector has begun yet.
func (n *Node) Lag(ctx context.Context) (Lag, error) {
	progress, found, err := n.Stream.Progress(ctx, n.durable)
	if err != nil {
		return Lag{}, fault.Wrap(err, fault.Unavailable, "stream_unavailable", "the stream does not answer")
	}
	if !found {
		return Lag{Last: progress.Last}, fault.New(fault.Unavailable, "not_begun",
			"the index has not begun to follow the stream")
	}
	return Lag{Pending: progress.Pending, Applied: progress.Applied, Last: progress.Last}, nil
}

// CaughtUp returns nil when the index holds what the stream holds, but for changes of the last two
// seconds, else a fault that says how far it is behind.
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
