package tracing_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"go.opentelemetry.io/otel/trace"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/tracing"
	"litfass/pkg/chassis/tracing/tracingtest"
)

// setup exports spans to the endpoint until stop is called, or the test ends.
func setup(t *testing.T, endpoint string) (stop func()) {
	t.Helper()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint) // as the exporter reads it
	stop, err := tracing.Setup(tracing.Config{Endpoint: endpoint}, "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return stop
}

// The span of a process continues the trace of the process before, and names the failure without
// its text.
func TestTraceOverTwoProcesses(t *testing.T) {
	collector := tracingtest.New(t)
	stop := setup(t, collector.URL)
	ctx, first := tracing.Start(t.Context(), "first")
	parent := tracing.Parent(ctx)
	next, second := tracing.Child(tracing.Continue(context.Background(), parent), "second",
		trace.WithLinks(tracing.Links([]string{parent, "nonsense"})...))
	_, third := tracing.Child(next, "third")
	tracing.End(third, fault.Wrap(errors.New("anna@example.org"), fault.Conflict, "taken", "anna@example.org is taken"))
	tracing.End(second, nil)
	first.End()
	stop()
	a, b, c := collector.Named(t, "litfass-test", "first"), collector.Named(t, "litfass-test", "second"),
		collector.Named(t, "litfass-test", "third")
	if a.Parent != "" || b.Parent != a.ID || c.Parent != b.ID || b.Trace != a.Trace || c.Trace != a.Trace {
		t.Errorf("not one trace: %+v %+v %+v", a, b, c)
	}
	if want := "00-" + a.Trace + "-" + a.ID + "-01"; parent != want || !slices.Equal(b.Links, []string{a.ID}) {
		t.Errorf("traceparent %s, want %s; links %v", parent, want, b.Links)
	}
	if a.Failure != "" || b.Failure != "" || c.Failure != "taken" {
		t.Errorf("failures %q %q %q", a.Failure, b.Failure, c.Failure)
	}
}

func TestNoChildOutsideOfATrace(t *testing.T) {
	collector := tracingtest.New(t)
	stop := setup(t, collector.URL)
	for _, parent := range []string{
		"", "nonsense", "00-00000000000000000000000000000000-0000000000000000-01",
		"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", // not sampled
	} {
		ctx, span := tracing.Child(tracing.Continue(t.Context(), parent), "child")
		span.End()
		if tracing.Parent(ctx) != "" {
			t.Errorf("%q is continued as %s", parent, tracing.Parent(ctx))
		}
	}
	stop()
	if spans := collector.Spans(); len(spans) > 0 {
		t.Errorf("exported %+v", spans)
	}
}

// Without an endpoint nothing is exported, and tracing calls on the hot path allocate nothing.
func TestNothingIsExportedWithoutAnEndpoint(t *testing.T) {
	collector := tracingtest.New(t)
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", collector.URL+"/v1/traces")
	setup(t, "")
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	ctx := t.Context()
	allocations := testing.AllocsPerRun(100, func() {
		traced, span := tracing.Start(tracing.Continue(ctx, parent), "span")
		_, child := tracing.Child(traced, "child")
		tracing.End(child, nil)
		tracing.End(span, nil)
		if tracing.On() || span.IsRecording() || tracing.Parent(traced) != "" {
			t.Error("a span is recorded")
		}
	})
	if allocations > 0 {
		t.Errorf("%v allocations", allocations)
	}
	if spans := collector.Spans(); len(spans) > 0 {
		t.Errorf("exported %+v", spans)
	}
}

func TestEndpointThatIsNoAddressIsRefused(t *testing.T) {
	for _, endpoint := range []string{"collector:4318", "ftp://collector", "http://", "://"} {
		if _, err := tracing.Setup(tracing.Config{Endpoint: endpoint}, "test", slog.Default()); err == nil ||
			!strings.Contains(err.Error(), "OTEL_EXPORTER_OTLP_ENDPOINT") {
			t.Errorf("%s: %v", endpoint, err)
		}
	}
	if tracing.On() {
		t.Error("spans are exported nevertheless")
	}
}

// A collector that refuses everything is complained about once, not with every batch.
func TestCollectorThatRefusesIsReportedOnce(t *testing.T) {
	var asked atomic.Int32
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusBadRequest)
	}))
	defer refusing.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", refusing.URL)
	t.Setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "1")
	var log bytes.Buffer
	stop, err := tracing.Setup(tracing.Config{Endpoint: refusing.URL}, "test", slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		_, span := tracing.Start(t.Context(), "span")
		span.End()
	}
	stop()
	if lines := strings.Count(log.String(), "spans are not exported"); asked.Load() < 2 || lines != 1 {
		t.Errorf("after %d exports: %s", asked.Load(), log.String())
	}
}
