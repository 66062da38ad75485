// Package tracingtest is a collector of OpenTelemetry spans for tests.
package tracingtest

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	wire "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// patience is how long Await waits for spans. It is no measurement.
const patience = 2 * time.Minute

// Span is a span as a collector receives it; ids are in hexadecimal, a missing one is "".
type Span struct {
	Service    string // service.name of its process
	Name       string
	Trace      string
	ID, Parent string
	Links      []string          // ids of spans
	Attributes map[string]string // texts and numbers
	Failure    string            // description of the status, "" for a span that did not fail
	Started    time.Time
	Ended      time.Time
}

// Collector receives spans over OTLP (HTTP, protobuf).
type Collector struct {
	URL string // for OTEL_EXPORTER_OTLP_ENDPOINT

	mu      sync.Mutex
	spans   []Span
	arrived chan struct{} // closed with the next spans
}

// New returns a collector that runs until the test ends.
func New(t testing.TB) *Collector {
	t.Helper()
	c := &Collector{arrived: make(chan struct{})}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	c.URL = server.URL
	return c
}

// ServeHTTP takes spans in.
func (c *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request collector.ExportTraceServiceRequest
	if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &request) != nil {
		http.Error(w, "not an export of spans", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, resource := range request.GetResourceSpans() {
		service := attributes(resource.GetResource().GetAttributes())["service.name"]
		for _, scope := range resource.GetScopeSpans() {
			for _, span := range scope.GetSpans() {
				c.spans = append(c.spans, read(service, span))
			}
		}
	}
	close(c.arrived)
	c.arrived = make(chan struct{})
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// Spans returns the spans received so far.
func (c *Collector) Spans() []Span {
	spans, _ := c.present()
	return spans
}

// present returns the spans received so far, and a channel that is closed when more arrive.
func (c *Collector) present() (spans []Span, more <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.spans), c.arrived
}

// Await returns the first received span that matches. what is its name in the failure.
func (c *Collector) Await(t testing.TB, what string, matches func(Span) bool) Span {
	t.Helper()
	for end := time.After(patience); ; {
		spans, more := c.present()
		if i := slices.IndexFunc(spans, matches); i >= 0 {
			return spans[i]
		}
		select {
		case <-more:
		case <-end:
			t.Fatalf("no span of %s in %+v", what, spans)
		}
	}
}

// Named returns the first span of a service and a name that has arrived.
func (c *Collector) Named(t testing.TB, service, name string) Span {
	t.Helper()
	return c.Await(t, name, func(s Span) bool { return s.Service == service && s.Name == name })
}

func read(service string, s *wire.Span) Span {
	span := Span{
		Service: service, Name: s.GetName(), Trace: hex.EncodeToString(s.GetTraceId()),
		ID: hex.EncodeToString(s.GetSpanId()), Parent: hex.EncodeToString(s.GetParentSpanId()),
		Attributes: attributes(s.GetAttributes()), Failure: s.GetStatus().GetMessage(),
		Started: time.Unix(0, int64(s.GetStartTimeUnixNano())), Ended: time.Unix(0, int64(s.GetEndTimeUnixNano())),
	}
	for _, link := range s.GetLinks() {
		span.Links = append(span.Links, hex.EncodeToString(link.GetSpanId()))
	}
	return span
}
