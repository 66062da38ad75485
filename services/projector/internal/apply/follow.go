package apply

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/tracing"
	"litfass/services/projector/internal/queue"
)

// received bounds what is received at once, and limits bound a batch by what it becomes. A single
// change is written at once; changes that arrive meanwhile wait for the next batch. The engine
// indexes a date of a large batch in less time than one of a small batch, but the next change
// waits for two of them.
var (
	received = stream.Limits{Messages: 2_000, Bytes: 4 << 20}
	limits   = queue.Limits{Items: 20_000, Weight: 8 << 20}
)

// manySmall is a number of changes that are worth a batch of their own.
const manySmall = 500

// pace is the least time between the starts of two batches. Every batch costs the engine some 25 ms
// of CPU time, however small it is, so that changes which keep coming are written together.
const pace = 100 * time.Millisecond

// follower applies what a consumer receives.
type follower struct {
	*Applier
	stream   *stream.Stream
	consumer *stream.Consumer
	holder   sync.Locker
	applied  func(*Batch)
	backlog  *backlog
	began    time.Time   // of following
	last     time.Time   // start of the last batch
	share    queue.Share // between the slices
	slicing  [2]*sliced  // events that are being written: an urgent one, and another
}

// Follow applies everything that a consumer receives. Each batch, and each slice of a large event,
// is written while holder is locked, and passed to applied with the sequence up to which everything
// is applied; then what is applied as a whole is acknowledged. Others are received meanwhile.
//
// It returns the error of ctx, of the consumer, or of Apply.
func (a *Applier) Follow(
	ctx context.Context, from *stream.Stream, consumer *stream.Consumer, holder sync.Locker, applied func(*Batch),
) error {
	a.inSlices = true
	both, ctx := errgroup.WithContext(ctx)
	f := &follower{
		Applier: a, stream: from, consumer: consumer, holder: holder, applied: applied, backlog: newBacklog(), began: time.Now(),
	}
	go consumer.KeepAlive(ctx, f.backlog.held)
	both.Go(func() error { return f.receive(ctx) })
	both.Go(func() error { return f.work(ctx) })
	return both.Wait()
}

// receive puts what the consumer receives into the backlog.
func (f *follower) receive(ctx context.Context) error {
	for {
		if err := f.backlog.awaitRoom(ctx); err != nil {
			return err
		}
		deliveries, err := f.consumer.Batch(ctx, received)
		if err != nil {
			return err
		}
		f.consumer.Forgo(f.backlog.add(f.Applier, deliveries))
	}
}

// work applies what is in the backlog: batches of small changes, at their pace, in turn with slices
// of large events.
func (f *follower) work(ctx context.Context) error {
	for {
		small, urgent, large := f.backlog.waiting()
		inSlices := urgent+large > 0 || f.slicing != [2]*sliced{}
		wait := time.Until(f.last.Add(pace))
		switch {
		case small > 0 && wait <= 0:
			if err := f.applySmall(ctx); err != nil {
				return err
			}
			if !inSlices {
				continue
			}
		case small > 0 && !inSlices:
			if err := pause(ctx, wait); err != nil {
				return err
			}
			continue
		case !inSlices:
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-f.backlog.arrived:
			}
			continue
		}
		if err := f.applySlice(ctx); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context, wait time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(wait):
		return nil
	}
}

// work is a batch with the items that it was made from.
type work struct {
	batch *Batch
	items []queued
}

// next takes the next batch; nil when nothing waits. A large event that is being written ends where
// a newer change of it is small.
func (f *follower) next() *work {
	items := f.backlog.small(limits)
	if len(items) == 0 {
		return nil
	}
	batch := batchOf(items)
	var sequences []uint64
	for _, item := range items {
		f.supersede(item)
		sequences = append(sequences, item.Payload.sequences...)
	}
	batch.Deliveries, batch.Sequence = f.backlog.opened(sequences), slices.Max(sequences)
	return &work{batch, items}
}

// another returns a batch that may follow a large one closely: when many changes wait, and no large
// event, whose turn is next.
func (f *follower) another() *work {
	if small, urgent, large := f.backlog.waiting(); small < manySmall || urgent+large > 0 || f.slicing != [2]*sliced{} {
		return nil
	}
	return f.next()
}

// supersede ends the writing of an event in slices because of a newer change of it, with which its
// messages are applied then.
func (f *follower) supersede(by queued) {
	for i, s := range f.slicing {
		if s != nil && s.item.Key == by.Key {
			by.Payload.sequences = append(by.Payload.sequences, s.item.Payload.sequences...)
			f.slicing[i] = nil
		}
	}
}

