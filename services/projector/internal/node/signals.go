package node

import (
	"context"
	"sync"

	"github.com/google/uuid"

	"litfass/pkg/contracts/applied"
)

// signals numbers the signals to the query services, so that they notice missing ones. It is safe
// for concurrent use.
type signals struct {
	send func(applied.Signal)

	mu      sync.Mutex // held while a signal is sent: they leave in their order
	session string
	batches uint64
	version string // of the index of dates
}

// begin starts a session: the changes by other processes, or by this one before, are not known.
func (s *signals) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session, s.batches, s.version = uuid.NewString(), 0, ""
}

// batch signals an applied batch with its changes, and the version of the index of dates. noted
// records it in the node's status. No repetition comes between the two: with the position of the
// batch but without its changes it would make an older answer look complete.
func (s *signals) batch(altered applied.Batch, version string, noted func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	noted()
	s.batches++
	s.version = version
	s.send(applied.Signal{Session: s.session, Batches: s.batches, Version: s.version, Batch: &altered})
}

// all signals that anything in the indexes may have changed.
func (s *signals) all() { s.batch(applied.Batch{All: true}, "", func() {}) }

// repeat repeats the last signal, for receivers that missed it.
func (s *signals) repeat() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.send(applied.Signal{Session: s.session, Batches: s.batches, Version: s.version})
}

// signal completes a signal and sends it to the query services. The next one replaces a lost one.
func (n *Node) signal(what applied.Signal) {
	what.Complete, what.Stream = n.status.completed() // before the position, which may be greater
	what.Sequence, what.Position = n.status.applied()
	if err := n.Stream.SignalApplied(n.Name, what); err != nil {
		n.Log.Debug("no freshness signal", "error", err)
	}
}

// signalLeft signals that anything may have changed once the engine has run the queued tasks of an
// earlier process. Batches are delivered and signalled again then, but a repair, a replay or an
// exchange is not.
func (n *Node) signalLeft(ctx context.Context) error {
	n.writing.Lock()
	defer n.writing.Unlock()
	if err := n.applierWith(n.dead).Settle(ctx); err != nil {
		return err
	}
	n.signals.all()
	return nil
}
