// Package node runs the projector of one read node: it keeps the node's indexes equal to the
// stream, signals applied changes to the query services, and rebuilds the indexes when their
// settings have changed or an operator asks for it.
package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
	"litfass/services/projector/internal/apply"
	"litfass/services/projector/internal/drift"
)

const (
	heartbeat    = time.Second
	firstRetry   = 200 * time.Millisecond
	maxRetryWait = 10 * time.Second
)

// Options configure the projector of a read node.
type Options struct {
	Name      string // of the read node
	PublicURL string
	TimeZone  string // IANA name: of places without a time zone
	SelfCheck int    // entities compared with the stream each second; 0: none
	// Compaction decides when grown indexes are rebuilt.
	Compaction Compaction
	// Renewal is DefaultRenewal if it is zero.
	Renewal  Renewal
	Stream   *stream.Stream
	Index    *index.Client
	Registry prometheus.Registerer
	Log      *slog.Logger
}

// Node is the projector of one read node. At most one process at a time writes a read node's
// indexes: the holder of the lease with the node's name.
type Node struct {
	Options
	projector project.Projector
	applying  *apply.Metrics
	metrics   *metrics
	drift     *drift.Metrics
	dead      stream.DeadLetters
	durable   string // name of the consumer
	holder    string // name of this process

	writing    sync.Mutex // held while the live indexes are written to
	rebuilding sync.Mutex // held by a rebuild and anything that must not run during one
	failures   failures   // of rebuilds
	status     status
	signals    signals
}

// New returns the projector of a read node. It does nothing yet.
func New(options Options) *Node {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	n := &Node{
		Options:   options,
		projector: project.New(options.PublicURL, options.TimeZone),
		applying:  apply.NewMetrics(options.Registry),
		drift:     drift.NewMetrics(options.Registry),
		dead:      options.Stream.DeadLetters(options.Name),
		durable:   stream.Durable(options.Name),
		holder:    fmt.Sprintf("%s-%d-%s", host, os.Getpid(), uuid.NewString()),
	}
	if n.Renewal.Pause == nil {
		n.Renewal = DefaultRenewal
	}
	n.metrics = newMetrics(options.Registry, n.status.behind, n.failures.inARow)
	n.signals.send = n.signal
	return n
}

// Run keeps the indexes up to date until ctx ends. It starts over after failures: engines that are
// down, a lease that another process holds, deleted indexes.
func (n *Node) Run(ctx context.Context) error {
	for wait := firstRetry; ; wait = min(2*wait, maxRetryWait) {
		began := time.Now()
		err := n.lead(ctx, n.serve)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // an order to stop is no failure, and neither is what it broke off
		}
		if time.Since(began) > time.Minute {
			wait = firstRetry
		}
		n.Log.Warn("starting over", "wait", wait.String(), "error", err)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// lead runs fn while this process holds the lease.
func (n *Node) lead(ctx context.Context, fn func(ctx context.Context) error) error {
	if err := n.Stream.AwaitEnsured(ctx); err != nil {
		return err
	}
	n.metrics.unknown() // another process may hold the lease for long
	return n.Stream.HoldLease(ctx, n.Name, n.holder, fn)
}

// serve runs all parts of a projector until one fails.
func (n *Node) serve(ctx context.Context) error {
	n.failures.lead(true)
	defer n.failures.lead(false)
	found, err := n.prepare(ctx)
	if err != nil {
		return fmt.Errorf("prepare the index: %w", err)
	}
	if !found.outdated {
		n.failures.clear()
	}
	consumer, err := n.Stream.Consumer(ctx, n.durable)
	if err != nil {
		return err
	}
	defer consumer.Stop()
	n.status.begin(found.stream, found.foreign)
	n.signals.begin()
	n.Log.Info("following the stream", "read_node", n.Name, "outdated", found.outdated, "another_stream", found.foreign)
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { return n.follow(ctx, consumer) })
	parts.Go(func() error { return n.beat(ctx) })
	parts.Go(func() error { return n.signalLeft(ctx) })
	parts.Go(func() error { return n.listen(ctx) })
	parts.Go(func() error { return n.answer(ctx) })
	parts.Go(func() error { return n.countDead(ctx) })
	parts.Go(func() error { return n.selfCheck(ctx) })
	parts.Go(func() error { return n.compact(ctx) })
	if found.outdated {
		parts.Go(func() error { return n.renew(ctx, found) })
	}
	return parts.Wait()
}

func (n *Node) follow(ctx context.Context, consumer *stream.Consumer) error {
	return n.applierWith(n.dead).Follow(ctx, n.Stream, consumer, &n.writing, func(batch *apply.Batch) {
		n.signals.batch(batch.Altered, batch.Version, func() { n.status.apply(batch.Sequence) })
	})
}

// applierWith returns an applier to the live indexes; n.writing must be held while it writes.
func (n *Node) applierWith(letters apply.DeadLetters) *apply.Applier {
	return apply.New(n.Stream.Prefix(), n.Index, n.projector, letters, n.applying, n.Log)
}

