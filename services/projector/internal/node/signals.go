package node

import (
	"context"
	"sync"

	"github.com/google/uuid"

	"litfass/pkg/contracts/applied"
)

// signals numbers what is sent to the query services, so that they notice what they have missed. It
// is safe for concurrent use.
type signals struct {
	send func(applied.Signal)

	mu      sync.Mutex // held while a signal is sent: they leave in their order
	session string
	batches uint64
	version string // of the index of dates
}

// begin starts a session: what other processes, or this one before, have altered is not known.
func (s *signals) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session, s.batches, s.version = uuid.NewString(), 0, ""
}

// batch announces a batch that is applied, with what it has altered, and the version of the index
// of dates. noted takes it into the node's status. No repetition comes between the two: one with
// the position of the batch, but without what it altered, would make an older answer look complete.
func (s *signals) batch(altered applied.Batch, version string, noted func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	noted()
	s.batches++
	s.version = version
	s.send(applied.Signal{Session: s.session, Batches: s.batches, Version: s.version, Batch: &altered})
}

// all announces that anything in the indexes may have changed.
func (s *signals) all() { s.batch(applied.Batch{All: true}, "", func() {}) }

// repeat announces again what is applied, for those who have missed it.
func (s *signals) repeat() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.send(applied.Signal{Session: s.session, Batches: s.batches, Version: s.version})
}

// signal completes a signal and sends it to the query services. Lost signals are made up for by the
// next one.
func (n *Node) signal(what applied.Signal) {
	what.Sequence, what.Position = n.status.applied()
	if err := n.Stream.SignalApplied(n.Name, what); err != nil {
		n.Log.Debug("no freshness signal", "error", err)
	}
}

// signalLeft announces that anything may have changed once the engine has run what an earlier
// process has left in its queue. Batches are delivered again and announced then, but a repair, a
// replay or an exchange is not.
func (n *Node) signalLeft(ctx context.Context) error {
	n.writing.Lock()
	defer n.writing.Unlock()
	if err := n.applierWith(n.dead).Settle(ctx); err != nil {
		return err
	}
	n.signals.all()
	return nil
}
