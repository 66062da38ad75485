package apply

import (
	"context"
	"errors"
	"time"

	"litfass/pkg/contracts/applied"
)

// inARow is the number of large batches in a row before others who wait to write get their turn.
const inARow = 6

// ready has the batches that are ready.
type ready interface {
	another() *work // nil for none that may follow closely
}

// underway is a large batch whose tasks are started.
type underway struct {
	*started
	work  *work
	began time.Time
}

// applyRow applies a large batch, and those that are ready before it is indexed: the tasks of the
// next one are started while the engine runs those of the one before. So the engine never waits,
// and indexes in one piece what has gathered: some of its work is done once for each piece, and
// takes longer the more dates the index has.
//
// After a failure the batches are applied one by one, as small ones are.
func (a *Applier) applyRow(ctx context.Context, w *work, ready ready, complete func(*work)) error {
	ahead, err := a.begin(ctx, w, nil)
	if err != nil {
		return a.applyEach(ctx, err, complete, w)
	}
	for n := 1; ; n++ {
		indexed := make(chan error, 1)
		go func() { indexed <- a.await(ctx, ahead.writer.tasks) }()
		var next *work
		if n < inARow {
			next = ready.another()
		}
		var following *underway
		var failed error // to start the next one
		if next != nil {
			following, failed = a.begin(ctx, next, ahead.started)
		}
		err = <-indexed
		if err = a.finish(ahead.started, err); err != nil {
			return a.applyEach(ctx, err, complete, ahead.work, next)
		}
		if err = a.end(ctx, ahead); err != nil {
			return err
		}
		complete(ahead.work)
		if following == nil { // there is none, it is small, or it failed
			return a.applyEach(ctx, failed, complete, next)
		}
		ahead = following
	}
}

// begin starts the tasks of a large batch. It returns nil for a small one.
func (a *Applier) begin(ctx context.Context, w *work, ahead *started) (*underway, error) {
	if _, large := eventsOf(w.batch.changes); !large {
		return nil, nil
	}
	began := time.Now()
	s, err := a.start(ctx, w.batch.changes, ahead)
	if err != nil {
		return nil, err
	}
	return &underway{started: s, work: w, began: began}, nil
}

// end completes a large batch that the index has. Its changes and the version of the index are not
// signalled: the engine may have begun with the next one.
func (a *Applier) end(ctx context.Context, u *underway) error {
	batch := u.work.batch
	if err := errors.Join(a.setAsideAll(ctx, batch.dead), a.setAsideAll(ctx, u.writer.unprojectable)); err != nil {
		return err
	}
	batch.Altered, batch.postponed = applied.Batch{All: true}, u.postponed
	a.metrics.batch(batch, time.Since(u.began))
	return nil
}

// applyEach applies batches one by one, because of an error or, without one, because they are
// small.
func (a *Applier) applyEach(ctx context.Context, reason error, complete func(*work), works ...*work) error {
	if reason != nil && ctx.Err() == nil {
		a.log.Warn("applying the changes in smaller parts", "error", reason)
	}
	for _, w := range works {
		if w == nil {
			continue
		}
		if err := a.Apply(ctx, w.batch); err != nil {
			return err
		}
		complete(w)
	}
	return nil
}
