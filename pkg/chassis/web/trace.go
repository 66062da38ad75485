package web

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/tracing"
)

// startSpan begins the span of a request, in the trace that its traceparent names or in a new one.
// Requests of operators and their monitoring have none.
func startSpan(ctx context.Context, c *fiber.Ctx) (context.Context, trace.Span) {
	if !tracing.On() || forOperators(c.Path()) {
		return ctx, nil
	}
	ctx = tracing.Continue(ctx, c.Get(tracing.Header))
	return tracing.Start(ctx, "HTTP", trace.WithSpanKind(trace.SpanKindServer)) // renamed by endSpan
}

func forOperators(path string) bool {
	return path == pathLive || path == pathReady || path == pathMetrics
}

// endSpan names the span after the route and ends it. It does not get the path or the query, which
// may reveal who asked for what.
func endSpan(span trace.Span, c *fiber.Ctx, route string, err error) {
	if span == nil {
		return
	}
	method, status := methodOf(c), c.Response().StatusCode()
	span.SetName(method + " " + route)
	span.SetAttributes(
		attribute.String("http.request.method", method),
		attribute.String("http.route", route),
		attribute.Int("http.response.status_code", status),
		attribute.String("litfass.request_id", c.GetRespHeader(fiber.HeaderXRequestID)),
	)
	if status >= fiber.StatusInternalServerError {
		span.SetStatus(codes.Error, fault.Of(err).StableCode())
	}
	span.End()
}
