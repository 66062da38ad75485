// Package apply writes changes into a read node's indexes.
//
// In any order of delivery, and however often, the indexes end up with the newest change of every
// entity. A change older than the indexed one is dropped; an equal one is written again, which
// completes an interrupted batch. The record of an entity has its revision; the dates of an event
// are written before it.
package apply

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/index"
	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/project"
)

const (
	firstRetry   = 100 * time.Millisecond
	maxRetryWait = 5 * time.Second
)

// DeadLetters stores changes that can never be applied; implemented by stream.Stream.
type DeadLetters interface {
	PublishDead(ctx context.Context, data []byte, kind, id, reason string) error
}

// Applier writes into one set of indexes. It must be the only one that does.
type Applier struct {
	prefix      string // of the stream's subjects
	index       *index.Client
	projector   project.Projector
	deadLetters DeadLetters
	metrics     *Metrics
	log         *slog.Logger
	settled     bool // no task of another process or of a failed attempt is left in the index
	inSlices    bool // what takes long is left to be written in slices
}

// New returns an applier for changes below a stream's prefix.
func New(
	prefix string, index *index.Client, projector project.Projector,
	deadLetters DeadLetters, metrics *Metrics, log *slog.Logger,
) *Applier {
	return &Applier{
		prefix: prefix, index: index, projector: projector, deadLetters: deadLetters, metrics: metrics, log: log,
	}
}

// Apply returns once the index has the changes of the batch, and the changes that can never be
// applied are dead letters. It retries while the index or the stream is down. An error means that
// ctx has ended, or that only a fresh start may help: the indexes are gone, or the key is not
// accepted.
func (a *Applier) Apply(ctx context.Context, batch *Batch) error {
	started := time.Now()
	if err := a.setAsideAll(ctx, batch.dead); err != nil {
		return err
	}
	if err := a.write(ctx, batch, batch.changes); err != nil {
		return err
	}
	a.metrics.batch(batch, time.Since(started))
	return nil
}

// write applies changes of a batch, leaving out changes without documents and changes that the
// engine refuses. It finds a refused change by halving the list.
func (a *Applier) write(ctx context.Context, batch *Batch, changes []*pending) error {
	if len(changes) == 0 {
		return nil
	}
	var refusal error
	var done outcome
	err := a.retry(ctx, "write to the index", func() (err error) {
		done, err = a.attempt(ctx, changes)
		if refusal = nil; index.Refused(err) {
			refusal, err = err, nil
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case refusal == nil:
		batch.merge(done, len(changes))
		return a.setAsideAll(ctx, done.unprojectable)
	case len(changes) == 1:
		// Other parts of the change may be written already, or be queued.
		batch.Altered = applied.Batch{All: true}
		if err := a.Settle(ctx); err != nil {
			return err
		}
		return a.setAside(ctx, changes[0].because(refusal))
	}
	half := len(changes) / 2
	if err := a.write(ctx, batch, changes[:half]); err != nil {
		return err
	}
	return a.write(ctx, batch, changes[half:])
}

// setAsideAll sets aside each of the changes.
func (a *Applier) setAsideAll(ctx context.Context, changes []deadLetter) error {
	for _, d := range changes {
		if err := a.setAside(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// setAside publishes a change that can never be applied as a dead letter.
func (a *Applier) setAside(ctx context.Context, d deadLetter) error {
	a.log.Error("a change can never be applied", "kind", d.kind, "id", d.id, "reason", d.reason)
	err := a.retry(ctx, "publish a dead letter", func() error {
		err := a.deadLetters.PublishDead(ctx, d.data, d.kind, d.id, d.reason)
		if err != nil && ctx.Err() == nil {
			return fault.Wrap(err, fault.Unavailable, "stream_unavailable", "the stream does not answer")
		}
		return err
	})
	if err == nil {
		a.metrics.changes.WithLabelValues(resultDead).Inc()
	}
	return err
}

// retry calls fn until it returns anything but an Unavailable fault, with growing pauses.
func (a *Applier) retry(ctx context.Context, what string, fn func() error) error {
	for wait := firstRetry; ; wait = min(2*wait, maxRetryWait) {
		err := fn()
		if err == nil || !fault.Is(err, fault.Unavailable) {
			return err
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%s: %w", what, context.Cause(ctx))
		}
		a.metrics.retries.Inc()
		a.log.Warn("trying again", "what", what, "wait", wait.String(), "error", err)
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", what, context.Cause(ctx))
		case <-time.After(wait):
		}
	}
}
