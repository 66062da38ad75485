package outbox

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"litfass/pkg/chassis/tracing"
	"litfass/pkg/contracts/change"
)

const setTrace = `
SELECT set_config('litfass.traceparent', $1, true)`

// setTraceParent makes the rows that the transaction writes to the outbox carry the trace of ctx:
// the column's default is this setting.
func setTraceParent(ctx context.Context, tx pgx.Tx) error {
	parent := tracing.Parent(ctx)
	if parent == "" {
		return nil
	}
	if _, err := tx.Exec(ctx, setTrace, parent); err != nil {
		return fmt.Errorf("set the trace: %w", err)
	}
	return nil
}

// publishSpans are the spans of changes that are being published.
type publishSpans []trace.Span

// traceChanges begins a span for each change whose rows were written in a trace, and sets it in the
// change. The span continues the trace of the entity's newest row, whose state is published, and
// links to the traces of the others.
func traceChanges(ctx context.Context, changes []change.Change, traces map[Ref][]string) publishSpans {
	var spans publishSpans
	for i := range changes {
		c := &changes[i]
		parents := traces[Ref{c.Kind, c.ID}]
		if len(parents) == 0 {
			continue
		}
		last := len(parents) - 1
		traced, span := tracing.Child(tracing.Continue(ctx, parents[last]), "publish "+string(c.Kind),
			trace.WithSpanKind(trace.SpanKindProducer),
			trace.WithLinks(tracing.Links(parents[:last])...),
			trace.WithAttributes(
				attribute.String("messaging.system", "nats"), attribute.String("litfass.entity", c.ID),
				attribute.Int64("litfass.revision", c.Revision),
			))
		c.Trace = tracing.Parent(traced)
		spans = append(spans, span)
	}
	return spans
}

// end ends the spans with the result of publishing.
func (s publishSpans) end(err error) {
	for _, span := range s {
		tracing.End(span, err)
	}
}
