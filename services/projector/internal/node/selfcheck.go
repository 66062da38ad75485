package node

import (
	"context"
	"errors"

	"litfass/services/projector/internal/drift"
	"litfass/services/projector/internal/verify"
)

// selfCheck compares the indexes with the stream until ctx ends, unless that is switched off.
func (n *Node) selfCheck(ctx context.Context) error {
	if n.SelfCheck == 0 {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	checker := drift.Checker{
		Verifier: verify.Verifier{
			Stream: n.Stream, Index: n.Index, Projector: n.projector,
			Applied: func(context.Context) (uint64, error) {
				sequence, _ := n.status.applied()
				return sequence, nil
			},
		},
		PerSecond: n.SelfCheck, Dead: n.dead, Applier: n.applierWith(n.dead), Writing: &n.writing,
		Ready: n.comparable, Current: n.current, Repaired: n.signals.all, Metrics: n.drift, Log: n.Log,
	}
	return checker.Run(ctx)
}

// comparable returns nil when a comparison of the live indexes says something: they have caught up
// with the stream, and are not about to be replaced.
func (n *Node) comparable(ctx context.Context) error {
	if err := n.CaughtUp(ctx); err != nil {
		return err
	}
	return n.Current(ctx)
}

// Current returns nil if the live indexes were built from this stream under the present settings,
// ErrOutdated if not, or the error of an engine without an answer.
func (n *Node) Current(ctx context.Context) error {
	current, err := n.current(ctx)
	if err == nil && !current {
		err = ErrOutdated
	}
	return err
}

// ErrOutdated means that the live indexes were built by another version or from another stream, and
// not rebuilt yet.
var ErrOutdated = errors.New("the index was built by another version or from another stream, and is not rebuilt yet")

// current reports whether the live indexes were built from this stream under the present settings.
func (n *Node) current(ctx context.Context) (bool, error) {
	wanted, err := n.wanted(ctx)
	if err != nil {
		return false, err
	}
	state, found, err := n.Index.State(ctx)
	return found && state == wanted, err
}
