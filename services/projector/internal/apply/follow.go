package apply

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/tracing"
)

// limits bound a batch. A single change is written at once; changes that arrive meanwhile form the
// next batch. The engine indexes a date of a large batch in less time than one of a small batch,
// but the changes of two batches are in memory.
var limits = stream.Limits{Messages: 20_000, Bytes: 12 << 20}

// pace is the least time between the starts of two batches. Every batch costs the engine some 25 ms
// of CPU time, however small it is, so that changes which keep coming are written together.
const pace = 100 * time.Millisecond

// turn is the state of the batch that is written now, or was written last.
type turn struct {
	writing atomic.Bool
	began   atomic.Int64 // Unix nanoseconds
}

func (t *turn) begin() {
	t.writing.Store(true)
	t.began.Store(time.Now().UnixNano())
}

func (t *turn) end() { t.writing.Store(false) }

// taken reports whether the next batch has to wait at a moment.
func (t *turn) taken(now time.Time) bool {
	return t.writing.Load() || now.Sub(time.Unix(0, t.began.Load())) < pace
}

// Follow applies everything that a consumer receives. Each batch is written while holder is locked,
// passed to applied, and then acknowledged. The next batch is fetched and prepared meanwhile.
//
// It returns the error of ctx, of the consumer, or of Apply.
func (a *Applier) Follow(
	ctx context.Context, consumer *stream.Consumer, holder sync.Locker, applied func(*Batch),
) error {
	began := time.Now()
	prepared := make(chan *work)
	var last turn
	limits := limits
	limits.Busy = func() bool { return last.taken(time.Now()) }
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() error {
		for {
			deliveries, err := consumer.Batch(ctx, limits)
			if err != nil {
				return err
			}
			w := &work{}
			alive, stop := context.WithCancel(ctx)
			go consumer.KeepAlive(alive, deliveries)
			w.batch, w.done = a.Prepare(deliveries), stop
			select {
			case prepared <- w:
			case <-ctx.Done():
				stop()
				return context.Cause(ctx)
			}
		}
	})
	both.Go(func() error {
		for {
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case w := <-prepared:
				last.begin()
				err := a.applyHeld(ctx, w, prepared, holder, func(w *work) {
					w.done()
					applied(w.batch)
					consumer.Ack(w.batch.Deliveries) // only now: by this others could learn of it first
					a.metrics.age(w.batch, began)
				})
				if err != nil {
					return err
				}
				last.end()
			}
		}
	})
	return both.Wait()
}

// work is a prepared batch; done stops the extension of its messages' acknowledgement deadlines.
type work struct {
	batch *Batch
	done  context.CancelFunc
}

// applyHeld applies a batch while holder is locked, and passes it to complete. After a large one it
// goes on with those that follow closely.
func (a *Applier) applyHeld(
	ctx context.Context, w *work, prepared <-chan *work, holder sync.Locker, complete func(*work),
) error {
	if _, large := eventsOf(w.batch.changes); large {
		holder.Lock()
		defer holder.Unlock()
		return a.applyRow(ctx, w, prepared, complete)
	}
	ctx, span := w.batch.trace(ctx)
	holder.Lock()
	err := a.Apply(ctx, w.batch)
	holder.Unlock()
	if err == nil {
		_, signal := tracing.Child(ctx, "signal")
		complete(w)
		signal.End()
	}
	tracing.End(span, err)
	return err
}
