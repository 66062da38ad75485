package node

import (
	"context"

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
		Ready: n.CaughtUp, Current: n.current, Repaired: n.signals.all, Metrics: n.drift, Log: n.Log,
	}
	return checker.Run(ctx)
}

// current reports whether the live indexes were built from this stream under the present settings.
func (n *Node) current(ctx context.Context) (bool, error) {
	wanted, err := n.wanted(ctx)
	if err != nil {
		return false, err
	}
	state, found, err := n.Index.State(ctx)
	return found && state == wanted, err
}
