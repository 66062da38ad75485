// Package tracing follows a request or an edit through the services as OpenTelemetry spans: from
// the HTTP request through the outbox, the stream and the projector to the index. Without an
// endpoint nothing is recorded and nothing is allocated.
//
// Spans contain routes, kinds, ids of entities, counts and durations, but never client input or the
// text of an error, which may quote it.
package tracing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"litfass/pkg/chassis/run"
)

const (
	flushTimeout = 2 * time.Second // of exporting the last spans when the process stops
	complainNext = time.Minute     // between two lines of the log about spans that are not exported
)

// Config is where spans are exported to. The exporter reads the other OTEL_ variables itself.
type Config struct {
	Endpoint string `env:"OTEL_EXPORTER_OTLP_ENDPOINT"`
}

// active makes the spans; nil while nothing is exported.
var active atomic.Pointer[trace.Tracer]

// Setup starts exporting the spans of a service over OTLP (HTTP, protobuf) to config.Endpoint; it
// does nothing without one. stop exports the remaining spans. Spans that the collector does not
// accept in time are dropped: it never delays a request. The error is that of an invalid address.
func Setup(config Config, service string, log *slog.Logger) (stop func(), err error) {
	if config.Endpoint == "" {
		return func() {}, nil
	}
	address, err := url.Parse(config.Endpoint)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return nil, errors.New("OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https address")
	}
	otel.SetErrorHandler(&complainer{log: log})
	exporter, err := otlptracehttp.New(context.Background()) // connects with the first spans
	if err != nil {
		return nil, fmt.Errorf("export spans: %w", err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(describe(service)))
	tracer := provider.Tracer("litfass")
	active.Store(&tracer)
	return func() {
		active.Store(nil)
		ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			log.Warn("the last spans were not exported", "error", err)
		}
	}, nil
}

// describe names the process in its spans. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take
// precedence.
func describe(service string) *resource.Resource {
	own := resource.NewSchemaless(
		attribute.String("service.name", "litfass-"+service),
		attribute.String("service.version", run.ReadBuild().Version),
	)
	merged, err := resource.Merge(own, resource.Environment())
	if err != nil { // of variables that cannot be read, which are left out
		return own
	}
	return merged
}

// complainer logs why spans are not exported, at most once in a while.
type complainer struct {
	log  *slog.Logger
	last atomic.Int64 // time of the last line, in nanoseconds
}

// Handle implements otel.ErrorHandler.
func (c *complainer) Handle(err error) {
	now, last := time.Now().UnixNano(), c.last.Load()
	if now-last < int64(complainNext) || !c.last.CompareAndSwap(last, now) {
		return
	}
	c.log.Warn("spans are not exported", "error", err)
}
