package webhook

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/stream"
	"litfass/services/admin/internal/platform/postgres"
)

const (
	queue    = "webhooks"             // of webhooks with deliveries that are due
	durable  = "webhooks"             // of the consumer that announces changes
	slots    = 256                    // webhooks that a process sends to at a time
	turn     = 20                     // deliveries of a webhook before others have their turn
	tick     = 250 * time.Millisecond // edits of drafts are looked for
	lookDue  = time.Second            // deliveries that are due are looked for, less often
	lookPart = 20                     // if that takes longer than this part of the time
	tidy     = 10 * time.Second       // the logs of webhooks with deliveries since then are shortened
	tidyAll  = time.Hour              // all logs are
	again    = 500 * time.Millisecond // after a failure
	batchMax = 500                    // changes of one transaction
	batchBig = 8 << 20                // bytes
)

// Stream is the part of stream.Stream that notifying uses.
type Stream interface {
	Await(ctx context.Context) error
	Ensure(ctx context.Context) error
	Share(
		ctx context.Context, durable string, limits stream.Limits,
		handle func(ctx context.Context, batch []stream.Delivery) error,
	) error
	Offer(ctx context.Context, queue string, items []string) error
	Work(ctx context.Context, queue string, slots int, handle func(ctx context.Context, item stream.Item, done func())) error
}

// Notifier announces changes and sends notifications. Several may run, in many processes, and none
// leads: all take from the stream, from the table of drafts and from the queue.
type Notifier struct {
	*Service
	stream  Stream
	figures *figures
	active  activity
}

// NewNotifier returns a notifier, and adds its metrics to the registry.
func NewNotifier(service *Service, stream Stream, metrics prometheus.Registerer) *Notifier {
	return &Notifier{Service: service, stream: stream, figures: newFigures(metrics)}
}

// Run notifies until ctx ends, and returns nil then: failures of the engines are logged and
// retried.
func (n *Notifier) Run(ctx context.Context) error {
	if err := n.Reseal(ctx); err != nil && ctx.Err() == nil {
		n.Log.Warn("the secrets of webhooks are not sealed with the newest key", "error", err.Error())
	}
	var parts sync.WaitGroup
	parts.Go(func() {
		n.keep(ctx, "changes are not announced to webhooks", func(ctx context.Context) error {
			if err := n.stream.Ensure(ctx); err != nil {
				return err
			}
			return n.stream.Share(ctx, durable, stream.Limits{Messages: batchMax, Bytes: batchBig}, n.follow)
		})
	})
	parts.Go(func() { n.keep(ctx, "drafts are not announced to webhooks", n.look) })
	parts.Go(func() {
		n.keep(ctx, "webhooks are not notified", func(ctx context.Context) error {
			return n.stream.Work(ctx, queue, slots, n.serve)
		})
	})
	parts.Go(func() { n.keep(ctx, "the logs of webhooks are not shortened", n.tidy) })
	parts.Wait()
	return nil
}

// keep runs a part again until ctx ends, and logs the first of several failures.
func (n *Notifier) keep(ctx context.Context, failing string, part func(ctx context.Context) error) {
	failed := false
	for ctx.Err() == nil {
		began := time.Now()
		err := n.stream.Await(ctx)
		if err == nil {
			err = part(ctx)
		}
		if ctx.Err() != nil {
			return
		}
		if err != nil && (!failed || time.Since(began) > tidy) {
			n.Log.Warn(failing, "error", err.Error())
		}
		failed = err != nil
		pause(ctx, again)
	}
}

// follow announces changes of the stream. After a failure they come again, here or in another
// process.
func (n *Notifier) follow(ctx context.Context, batch []stream.Delivery) error {
	webhooks, err := n.announce(ctx, batch)
	if err != nil {
		return err
	}
	n.figures.announced.Add(float64(len(batch)))
	return n.offer(ctx, webhooks)
}

// offer offers webhooks that got deliveries.
func (n *Notifier) offer(ctx context.Context, webhooks []string) error {
	n.active.add(webhooks...)
	return n.stream.Offer(ctx, queue, webhooks)
}

const selectDue = `
SELECT w.uuid::text
FROM webhook w
WHERE EXISTS (
    SELECT
    FROM webhook_delivery d
    WHERE d.webhook_uuid = w.uuid AND ` + next + `
)`

// look looks for edits of drafts and for deliveries that are due: those that wait for another
// attempt, and any that were announced but not offered.
func (n *Notifier) look(ctx context.Context) error {
	next := time.Time{} // when to look for deliveries that are due
	for ctx.Err() == nil {
		webhooks, full, err := n.announceDrafts(ctx)
		if err != nil {
			return err
		}
		if err := n.offer(ctx, webhooks); err != nil {
			return err
		}
		if began := time.Now(); began.After(next) {
			due, err := postgres.Collect[string](ctx, n.DB, "webhooks with deliveries that are due", selectDue, n.Now())
			if err != nil {
				return err
			}
			if err := n.stream.Offer(ctx, queue, due); err != nil {
				return err
			}
			next = time.Now().Add(max(lookDue, lookPart*time.Since(began)))
		}
		if !full {
			pause(ctx, tick)
		}
	}
	return context.Cause(ctx)
}

// serve sends deliveries of a webhook. What is left after its turn is offered again, after others.
func (n *Notifier) serve(ctx context.Context, item stream.Item, done func()) {
	webhook := item.Word
	n.active.add(webhook)
	if item.Again {
		if err := n.retake(ctx, webhook); err != nil && ctx.Err() == nil {
			n.Log.Warn("deliveries of a process that died wait", "webhook", webhook, "error", err.Error())
		}
	}
	if err := n.drain(ctx, webhook); err != nil && ctx.Err() == nil {
		n.Log.Warn("a webhook is not notified for now", "webhook", webhook, "error", err.Error())
		return // it is offered again when it is due
	}
	done()
	var left bool
	err := n.DB.QueryRow(ctx, selectLeft, n.Now(), webhook).Scan(&left)
	if err == nil && left {
		err = n.stream.Offer(ctx, queue, []string{webhook})
	}
	if err != nil && ctx.Err() == nil {
		n.Log.Debug("a webhook is not offered again", "webhook", webhook, "error", err.Error()) // look does
	}
}

const selectLeft = `
SELECT EXISTS (
    SELECT
    FROM webhook_delivery d
    JOIN webhook w ON w.uuid = d.webhook_uuid
    WHERE w.uuid = $2 AND ` + next + `
)`

// drain sends deliveries of a webhook until none is left for now, or its turn is over.
func (n *Notifier) drain(ctx context.Context, webhook string) error {
	for sent := 0; sent < turn && ctx.Err() == nil; sent++ {
		d, ok, err := n.take(ctx, webhook)
		if err != nil || !ok {
			return err
		}
		result := n.attempt(context.WithoutCancel(ctx), d) // an attempt that has begun ends, at most after Patience
		if err := n.note(ctx, d, result); err != nil {
			return err
		}
		n.figures.attempted(result, n.Now().Sub(d.Created))
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
