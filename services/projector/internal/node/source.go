package node

import (
	"context"
	"errors"
	"time"

	"litfass/pkg/chassis/stream"
)

// wholePatience is the time that a rebuild waits for the relay, which signals every second.
const wholePatience = 5 * time.Second

// ErrIncomplete means that the indexes were built from another stream than the present one, which
// is not known to be complete.
var ErrIncomplete = errors.New("the stream is another one than the index was built from, " +
	"and no relay has signalled that it is complete: is admin running?")

// errStreamGone is a reason to start over with prepare.
var errStreamGone = errors.New("the stream is another one than at the beginning")

// awaitWhole waits until a relay has signalled that the stream of this identity has everything that
// is public. A stream that was lost and created again is empty at first.
func (n *Node) awaitWhole(ctx context.Context, identity string) error {
	whole := make(chan struct{}, 1)
	unsubscribe, err := n.Stream.OnComplete(func(what stream.Completion) {
		if what.Stream != identity {
			return
		}
		select {
		case whole <- struct{}{}:
		default: // known already
		}
	})
	if err != nil {
		return err
	}
	defer unsubscribe()
	select {
	case <-whole:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// mayBuildFrom returns nil if indexes built from the stream of this identity may replace the live
// ones, or ErrIncomplete.
func (n *Node) mayBuildFrom(ctx context.Context, identity string) error {
	state, found, err := n.Index.State(ctx)
	if err != nil || !found || state.Stream == identity {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, wholePatience, ErrIncomplete)
	defer cancel()
	return n.awaitWhole(ctx, identity)
}
