package node

import "context"

// lookBehind updates the oldest change that is not indexed.
func (n *Node) lookBehind(ctx context.Context) {
	applied, _ := n.status.applied()
	oldest, _, err := n.Stream.Next(ctx, applied+1)
	if err != nil {
		n.Log.Debug("the oldest change is not known", "error", err)
		return
	}
	n.status.waiting(oldest.Sequence, oldest.Published)
}
