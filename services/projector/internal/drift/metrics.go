package drift

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics are the metrics of the comparison.
type Metrics struct {
	differ, seconds, ended prometheus.Gauge
	compared, repaired     prometheus.Counter
}

// NewMetrics registers the metrics with registry and returns them.
func NewMetrics(registry prometheus.Registerer) *Metrics {
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Name: "litfass_projector_" + name, Help: help})
	}
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: "litfass_projector_" + name, Help: help})
	}
	m := &Metrics{
		differ:   gauge("drift_documents", "Documents that differ from the stream and could not be repaired."),
		seconds:  gauge("selfcheck_round_seconds", "How long the last complete round of comparing took."),
		ended:    gauge("selfcheck_round_timestamp_seconds", "When the last complete round ended; 0 before."),
		compared: counter("selfcheck_documents_total", "Documents compared with the stream."),
		repaired: counter("drift_repaired_documents_total", "Documents that differed from the stream and were repaired."),
	}
	registry.MustRegister(m.differ, m.seconds, m.ended, m.compared, m.repaired)
	return m
}

func (m *Metrics) round(took time.Duration) {
	m.seconds.Set(took.Seconds())
	m.ended.SetToCurrentTime()
}
