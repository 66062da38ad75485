package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"litfass/pkg/chassis/stream"
	"litfass/services/projector/internal/dead"
	"litfass/services/projector/internal/rebuild"
)

// Line is one line of a running projector's answer to a command. The last line has Result, Pruned,
// Done or Error; an empty one is a heartbeat.
type Line struct {
	Progress *rebuild.Progress `json:"progress,omitempty"`
	Result   *rebuild.Result   `json:"result,omitempty"`
	Pruned   *int              `json:"pruned,omitempty"`
	Replayed *dead.Replayed    `json:"replayed,omitempty"`
	Done     bool              `json:"done,omitempty"`
	Error    string            `json:"error,omitempty"`
}

func (n *Node) rebuildName() string { return "rebuild." + n.Name }

func (n *Node) pruneName() string { return "prune." + n.Name }

func (n *Node) replayName() string { return "replay." + n.Name }

// answer runs commands for other processes until ctx ends, which also ends running commands.
func (n *Node) answer(ctx context.Context) error {
	var begun sync.WaitGroup
	defer begun.Wait()
	for name, do := range map[string]func(context.Context, []byte, func(Line)){
		n.rebuildName(): n.answerRebuild,
		n.pruneName():   n.answerPrune,
		n.replayName():  n.answerReplay,
	} {
		stop, err := n.Stream.Answer(name, func(request []byte, say func([]byte)) {
			begun.Add(1)
			defer begun.Done()
			do(ctx, request, func(line Line) {
				data, err := json.Marshal(line)
				if err != nil {
					data = fmt.Appendf(nil, `{"error":%q}`, err)
				}
				say(data)
			})
		})
		if err != nil {
			return err
		}
		defer stop()
	}
	<-ctx.Done()
	return context.Cause(ctx)
}

// everyHeartbeat calls fn now and every second, in a goroutine, until stop has returned or ctx
// ends. The heartbeats tell the asking process that this one is alive.
func everyHeartbeat(ctx context.Context, fn func()) (stop func()) {
	alive, end := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		for alive.Err() == nil {
			fn()
			select {
			case <-alive.Done():
			case <-time.After(heartbeat):
			}
		}
	})
	return func() {
		end()
		running.Wait()
	}
}

const (
	// takeoverWait is how long a command waits for a projector that is starting or ending: one that
	// holds the lease and does not answer.
	takeoverWait = 15 * time.Second
	// askAgain is how long it waits for the lease before it asks again.
	askAgain = time.Second
)

var errUnresponsive = errors.New("the running projector neither answers nor ends")

// ask sends a command to the running projector and passes each line of its answer to hear until
// hear returns true. When no projector runs, alone does the work in this process, holding the
// lease: two processes never write at the same time.
func (n *Node) ask(
	ctx context.Context, name string, request []byte, hear func(Line) (done bool), alone func(context.Context) error,
) error {
	for began := time.Now(); ; {
		err := n.Stream.Ask(ctx, name, request, func(data []byte) (bool, error) {
			var line Line
			if err := json.Unmarshal(data, &line); err != nil {
				return false, fmt.Errorf("the projector's answer cannot be read: %w", err)
			}
			if line.Error != "" {
				return false, errors.New(line.Error)
			}
			return hear(line), nil
		})
		if !errors.Is(err, stream.ErrNoResponder) {
			return err
		}
		err = n.leadSoon(ctx, alone)
		if !errors.Is(err, errUnresponsive) || time.Since(began) > takeoverWait {
			return err
		}
	}
}

// leadSoon runs fn while this process holds the lease. It returns errUnresponsive when another
// process keeps the lease for askAgain.
func (n *Node) leadSoon(ctx context.Context, fn func(context.Context) error) error {
	waiting, give := context.WithCancelCause(ctx)
	defer give(nil)
	limit := time.AfterFunc(askAgain, func() { give(errUnresponsive) })
	defer limit.Stop()
	return n.lead(waiting, func(leading context.Context) error {
		if !limit.Stop() { // given up in this moment
			return errUnresponsive
		}
		return fn(leading)
	})
}