// applySmall applies the next batch of small changes. After a large one it goes on with those that
// follow closely.
func (f *follower) applySmall(ctx context.Context) error {
	f.last = time.Now()
	w := f.next()
	if w == nil {
		return nil
	}
	if _, large := eventsOf(w.batch.changes); large {
		f.holder.Lock()
		defer f.holder.Unlock()
		return f.applyRow(ctx, w, f, f.complete)
	}
	ctx, span := w.batch.trace(ctx)
	f.holder.Lock()
	err := f.Apply(ctx, w.batch)
	f.holder.Unlock()
	if err == nil {
		_, signal := tracing.Child(ctx, "signal")
		f.complete(w)
		signal.End()
	}
	tracing.End(span, err)
	return err
}

// complete signals and acknowledges an applied batch. What it postponed waits to be written in
// slices.
func (f *follower) complete(w *work) {
	var sequences []uint64
	for _, item := range w.items {
		if slices.Contains(w.batch.postponed, item.Payload.pending) {
			item.Large = true
			f.backlog.again(item)
			continue
		}
		sequences = append(sequences, item.Payload.sequences...)
	}
	f.conclude(w.batch, sequences)
	f.metrics.age(w.batch, f.began)
}

// conclude passes a batch on, and acknowledges the messages with these sequences, which are applied
// as a whole.
func (f *follower) conclude(batch *Batch, sequences []uint64) {
	batch.Deliveries, batch.Sequence = f.backlog.close(sequences)
	f.applied(batch)
	f.consumer.Ack(batch.Deliveries) // only now: by this others could learn of it first
}

// applySlice writes a slice of a large event.
func (f *follower) applySlice(ctx context.Context) error {
	f.holder.Lock()
	defer f.holder.Unlock()
	s, err := f.chosen(ctx)
	if err != nil || s == nil {
		return err
	}
	batch := &Batch{}
	var last bool
	batch.Altered, last, err = f.writeSlice(ctx, s)
	if index.Refused(err) { // others of its dates may be written
		err = errors.Join(f.Settle(ctx), f.setAside(ctx, s.item.Payload.because(err)))
		batch.Altered, last = anything, true
		f.settled = err == nil
	} else if last && err == nil {
		f.metrics.changes.WithLabelValues(resultApplied).Inc()
	}
	if err != nil {
		return err
	}
	batch.Version = f.version(ctx)
	var sequences []uint64
	if last {
		sequences = s.item.Payload.sequences
		f.end(s)
		batch.superseded = len(sequences) - 1
	}
	f.conclude(batch, sequences)
	if last {
		f.metrics.batch(batch, time.Since(s.began))
		f.metrics.age(batch, f.began)
	}
	return nil
}

func (f *follower) end(s *sliced) {
	for i := range f.slicing {
		if f.slicing[i] == s {
			f.slicing[i] = nil
		}
	}
}

// chosen returns the event of which a slice is written next: an urgent one, or another when it is
// its turn. It returns nil when there is none to be written at all.
func (f *follower) chosen(ctx context.Context) (*sliced, error) {
	_, urgent, large := f.backlog.waiting()
	first := f.share.Urgent(urgent > 0 || f.slicing[0] != nil, large > 0 || f.slicing[1] != nil)
	at := 1
	if first {
		at = 0
	}
	if f.slicing[at] != nil {
		return f.slicing[at], nil
	}
	item, ok := f.backlog.large(first)
	if !ok {
		return nil, nil
	}
	if other := f.slicing[1-at]; other != nil && other.item.Key == item.Key {
		if !first { // it follows the urgent one, which ends first
			f.backlog.again(item)
			return f.slicing[0], nil
		}
		f.supersede(item)
	}
	return f.beginAt(ctx, at, item)
}

// beginAt begins to write an event in slices; nil when it need not be written.
func (f *follower) beginAt(ctx context.Context, at int, item queued) (*sliced, error) {
	known, replaced, err := f.read(ctx, item)
	if err != nil {
		return nil, err
	}
	if replaced { // its messages count as applied with the newer one
		f.backlog.park(item)
		return nil, nil
	}
	if known {
		if f.slicing[at], err = f.beginSliced(ctx, item); err != nil || f.slicing[at] != nil {
			return f.slicing[at], err
		}
	}
	f.conclude(&Batch{Version: f.version(ctx)}, item.Payload.sequences)
	return nil, nil
}