// listen records the relay's signals, up to which position the stream is complete, until ctx ends.
func (n *Node) listen(ctx context.Context) error {
	form := ""
	unsubscribe, err := n.Stream.OnComplete(func(what stream.Completion) {
		if n.status.hear(what) {
			n.signals.repeat()
		}
		if now := n.status.holdsForm(); now != form {
			form = now
			n.metrics.holds(form)
			n.Log.Info("form of the snapshots in the index", "form", form)
		}
	})
	if err != nil {
		return err
	}
	defer unsubscribe()
	<-ctx.Done()
	return context.Cause(ctx)
}

// prepared is the state of the indexes at the start.
type prepared struct {
	stream   string // identity of the stream
	outdated bool   // the indexes were built under other settings, or from another stream
	foreign  bool   // from another stream
}

// prepare makes an empty read node ready to be filled. For a filled one it returns whether its
// indexes are outdated.
func (n *Node) prepare(ctx context.Context) (found prepared, err error) {
	wanted, err := n.wanted(ctx)
	if err != nil {
		return prepared{}, err
	}
	found.stream = wanted.Stream
	if _, err := n.Index.ReadKey(ctx); err != nil {
		n.Log.Warn("query services have no key of their own", "error", err)
	}
	state, exists, err := n.Index.State(ctx)
	if n.metrics.answered(err); err != nil {
		return prepared{}, err
	}
	if exists && !n.indexMissing(ctx, state) {
		state.Filling = false
		found.outdated, found.foreign = state != wanted, state.Stream != wanted.Stream
		return found, nil
	}
	if exists { // the remaining indexes would keep older changes from being applied to the missing one
		if _, err := n.Index.Drop(ctx); err != nil {
			return prepared{}, err
		}
	}
	n.Log.Info("filling an empty index", "read_node", n.Name)
	if err := n.Stream.Forget(ctx, n.durable); err != nil {
		return prepared{}, err
	}
	if err := n.Index.Ensure(ctx); err != nil {
		return prepared{}, err
	}
	wanted.Filling = true
	return found, n.Index.PutState(ctx, wanted) // last, so that an interrupted setup starts over
}

// indexMissing reports whether an index was deleted while the state remained or was written again.
// Another version may have built fewer indexes; these are rebuilt while they answer.
func (n *Node) indexMissing(ctx context.Context, state index.State) bool {
	if state.SettingsHash != document.SettingsHash(n.projector.Form()) {
		return false
	}
	whole, err := n.Index.Whole(ctx)
	return err == nil && !whole
}

// wanted returns the state of indexes that are built now.
func (n *Node) wanted(ctx context.Context) (index.State, error) {
	identity, err := n.Stream.Identity(ctx)
	if err != nil {
		return index.State{}, err
	}
	return index.State{ID: index.StateID, SettingsHash: document.SettingsHash(n.projector.Form()), Stream: identity}, nil
}

// errGone are reasons to start over with prepare.
var (
	errIndexGone    = errors.New("an index or its state was deleted")
	errConsumerGone = errors.New("the stream does not know the consumer any more")
)

// beat repeats the freshness signal and checks that indexes, stream and consumer still exist.
func (n *Node) beat(ctx context.Context) error {
	ticker := time.NewTicker(heartbeat)
	defer ticker.Stop()
	for {
		if err := n.look(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
	}
}

// look updates status and metrics. It ignores engines that do not answer: the other parts report
// them.
func (n *Node) look(ctx context.Context) error {
	progress, found, err := n.Stream.Progress(ctx, n.durable)
	switch {
	case err != nil:
		n.Log.Debug("progress unknown", "error", err)
	case !n.status.follows(progress.Stream):
		return errStreamGone
	case !found:
		return errConsumerGone
	default:
		n.status.look(progress)
		n.metrics.look(progress)
		if progress.Pending > 0 {
			applied, _ := n.status.applied()
			if oldest, _, err := n.Stream.Next(ctx, applied+1); err == nil { // else the age stays that of the last look
				n.status.waiting(oldest.Sequence, oldest.Published)
			}
		}
		n.signals.repeat()
	}
	state, found, err := n.Index.State(ctx)
	n.metrics.answered(err)
	switch {
	case err != nil:
		return nil //nolint:nilerr // left to callers that need the engine
	case !found, n.indexMissing(ctx, state):
		return errIndexGone
	case state.Filling && n.status.follows(state.Stream) && n.status.filled():
		if err := n.admit(ctx); err != nil {
			n.Log.Warn("the index is filled, and could not be marked so", "error", err) // the next look tries again
		}
	}
	return nil
}

// admit lets query services answer from indexes that were empty and are filled now.
func (n *Node) admit(ctx context.Context) error {
	n.writing.Lock() // a rebuild may exchange the indexes, and their state
	defer n.writing.Unlock()
	state, found, err := n.Index.State(ctx)
	if err != nil || !found {
		return err
	}
	state.Filling = false
	if err := n.Index.PutState(ctx, state); err != nil {
		return err
	}
	n.Log.Info("the index is filled", "read_node", n.Name)
	return nil
}
