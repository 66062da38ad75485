package node

import (
	"context"
	"errors"
	"sync"

	"litfass/pkg/chassis/index"
	"litfass/services/projector/internal/rebuild"
)

// ErrBusy means that a rebuild is under way.
var ErrBusy = errors.New("a rebuild is under way")

// rebuild rebuilds the indexes; the caller must hold the lease.
func (n *Node) rebuild(ctx context.Context, report func(rebuild.Progress)) (rebuild.Result, error) {
	if !n.rebuilding.TryLock() {
		return rebuild.Result{}, ErrBusy
	}
	defer n.rebuilding.Unlock()
	result, state, err := n.build(ctx, report)
	if err != nil {
		n.metrics.rebuilds.WithLabelValues(resultFailed).Inc()
		times := 0
		if ctx.Err() == nil { // else it was broken off
			times = n.failures.add(err)
		}
		n.Log.Error("the rebuild failed", "in_a_row", times, "error", err)
		return result, err
	}
	n.failures.clear()
	n.status.rebuilt(state.Stream)
	n.metrics.rebuilds.WithLabelValues(resultSucceeded).Inc()
	n.Log.Info("rebuilt the index", "dates", result.Dates, "dead", result.Dead, "seconds", result.Duration.Seconds())
	return result, nil
}

// build builds the indexes of state and exchanges them; n.rebuilding must be held.
func (n *Node) build(
	ctx context.Context, report func(rebuild.Progress),
) (result rebuild.Result, state index.State, err error) {
	if state, err = n.wanted(ctx); err != nil {
		return rebuild.Result{}, state, err
	}
	if err := n.mayBuildFrom(ctx, state.Stream); err != nil {
		return rebuild.Result{}, state, err
	}
	n.Log.Info("rebuilding the index", "read_node", n.Name)
	result, err = rebuild.Rebuilder{
		Stream: n.Stream, Dead: n.dead, Index: n.Index, Projector: n.projector, Metrics: n.applying, Log: n.Log,
		Durable: n.durable, State: state, Writing: &n.writing,
		Exchanged: n.signals.all,
	}.Run(ctx, report)
	return result, state, err
}

// renew rebuilds outdated indexes, with retries. The old ones serve meanwhile, and nothing is built
// from another stream before that is complete.
func (n *Node) renew(ctx context.Context, found prepared) error {
	if found.foreign {
		n.Log.Warn("the index was built from another stream and stays until this one is complete", "stream", found.stream)
		if err := n.awaitWhole(ctx, found.stream); err != nil {
			return err
		}
	}
	if times, _ := n.failures.inARow(); times > 0 { // this process has started over since
		if err := n.Renewal.Pause(ctx, n.Renewal.after(times)); err != nil {
			return err
		}
	}
	for n.Current(ctx) != nil {
		_, err := n.rebuild(ctx, func(rebuild.Progress) {})
		if err == nil {
			return nil
		}
		times, _ := n.failures.inARow()
		if err := n.Renewal.Pause(ctx, n.Renewal.after(times)); err != nil {
			return err
		}
	}
	// A command has rebuilt the indexes, or the engine has exchanged them in spite of an error.
	n.failures.clear()
	n.status.rebuilt(found.stream)
	return nil
}

// prune deletes the former indexes that a rebuild has left; the caller must hold the lease.
func (n *Node) prune(ctx context.Context) (dropped int, err error) {
	if !n.rebuilding.TryLock() {
		return 0, ErrBusy
	}
	defer n.rebuilding.Unlock()
	return n.Index.Aside().Drop(ctx)
}

// answerRebuild reports progress at least every second, as a heartbeat.
func (n *Node) answerRebuild(ctx context.Context, _ []byte, say func(Line)) {
	var mu sync.Mutex
	last := rebuild.Progress{Phase: rebuild.Filling}
	report := func(update func()) {
		mu.Lock()
		defer mu.Unlock()
		update()
		p := last
		say(Line{Progress: &p})
	}
	stop := everyHeartbeat(ctx, func() { report(func() {}) })
	result, err := n.rebuild(ctx, func(p rebuild.Progress) { report(func() { last = p }) })
	stop()
	if err != nil {
		say(Line{Error: err.Error()})
		return
	}
	say(Line{Result: &result})
}

func (n *Node) answerPrune(ctx context.Context, _ []byte, say func(Line)) {
	dropped, err := n.prune(ctx)
	if err != nil {
		say(Line{Error: err.Error()})
		return
	}
	say(Line{Pruned: &dropped})
}

// Rebuild asks the projector that runs for this read node to rebuild the indexes, or rebuilds them
// itself without one. It returns once the new indexes are live.
func (n *Node) Rebuild(ctx context.Context, report func(rebuild.Progress)) (rebuild.Result, error) {
	var result rebuild.Result
	err := n.ask(ctx, n.rebuildName(), nil, func(line Line) bool {
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

// Prune deletes the former indexes that a rebuild has left, and returns their number.
func (n *Node) Prune(ctx context.Context) (dropped int, err error) {
	err = n.ask(ctx, n.pruneName(), nil, func(line Line) bool {
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
