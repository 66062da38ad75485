package tracing

import (
	"context"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"litfass/pkg/chassis/fault"
)

// On reports whether spans are exported, for callers that would prepare something for them.
func On() bool { return active.Load() != nil }

// Start begins a span: of the trace of ctx, or the first of a new trace.
func Start(ctx context.Context, name string, options ...trace.SpanStartOption) (context.Context, trace.Span) {
	tracer := active.Load()
	if tracer == nil {
		return ctx, noop.Span{}
	}
	return (*tracer).Start(ctx, name, options...)
}

// Child is Start within a trace. Outside of one it begins none.
func Child(ctx context.Context, name string, options ...trace.SpanStartOption) (context.Context, trace.Span) {
	if active.Load() == nil || !trace.SpanContextFromContext(ctx).IsSampled() {
		return ctx, noop.Span{}
	}
	return Start(ctx, name, options...)
}

// End ends a span, as failed with the code of err unless that is nil.
func End(span trace.Span, err error, options ...trace.SpanEndOption) {
	if err != nil && span.IsRecording() {
		span.SetStatus(codes.Error, fault.Of(err).StableCode())
	}
	span.End(options...)
}
