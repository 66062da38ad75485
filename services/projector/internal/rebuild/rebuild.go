// Package rebuild builds new indexes of a read node next to the old ones and exchanges them in one
// step, while reads and changes continue.
package rebuild

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
	"litfass/services/projector/internal/apply"
	"litfass/services/projector/internal/verify"
)

// Phase is a phase of a rebuild.
type Phase string

// The phases, in their order.
const (
	Filling  Phase = "filling"  // the new indexes, from the stream
	Checking Phase = "checking" // the new indexes against the stream
	Swapping Phase = "swapping"
	Done     Phase = "done"
)

// Progress is the progress of a rebuild.
type Progress struct {
	Phase Phase  `json:"phase"`
	Done  uint64 `json:"done"`  // messages of the stream that the new indexes hold
	Total uint64 `json:"total"` // messages that the stream held when the rebuild began
	Dates int64  `json:"dates"` // in the new indexes
}

// Result is the result of a rebuild.
type Result struct {
	Dates    int64         `json:"dates"`
	Messages int           `json:"messages"`
	Dead     int           `json:"dead"` // changes that can never be applied
	Duration time.Duration `json:"duration"`
}

// MismatchError means that the new indexes differ from the stream. The old ones stay in place.
type MismatchError struct {
	Differences []verify.Difference // the first ones
}

// Error names the first difference.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("the new index is not what the stream asks for, for example: %s", e.Differences[0])
}

const (
	tellEvery       = 500 * time.Millisecond
	lookEvery       = 10 * time.Millisecond // while the live indexes must not be written to
	fewDifferences  = 10
	consumerPostfix = "-rebuild"
)

// Rebuilder rebuilds the indexes of one read node.
type Rebuilder struct {
	Stream    *stream.Stream
	Dead      stream.DeadLetters
	Index     *index.Client // the live indexes, which must exist
	Projector project.Projector
	Metrics   *apply.Metrics
	Log       *slog.Logger
	Durable   string      // name of the read node's consumer
	State     index.State // the source of the new indexes
	// Writing is locked by writers of the live indexes. The rebuild locks it for the exchange.
	Writing sync.Locker
	// Exchanged is called after the exchange and before the next write, which is compared with indexes
	// that may have it already.
	Exchanged func()
}

// Run rebuilds the indexes and returns once the new ones are live; the old ones then lie aside.
// After an error, the live indexes are unchanged, unless the engine had begun the exchange. What
// fails after the exchange is logged. Only one rebuild of a read node may run at a time.
func (r Rebuilder) Run(ctx context.Context, report func(Progress)) (Result, error) {
	started := time.Now()
	consumer, err := r.begin(ctx)
	if err != nil {
		return Result{}, fmt.Errorf("begin to rebuild: %w", err)
	}
	defer consumer.Stop()
	f := &filling{Rebuilder: r, aside: r.Index.Aside(), consumer: consumer, dead: map[subject]bool{}, report: report}
	messages, err := f.run(ctx)
	forgetErr := r.Stream.Forget(context.WithoutCancel(ctx), r.Durable+consumerPostfix)
	if err != nil {
		return Result{}, fmt.Errorf("rebuild: %w", errors.Join(err, forgetErr))
	}
	dates, err := r.Index.Count(ctx, document.Dates)
	if err = errors.Join(err, forgetErr); err != nil { // the next rebuild forgets the consumer as well
		r.Log.Warn("the new index is live, and the rebuild could not be tidied up", "error", err)
	}
	report(Progress{Phase: Done, Done: f.total, Total: f.total, Dates: dates})
	return Result{Dates: dates, Messages: messages, Dead: len(f.dead), Duration: time.Since(started)}, nil
}

// begin creates empty indexes in place of those aside, and a consumer that starts with the oldest
// message.
func (r Rebuilder) begin(ctx context.Context) (*stream.Consumer, error) {
	aside := r.Index.Aside()
	if _, err := aside.Drop(ctx); err != nil {
		return nil, err
	}
	if err := aside.Ensure(ctx); err != nil {
		return nil, err
	}
	if err := aside.PutState(ctx, r.State); err != nil {
		return nil, err
	}
	if err := r.Stream.Forget(ctx, r.Durable+consumerPostfix); err != nil {
		return nil, err
	}
	return r.Stream.Consumer(ctx, r.Durable+consumerPostfix)
}

// filling is a running rebuild.
type filling struct {
	Rebuilder
	aside    *index.Client
	consumer *stream.Consumer
	report   func(Progress)
	total    uint64 // pending messages at the beginning

	mu   sync.Mutex
	dead map[subject]bool
}

type subject struct {
	kind change.Kind
	id   string
}

