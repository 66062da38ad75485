// Package apply writes changes into a read node's indexes.
//
// Whatever is delivered, in whatever order and however often, the indexes end up holding the newest change of every entity:
// a change older than what the index holds is dropped, an equal one is written again, which repairs what a batch that broke
// off has left. The entity document is what tells which revision the index holds; the dates of an event are written before
// it.
package apply

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"litfass/pkg/fault"
	"litfass/pkg/index"
	"litfass/services/projector/internal/project"
)

const (
	firstRetry   = 100 * time.Millisecond
	longestRetry = 5 * time.Second
)

// Graveyard keeps changes that can never be applied: stream.Stream.
type Graveyard interface {
	PublishDead(ctx context.Context, data []byte, kind, id, reason string) error
}

// Applier writes into one set of indexes. It must be the only one that does.
type Applier struct {
	prefix    string // of the stream's subjects
	index     *index.Client
	projector project.Projector
	graveyard Graveyard
	metrics   *Metrics
	log       *slog.Logger
	settled   bool // the index has no task left that somebody else, or a failed attempt, started
}

// New returns an applier for changes below a stream's prefix.
func New(prefix string, index *index.Client, projector project.Projector, graveyard Graveyard, metrics *Metrics, log *slog.Logger) *Applier {
	return &Applier{prefix: prefix, index: index, projector: projector, graveyard: graveyard, metrics: metrics, log: log}
}

// Apply returns once the index has succeeded in holding what the batch says, and the changes that can never be applied are
// in the graveyard. While the index or the stream is down it waits and tries again. An error means that ctx has ended, or
// that something is wrong which only a fresh start may mend: the indexes are gone, or the key is not accepted.
func (a *Applier) Apply(ctx context.Context, batch *Batch) error {
	started := time.Now()
	if err := a.buryAll(ctx, batch.dead); err != nil {
		return err
	}
	if err := a.write(ctx, batch.entities); err != nil {
		return err
	}
	a.metrics.batch(batch, time.Since(started))
	return nil
}

// write applies entities, without those that have no documents and those that the engine refuses: it halves until it has
// found each of them.
func (a *Applier) write(ctx context.Context, entities []*entity) error {
	if len(entities) == 0 {
		return nil
	}
	var refusal error
	var useless []dead
	err := a.retry(ctx, "write to the index", func() (err error) {
		useless, err = a.attempt(ctx, entities)
		if refusal = nil; index.Refused(err) {
			refusal, err = err, nil
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case refusal == nil:
		return a.buryAll(ctx, useless)
	case len(entities) == 1:
		return a.bury(ctx, entities[0].because(refusal))
	}
	half := len(entities) / 2
	if err := a.write(ctx, entities[:half]); err != nil {
		return err
	}
	return a.write(ctx, entities[half:])
}

// buryAll buries one after the other.
func (a *Applier) buryAll(ctx context.Context, changes []dead) error {
	for _, d := range changes {
		if err := a.bury(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// bury puts a change that can never be applied into the graveyard.
func (a *Applier) bury(ctx context.Context, d dead) error {
	a.log.Error("a change can never be applied", "kind", d.kind, "id", d.id, "reason", d.reason)
	err := a.retry(ctx, "keep a dead change", func() error {
		err := a.graveyard.PublishDead(ctx, d.data, d.kind, d.id, d.reason)
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

// retry calls fn until it returns anything but an Unavailable fault, waiting longer from time to time.
func (a *Applier) retry(ctx context.Context, what string, fn func() error) error {
	for wait := firstRetry; ; wait = min(2*wait, longestRetry) {
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
