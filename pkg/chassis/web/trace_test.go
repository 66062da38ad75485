package web_test

import (
	"fmt"
	"log/slog"
	"testing"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/tracing"
	"litfass/pkg/chassis/tracing/tracingtest"
	"litfass/pkg/chassis/web"
)

// export exports the spans of the test's process until stop is called, or the test ends.
func export(t *testing.T) (collector *tracingtest.Collector, stop func()) {
	t.Helper()
	collector = tracingtest.New(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	stop, err := tracing.Setup(tracing.Config{Endpoint: collector.URL}, "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return collector, stop
}

func TestSpanOfARequest(t *testing.T) {
	collector, stop := export(t)
	s := start(t, web.Options{}, func(app *fiber.App) {
		app.Get("/event/:uuid", func(c *fiber.Ctx) error { return c.SendString(tracing.Parent(c.UserContext())) })
		app.Get("/broken", func(*fiber.Ctx) error { return fmt.Errorf("anna@example.org") })
		app.Get("/refused", func(*fiber.Ctx) error { return fault.New(fault.Invalid, "bad_day", "no day") })
	})
	const id, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	answer := s.do(t, "GET", "/event/7?search=anna", nil, "traceparent", "00-"+id+"-"+parent+"-01", "X-Request-Id", "request-1")
	for _, path := range []string{"/broken", "/refused", "/none/anna", "/livez", "/readyz", "/metrics"} {
		s.do(t, "GET", path, nil)
	}
	stop()
	span := collector.Named(t, "litfass-test", "GET /event/:uuid")
	if span.Trace != id || span.Parent != parent || span.Failure != "" {
		t.Errorf("the caller's trace is not continued: %+v", span)
	}
	if answer.body != "00-"+id+"-"+span.ID+"-01" {
		t.Errorf("the handler is in the trace %s, the span is %s", answer.body, span.ID)
	}
	if got := fmt.Sprint(span.Attributes); got != "map[http.request.method:GET http.response.status_code:200 "+
		"http.route:/event/:uuid litfass.request_id:request-1]" {
		t.Errorf("attributes %s", got)
	}
	for name, want := range map[string]string{"GET /broken": "internal", "GET /refused": "", "GET unmatched": ""} {
		if span := collector.Named(t, "litfass-test", name); span.Failure != want || span.Parent != "" {
			t.Errorf("%s: %+v", name, span)
		}
	}
	if spans := collector.Spans(); len(spans) != 4 {
		t.Errorf("%d spans: %+v", len(spans), spans)
	}
}

func TestRequestWithoutTracing(t *testing.T) {
	s := start(t, web.Options{}, func(app *fiber.App) {
		app.Get("/", func(c *fiber.Ctx) error { return c.SendString(tracing.Parent(c.UserContext())) })
	})
	answer := s.do(t, "GET", "/", nil, "traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	if answer.StatusCode != fiber.StatusOK || answer.body != "" {
		t.Errorf("%d, in the trace %q", answer.StatusCode, answer.body)
	}
}