// run fills the new indexes and keeps them up to date while they are checked, until they are
// exchanged.
func (f *filling) run(ctx context.Context) (messages int, err error) {
	applier := apply.New(f.Stream.Prefix(), f.aside, f.Projector, f, f.Metrics, f.Log)
	both, filled := errgroup.WithContext(ctx)
	following, stop := context.WithCancel(filled)
	stopped := make(chan struct{})
	both.Go(func() error {
		defer close(stopped)
		err := applier.Follow(following, f.Stream, f.consumer, &sync.Mutex{}, func(*apply.Batch) {})
		if following.Err() != nil {
			return nil // we stopped it, or the other side failed and says why
		}
		return err
	})
	both.Go(func() error {
		defer stop()
		if err := f.fill(filled); err != nil {
			return err
		}
		if messages, err = f.check(filled); err != nil {
			return err
		}
		f.progress(filled, Swapping, 0)
		if err := f.catchUp(filled, lookEvery, func(stream.Progress) {}); err != nil { // a large event takes long
			return err
		}
		f.Writing.Lock()
		defer f.Writing.Unlock()
		if err := f.catchUp(filled, lookEvery, func(stream.Progress) {}); err != nil {
			return err
		}
		if err := f.sameStream(filled); err != nil {
			return err
		}
		stop()
		<-stopped // nothing writes now
		return f.exchange(filled, applier)
	})
	return messages, both.Wait()
}

// exchange exchanges the indexes. After an error the engine may do so nevertheless: its queue is
// waited for, so that no exchange follows its signal.
func (f *filling) exchange(ctx context.Context, applier *apply.Applier) error {
	err := f.Index.Swap(ctx, f.aside)
	if err != nil {
		err = errors.Join(err, applier.Settle(ctx))
	}
	f.Exchanged()
	return err
}

// sameStream returns an error if the new indexes may have been filled from another stream than that
// of their state: one that was lost and created again meanwhile.
func (f *filling) sameStream(ctx context.Context) error {
	identity, err := f.Stream.Identity(ctx)
	if err == nil && identity != f.State.Stream {
		err = fmt.Errorf("the stream %s was replaced by %s", f.State.Stream, identity)
	}
	return err
}

// fill waits until the new indexes have the messages that were in the stream at the start.
func (f *filling) fill(ctx context.Context) error {
	return f.catchUp(ctx, tellEvery, func(p stream.Progress) {
		f.total = max(f.total, p.Pending)
		f.progress(ctx, Filling, p.Pending)
	})
}

// catchUp waits until the new indexes have everything that is in the stream now.
func (f *filling) catchUp(ctx context.Context, every time.Duration, seen func(stream.Progress)) error {
	last, err := f.Stream.LastSequence(ctx)
	if err != nil {
		return err
	}
	for {
		p, _, err := f.Stream.Progress(ctx, f.Durable+consumerPostfix)
		if err != nil {
			return err
		}
		seen(p)
		if p.Applied >= last {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(every):
		}
	}
}

func (f *filling) progress(ctx context.Context, phase Phase, pending uint64) {
	dates, err := f.aside.Count(ctx, document.Dates)
	if err != nil {
		return // the next report has it
	}
	f.report(Progress{Phase: phase, Done: f.total - min(pending, f.total), Total: f.total, Dates: dates})
}

// check compares the new indexes with the stream: number and content of all documents. Changes that
// can never be applied do not count.
func (f *filling) check(ctx context.Context) (messages int, err error) {
	f.progress(ctx, Checking, 0)
	verifier := verify.Verifier{
		Stream: f.Stream, Index: f.aside, Projector: f.Projector,
		Applied: func(ctx context.Context) (uint64, error) {
			p, _, err := f.Stream.Progress(ctx, f.Durable+consumerPostfix)
			return p.Applied, err
		},
	}
	var wrong []verify.Difference
	counts, err := verifier.Run(ctx, func(d verify.Difference) bool {
		if d.What != verify.Unusable && !f.isDead(d) {
			wrong = append(wrong, d)
		}
		return len(wrong) < fewDifferences
	})
	if len(wrong) > 0 {
		return counts.Messages, &MismatchError{Differences: wrong}
	}
	return counts.Messages, err
}

// PublishDead stores a dead change, and exempts it from the comparison.
func (f *filling) PublishDead(ctx context.Context, data []byte, kind, id, reason string) error {
	f.mu.Lock()
	f.dead[subject{change.Kind(kind), id}] = true
	f.mu.Unlock()
	return f.Dead.PublishDead(ctx, data, kind, id, reason)
}

func (f *filling) isDead(d verify.Difference) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dead[subject{d.Kind, d.Entity}]
}
