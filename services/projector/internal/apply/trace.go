package apply

import (
	"context"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"litfass/pkg/chassis/tracing"
)

// tracedAge is the maximum age of a message whose trace is continued. The stream has the last
// message of each entity, however old, and a new read node reads all of them.
const tracedAge = 15 * time.Minute

// trace begins the span of writing a batch, with links to the spans of its changes. It continues
// their trace if all have the same one, as after a single edit; otherwise it begins a trace of its
// own. Without a traced change there is no span.
func (b *Batch) trace(ctx context.Context) (context.Context, trace.Span) {
	links := tracing.Links(b.parents())
	if len(links) == 0 {
		return ctx, noop.Span{}
	}
	first := links[0].SpanContext
	if !slices.ContainsFunc(links, func(l trace.Link) bool { return l.SpanContext.TraceID() != first.TraceID() }) {
		ctx = trace.ContextWithRemoteSpanContext(ctx, first)
	}
	return tracing.Start(ctx, "apply",
		trace.WithSpanKind(trace.SpanKindConsumer),
		trace.WithLinks(links...),
		trace.WithAttributes(
			attribute.String("messaging.system", "nats"), attribute.Int("messaging.batch.message_count", b.Len()),
			attribute.Int64("litfass.sequence", int64(b.Sequence)),
		))
}

// parents returns the distinct traces of the batch's messages.
func (b *Batch) parents() []string {
	if !tracing.On() {
		return nil
	}
	var parents []string
	known := map[string]bool{"": true}
	for _, delivery := range b.Deliveries {
		if !known[delivery.Trace] && time.Since(delivery.Published) < tracedAge {
			known[delivery.Trace] = true
			parents = append(parents, delivery.Trace)
		}
	}
	return parents
}
