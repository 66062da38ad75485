package apply

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/tracing"
)

// await waits until the engine has completed all tasks, and observes their durations by the
// engine's clock.
func (a *Applier) await(ctx context.Context, tasks []int64) error {
	var completed []index.Task
	err := a.retry(ctx, "wait for the index", func() (err error) {
		completed, err = a.index.Await(ctx, tasks...)
		return err
	})
	for _, task := range completed {
		a.metrics.task(task)
		traceTask(ctx, task)
	}
	return err
}

// Settle waits until the engine has no open task for the indexes, of any process: a failed attempt
// may have left some, which change the indexes later. It retries while the engine is down and
// returns the same errors as Apply.
func (a *Applier) Settle(ctx context.Context) error {
	return a.retry(ctx, "wait for the index", func() error { return a.index.Settle(ctx) })
}

// traceTask makes a span of a task, from its enqueuing to its end.
func traceTask(ctx context.Context, task index.Task) {
	_, span := tracing.Child(ctx, "index "+task.Index, trace.WithTimestamp(task.Enqueued))
	if !span.IsRecording() {
		return
	}
	span.SetAttributes(attribute.Int64("meilisearch.task", task.ID), attribute.String("meilisearch.type", task.Kind))
	span.AddEvent("started", trace.WithTimestamp(task.Started))
	span.End(trace.WithTimestamp(task.Finished))
}
