package apply

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/stream"
)

// Limits are those of a batch. A change that comes alone is written at once but for the linger, which gathers the changes of
// one transaction; under load a batch is as large as the engine indexes in about a second, because every task has a cost of
// its own.
var Limits = stream.Limits{Messages: 4_000, Bytes: 8 << 20, Linger: 5 * time.Millisecond}

// Follow applies everything that a consumer gets. Each batch is written while holder is locked, acknowledged, and then told
// to applied with the sequence of its last message. The next batch is fetched and prepared meanwhile.
//
// It returns the error that ended it: of ctx, of the consumer, or of Apply.
func (a *Applier) Follow(ctx context.Context, consumer *stream.Consumer, holder sync.Locker, applied func(sequence uint64)) error {
	prepared := make(chan *work)
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() error {
		for {
			deliveries, err := consumer.Batch(ctx, Limits)
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
				err := a.applyHeld(ctx, w.batch, holder)
				w.done()
				if err != nil {
					return err
				}
				consumer.Ack(w.batch.Deliveries)
				applied(w.batch.Sequence)
			}
		}
	})
	return both.Wait()
}

// work is a prepared batch on its way to be written; done ends what keeps its messages from being delivered again.
type work struct {
	batch *Batch
	done  context.CancelFunc
}

func (a *Applier) applyHeld(ctx context.Context, batch *Batch, holder sync.Locker) error {
	holder.Lock()
	defer holder.Unlock()
	return a.Apply(ctx, batch)
}
