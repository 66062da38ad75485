package operating

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
	"litfass/pkg/chassis/tracing/tracingtest"
)

// TestOneTraceFromTheEditToTheIndex: the trace of an edit leads from its request through the outbox
// and the stream to the tasks of the index and the freshness signal, and the trace of a search to
// the engine. No span reveals the text of an edit or a search.
func TestOneTraceFromTheEditToTheIndex(t *testing.T) {
	collector := tracingtest.New(t)
	s := harness.Ready(t, harness.Run(t, stack.Options{Env: []string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.URL, "OTEL_BSP_SCHEDULE_DELAY=100",
	}}))
	const trace, caller = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	e := s.LogIn(t)
	org := e.Write(t, http.MethodPut, "/organization", `{"name": "Kulturhaus"}`)
	event := e.Write(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "title": "Reihe", "online_link": "https://stream.example",
		"release_status": "released", "dates": [{"start_date": "2036-01-01", "start_time": "20:00"}]}`, org["uuid"]))
	s.AwaitReady(t)
	e.Write(t, http.MethodPut, fmt.Sprintf("/event/%s/description", event["uuid"]), `{"description": "Geheimwort"}`,
		"traceparent", "00-"+trace+"-"+caller+"-01")

	in := func(name string, matches func(tracingtest.Span) bool) tracingtest.Span {
		t.Helper()
		return collector.Await(t, name, func(s tracingtest.Span) bool { return s.Trace == trace && s.Name == name && matches(s) })
	}
	below := func(parent tracingtest.Span) func(tracingtest.Span) bool {
		return func(s tracingtest.Span) bool { return s.Parent == parent.ID }
	}
	request := collector.Await(t, "the request", func(s tracingtest.Span) bool { return s.Trace == trace && s.Parent == caller })
	publish := in("publish event", below(request))
	apply := in("apply", below(publish))
	for _, name := range []string{"index dates", "index events", "signal"} {
		in(name, below(apply))
	}
	if !slices.Contains(apply.Links, publish.ID) || publish.Attributes["litfass.entity"] != event["uuid"] {
		t.Errorf("publish %+v, apply %+v", publish, apply)
	}

	const search, visitor = "5bf92f3577b34da6a3ce929d0e0e4736", "10f067aa0ba902b7"
	public := harness.Editor{Client: client.New(s.URL()+"/api", 1)}
	answer, err := public.Ask(t.Context(), http.MethodGet, "/events?search=Geheimwort", "", "traceparent", "00-"+search+"-"+visitor+"-01")
	if err != nil || answer.Status != http.StatusOK {
		t.Fatalf("%d %s, %v", answer.Status, answer.Body, err)
	}
	asked := collector.Await(t, "the search", func(s tracingtest.Span) bool { return s.Trace == search && s.Parent == visitor })
	collector.Await(t, "the engine's answer", func(s tracingtest.Span) bool {
		return s.Name == "engine search" && s.Trace == search && s.Parent == asked.ID
	})
	for _, span := range collector.Spans() {
		if text := fmt.Sprint(span); strings.Contains(text, "Geheimwort") || strings.Contains(text, "Kulturhaus") {
			t.Errorf("a span says too much: %s", text)
		}
	}
	for service, id := range map[string]string{stack.Admin: trace, stack.Query: search} {
		log, err := os.ReadFile(s.LogFile(service))
		if err != nil || !strings.Contains(string(log), "trace_id="+id) {
			t.Errorf("the log of %s does not name the trace: %v", service, err)
		}
	}
}
