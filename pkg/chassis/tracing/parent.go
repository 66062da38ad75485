package tracing

import (
	"context"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Header is the name under which a trace travels in HTTP requests and in messages (W3C Trace
// Context).
const Header = "traceparent"

// Parent returns the traceparent of the span of ctx, with which another process continues its
// trace; "" outside of a trace that is recorded.
func Parent(ctx context.Context) string {
	if !trace.SpanContextFromContext(ctx).IsSampled() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[Header]
}

// Continue returns ctx within the trace of a traceparent; ctx itself when that is not valid or no
// spans are exported.
func Continue(ctx context.Context, parent string) context.Context {
	if parent == "" || !On() {
		return ctx
	}
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{Header: parent})
}

// Links returns a link to the span of each valid traceparent.
func Links(parents []string) []trace.Link {
	var links []trace.Link
	for _, parent := range parents {
		if of := trace.SpanContextFromContext(Continue(context.Background(), parent)); of.IsValid() {
			links = append(links, trace.Link{SpanContext: of})
		}
	}
	return links
}
