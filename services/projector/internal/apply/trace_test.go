package apply

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/tracing"
	"litfass/pkg/chassis/tracing/tracingtest"
)

// delivery returns a message of a trace, of which only the last digit is given, and a span.
func delivery(trace, span int, age time.Duration) stream.Delivery {
	return stream.Delivery{
		Message: stream.Message{Published: time.Now().Add(-age)},
		Trace:   fmt.Sprintf("00-4bf92f3577b34da6a3ce929d0e0e473%x-00f067aa0ba902b%x-01", trace, span),
	}
}

// The span of a batch continues the trace of its changes if they have one in common, and links to
// all of them in any case. Old messages, which a new read node reads, have no part in it.
func TestSpanOfABatch(t *testing.T) {
	collector := tracingtest.New(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "10")
	stop, err := tracing.Setup(tracing.Config{Endpoint: collector.URL}, "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	old := delivery(9, 9, tracedAge+time.Minute)
	for sequence, test := range []struct {
		name         string
		deliveries   []stream.Delivery
		parent       string
		links        string
		without, own bool
	}{
		{name: "no trace", deliveries: []stream.Delivery{{Message: stream.Message{Published: time.Now()}}}, without: true},
		{name: "only an old one", deliveries: []stream.Delivery{old}, without: true},
		{name: "one", deliveries: []stream.Delivery{{}, delivery(1, 1, 0), old}, parent: "1", links: "1"},
		{name: "one edit of two entities", deliveries: []stream.Delivery{delivery(1, 2, 0), delivery(1, 3, 0), delivery(1, 2, 0)}, parent: "2", links: "23"},
		{name: "two edits", deliveries: []stream.Delivery{delivery(1, 4, 0), delivery(2, 5, 0)}, own: true, links: "45"},
	} {
		batch := &Batch{Deliveries: test.deliveries, Sequence: uint64(sequence)}
		_, span := batch.trace(t.Context())
		span.End()
		if span.IsRecording() || span.SpanContext().IsValid() == test.without {
			t.Errorf("%s: recorded %+v", test.name, span.SpanContext())
		}
		if test.without {
			continue
		}
		got := collector.Await(t, test.name, func(s tracingtest.Span) bool {
			return s.Attributes["litfass.sequence"] == fmt.Sprint(sequence)
		})
		var want []string
		for _, digit := range strings.Split(test.links, "") {
			want = append(want, "00f067aa0ba902b"+digit)
		}
		if !slices.Equal(got.Links, want) || test.own != (got.Parent == "") || !test.own && got.Parent != "00f067aa0ba902b"+test.parent {
			t.Errorf("%s: %+v", test.name, got)
		}
		if got.Attributes["messaging.batch.message_count"] != fmt.Sprint(len(test.deliveries)) {
			t.Errorf("%s: %v", test.name, got.Attributes)
		}
	}
}
