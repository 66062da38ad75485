package engine

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"litfass/pkg/chassis/tracing"
)

// The outcomes of a question, as a label.
const (
	outcomeAnswered = "answered"
	outcomeRefused  = "refused" // the engine does not accept the question or our key
	outcomeTimeout  = "timeout"
	outcomeCanceled = "canceled" // by the client
	outcomeFailed   = "failed"   // the engine is down or overloaded
)

// kindDocument is the kind of a question for one document by its id.
const kindDocument = "document"

// instrumented measures the questions of a transport, and adds a span for each to its trace.
type instrumented struct {
	transport http.RoundTripper
	seconds   *prometheus.HistogramVec
}

func newInstrumented(transport http.RoundTripper) *instrumented {
	return &instrumented{transport: transport, seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "litfass_query_engine_duration_seconds",
		Help: "Questions to the engine by kind and outcome: answered, refused, timeout, canceled or failed.",
		Buckets: []float64{
			.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5,
		},
	}, []string{"kind", "outcome"})}
}

// RoundTrip sends a request through the transport.
func (o *instrumented) RoundTrip(r *http.Request) (*http.Response, error) {
	kind, started := kindOf(r.URL.Path), time.Now()
	_, span := tracing.Child(r.Context(), "engine "+kind, trace.WithSpanKind(trace.SpanKindClient))
	answer, err := o.transport.RoundTrip(r)
	outcome := outcomeOf(kind, answer, err)
	o.seconds.WithLabelValues(kind, outcome).Observe(time.Since(started).Seconds())
	if span.IsRecording() {
		span.SetAttributes(attribute.String("db.system.name", "meilisearch"), attribute.String("db.operation.name", kind))
		if outcome != outcomeAnswered {
			span.SetStatus(codes.Error, outcome)
		}
		span.End()
	}
	return answer, err
}

func outcomeOf(kind string, answer *http.Response, err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return outcomeTimeout
	case errors.Is(err, context.Canceled):
		return outcomeCanceled
	case err != nil, answer.StatusCode >= http.StatusInternalServerError:
		return outcomeFailed
	case kind == kindDocument && answer.StatusCode == http.StatusNotFound: // a missing document is an answer
		return outcomeAnswered
	case answer.StatusCode >= http.StatusBadRequest:
		return outcomeRefused
	default:
		return outcomeAnswered
	}
}

// kindOf returns the kind of question of a path of the engine's API: its part after the index,
// without ids.
func kindOf(path string) string {
	_, rest, found := strings.Cut(path, "/indexes/")
	if strings.HasSuffix(path, "/multi-search") {
		return "search"
	}
	if !found {
		return "other"
	}
	_, what, _ := strings.Cut(rest, "/")
	switch {
	case what == "":
		return "version"
	case what == "search":
		return "search"
	case what == "documents", what == "documents/fetch":
		return "documents"
	case strings.HasPrefix(what, "documents/"):
		return kindDocument
	default:
		return "other"
	}
}
