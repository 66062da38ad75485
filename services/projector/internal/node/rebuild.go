package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"litfass/pkg/applied"
	"litfass/pkg/stream"
	"litfass/services/projector/internal/rebuild"
)

const (
	firstRenewal   = 5 * time.Second
	longestRenewal = 10 * time.Minute
)

// ErrBusy means that a rebuild is under way.
var ErrBusy = errors.New("a rebuild is under way")

// rebuild rebuilds the indexes; the caller must hold the lease.
func (n *Node) rebuild(ctx context.Context, report func(rebuild.Progress)) (rebuild.Result, error) {
	if !n.rebuilding.TryLock() {
		return rebuild.Result{}, ErrBusy
	}
	defer n.rebuilding.Unlock()
	state, err := n.wanted(ctx)
	if err != nil {
		return rebuild.Result{}, err
	}
	n.Log.Info("rebuilding the index", "read_node", n.Name)
	result, err := rebuild.Rebuilder{
		Stream: n.Stream, Index: n.Index, Projector: n.projector, Metrics: n.applying, Log: n.Log,
		Durable: n.durable, State: state, Writing: &n.writing,
		Exchanged: func() { n.signals.batch(applied.Batch{All: true}, "", func() {}) },
	}.Run(ctx, report)
	if err != nil {
		n.metrics.rebuilds.WithLabelValues("failed").Inc()
		n.Log.Error("the rebuild failed, the old index stays", "error", err)
		return result, err
	}
	n.metrics.rebuilds.WithLabelValues("succeeded").Inc()
	n.Log.Info("rebuilt the index", "dates", result.Dates, "dead", result.Dead, "seconds", result.Duration.Seconds())
	return result, nil
}

// renew rebuilds outdated indexes; what fails is tried again. The old ones serve meanwhile.
func (n *Node) renew(ctx context.Context) error {
	for wait := firstRenewal; ; wait = min(2*wait, longestRenewal) {
		_, err := n.rebuild(ctx, func(rebuild.Progress) {})
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(wait):
		}
	}
}

// prune deletes the indexes that a rebuild has left beside the live ones; the caller must hold the
// lease.
func (n *Node) prune(ctx context.Context) (dropped int, err error) {
	if !n.rebuilding.TryLock() {
		return 0, ErrBusy
	}
	defer n.rebuilding.Unlock()
	return n.Index.Aside().Drop(ctx)
}

// Line is one line of a running projector's answer to a command. The last line has Result, Pruned
// or Error.
type Line struct {
	Progress *rebuild.Progress `json:"progress,omitempty"`
	Result   *rebuild.Result   `json:"result,omitempty"`
	Pruned   *int              `json:"pruned,omitempty"`
	Error    string            `json:"error,omitempty"`
}

func (n *Node) rebuildName() string { return "rebuild." + n.Name }

func (n *Node) pruneName() string { return "prune." + n.Name }

// answer lets other processes ask for a rebuild or for pruning, until ctx ends; what was begun then
// ends, too.
func (n *Node) answer(ctx context.Context) error {
	var begun sync.WaitGroup
	defer begun.Wait()
	for name, do := range map[string]func(context.Context, func(Line)){
		n.rebuildName(): n.answerRebuild,
		n.pruneName():   n.answerPrune,
	} {
		stop, err := n.Stream.Answer(name, func(_ []byte, say func([]byte)) {
			begun.Add(1)
			defer begun.Done()
			do(ctx, speaker(say))
		})
		if err != nil {
			return err
		}
		defer stop()
	}
	<-ctx.Done()
	return context.Cause(ctx)
}

func speaker(say func([]byte)) func(Line) {
	return func(line Line) {
		data, err := json.Marshal(line)
		if err != nil {
			data = fmt.Appendf(nil, `{"error":%q}`, err)
		}
		say(data)
	}
}

// answerRebuild reports progress at least every second, so that the other side sees that this
// process is alive.
func (n *Node) answerRebuild(ctx context.Context, say func(Line)) {
	var mu sync.Mutex
	last := rebuild.Progress{Phase: rebuild.Filling}
	report := func(update func()) {
		mu.Lock()
		defer mu.Unlock()
		update()
		p := last
		say(Line{Progress: &p})
	}
	alive, stop := context.WithCancel(ctx)
	var reporting sync.WaitGroup
	reporting.Go(func() {
		for alive.Err() == nil {
			report(func() {})
			select {
			case <-alive.Done():
			case <-time.After(heartbeat):
			}
		}
	})
	result, err := n.rebuild(ctx, func(p rebuild.Progress) { report(func() { last = p }) })
	stop()
	reporting.Wait()
	if err != nil {
		say(Line{Error: err.Error()})
		return
	}
	say(Line{Result: &result})
}

func (n *Node) answerPrune(ctx context.Context, say func(Line)) {
	dropped, err := n.prune(ctx)
	if err != nil {
		say(Line{Error: err.Error()})
		return
	}
	say(Line{Pruned: &dropped})
}

// aloneWait is how long a command waits for a projector that has just ended to give back its lease.
const aloneWait = 15 * time.Second

// Rebuild has the indexes rebuilt: by the projector that runs for this read node, or, when there is
// none, by this process. It returns once the new indexes are live.
func (n *Node) Rebuild(ctx context.Context, report func(rebuild.Progress)) (rebuild.Result, error) {
	var result rebuild.Result
	err := n.ask(ctx, n.rebuildName(), func(line Line) bool {
		if line.Progress != nil {
			report(*line.Progress)
		}
		if line.Result != nil {
			result = *line.Result
		}
		return line.Result != nil
	}, func(ctx context.Context) (err error) {
		if _, err = n.prepare(ctx); err != nil {
			return err
		}
		result, err = n.rebuild(ctx, report)
		return err
	})
	return result, err
}

// Prune has the indexes deleted that a rebuild has left beside the live ones, and returns how many
// there were.
func (n *Node) Prune(ctx context.Context) (dropped int, err error) {
	err = n.ask(ctx, n.pruneName(), func(line Line) bool {
		if line.Pruned != nil {
			dropped = *line.Pruned
		}
		return line.Pruned != nil
	}, func(ctx context.Context) (err error) {
		dropped, err = n.prune(ctx)
		return err
	})
	return dropped, err
}

// ask sends a command to the running projector and passes each line of its answer to hear until
// that returns true. When no projector answers, alone does the work in this process. Two processes
// never write at a time: alone holds the lease.
func (n *Node) ask(
	ctx context.Context, name string, hear func(Line) (done bool), alone func(context.Context) error,
) error {
	err := n.Stream.Ask(ctx, name, nil, func(data []byte) (bool, error) {
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
	waiting, give := context.WithCancelCause(ctx)
	defer give(nil)
	limit := time.AfterFunc(aloneWait, func() { give(errors.New("the running projector neither answers nor ends")) })
	return n.lead(waiting, func(held context.Context) error {
		limit.Stop()
		return alone(held)
	})
}
