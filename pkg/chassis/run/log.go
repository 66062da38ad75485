package run

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"

	"go.opentelemetry.io/otel/trace"
)

// Format is how log lines are written: FormatJSON or FormatText.
type Format string

// The values of LOG_FORMAT.
const (
	FormatJSON Format = "json"
	FormatText Format = "text"
)

// UnmarshalText reads LOG_FORMAT; anything but its two values is an error.
func (f *Format) UnmarshalText(text []byte) error {
	switch Format(text) {
	case FormatJSON, FormatText:
		*f = Format(text)
		return nil
	default:
		return fmt.Errorf("%q is neither %s nor %s", text, FormatJSON, FormatText)
	}
}

// Logger returns the service's logger. It writes to standard error, so that commands can write data
// to standard output. A line that is logged with the context of a trace carries its trace_id.
func (c Common) Logger(service string) *slog.Logger { return c.logger(os.Stderr, service) }

func (c Common) logger(w io.Writer, service string) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	var handler slog.Handler = slog.NewJSONHandler(w, options)
	if c.LogFormat == FormatText {
		handler = slog.NewTextHandler(w, options)
	}
	return slog.New(traced{handler}).With("service", service)
}

// traced is a handler that adds the trace of the context to each line.
type traced struct{ slog.Handler }

func (t traced) Handle(ctx context.Context, line slog.Record) error {
	if of := trace.SpanContextFromContext(ctx); of.HasTraceID() {
		line.AddAttrs(slog.String("trace_id", of.TraceID().String()))
	}
	return t.Handler.Handle(ctx, line)
}

func (t traced) WithAttrs(attributes []slog.Attr) slog.Handler {
	return traced{t.Handler.WithAttrs(attributes)}
}

func (t traced) WithGroup(name string) slog.Handler { return traced{t.Handler.WithGroup(name)} }
