package engine

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/tracing"
	"litfass/pkg/chassis/tracing/tracingtest"
	"litfass/pkg/contracts/document"
)

// asked returns the numbers of questions by kind and outcome.
func asked(t *testing.T, e *Engine) []string {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(e.metrics)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			found = append(found, fmt.Sprintf("%s %s %d", metric.GetLabel()[0].GetValue(), metric.GetLabel()[1].GetValue(),
				metric.GetHistogram().GetSampleCount()))
		}
	}
	return found
}

func TestQuestionsAreMeasuredByKindAndOutcome(t *testing.T) {
	answers := map[string]int{
		"/indexes/dates/search": 200, "/indexes/events/search": 503, "/indexes/dates/documents/7": 404,
		"/indexes/venues/documents/fetch": 200, "/indexes/venues": 403,
	}
	engine := engineAt(t, time.Minute, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(answers[r.URL.Path])
		body := emptyAnswer
		if answers[r.URL.Path] == 404 {
			body = `{"message":"none","code":"document_not_found","type":"invalid_request"}`
		}
		_, _ = w.Write([]byte(body))
	})
	ctx := t.Context()
	for range 2 {
		_, _ = engine.Search(ctx, document.Dates, Question{Limit: 1}) // other tests check the result
	}
	_, _ = engine.Search(ctx, document.Events, Question{Limit: 1})
	_, _ = engine.Document(ctx, document.Dates, "7", nil, &struct{}{})
	_, _ = Documents[struct{}](ctx, engine, document.Venues, "", nil)
	_, _ = engine.Version(ctx, document.Venues)
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	_, _ = engine.Search(canceled, document.Dates, Question{Limit: 1})
	want := []string{
		"document answered 1", "documents answered 1", "search answered 2", "search canceled 1", "search failed 1", "version refused 1",
	}
	if got := asked(t, engine); !slices.Equal(got, want) {
		t.Errorf("asked %q, want %q", got, want)
	}
	slow := engineAt(t, time.Nanosecond, func(http.ResponseWriter, *http.Request) {})
	_, _ = slow.Search(ctx, document.Dates, Question{Limit: 1})
	if got := asked(t, slow); !slices.Equal(got, []string{"search timeout 1"}) {
		t.Errorf("asked %q of an engine that is too slow", got)
	}
}

// A question within a trace has a span, which does not contain the question.
func TestSpanOfAQuestion(t *testing.T) {
	collector := tracingtest.New(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	stop, err := tracing.Setup(tracing.Config{Endpoint: collector.URL}, "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	status := http.StatusOK
	engine := engineAt(t, time.Minute, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(emptyAnswer))
	})
	question := Question{Words: "anna", Filter: `city = "anna"`, Limit: 1}
	if _, err := engine.Search(t.Context(), document.Dates, question); err != nil { // outside of a trace
		t.Fatal(err)
	}
	ctx, request := tracing.Start(t.Context(), "request")
	for _, status = range []int{http.StatusOK, http.StatusServiceUnavailable} {
		_, _ = engine.Search(ctx, document.Dates, question) // the second fails, as it should
	}
	request.End()
	stop()
	var failures []string
	for _, span := range collector.Spans() {
		if strings.Contains(fmt.Sprint(span), "anna") {
			t.Errorf("a span says what was metrics: %+v", span)
		}
		if span.Name == "engine search" && span.Parent == request.SpanContext().SpanID().String() {
			failures = append(failures, span.Failure)
		}
	}
	if !slices.Equal(failures, []string{"", outcomeFailed}) || len(collector.Spans()) != 3 {
		t.Errorf("%q in %+v", failures, collector.Spans())
	}
}
