package node

import (
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/stream"
)

type metrics struct {
	pending, applied, last prometheus.Gauge
	dead                   prometheus.Gauge
	rebuilds               *prometheus.CounterVec
}

func newMetrics(registry prometheus.Registerer) *metrics {
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Name: "litfass_projector_" + name, Help: help})
	}
	m := &metrics{
		pending: gauge("pending_changes", "Changes in the stream that the index does not hold yet."),
		applied: gauge("applied_sequence", "Sequence up to which everything has been applied."),
		last:    gauge("stream_sequence", "Sequence of the stream's newest change."),
		dead:    gauge("dead_letters", "Changes that could not be applied and were neither replayed nor dropped."),
		rebuilds: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "litfass_projector_rebuilds_total",
			Help: "Rebuilds by how they ended: succeeded or failed.",
		}, []string{"result"}),
	}
	registry.MustRegister(m.pending, m.applied, m.last, m.dead, m.rebuilds)
	return m
}

func (m *metrics) look(p stream.Progress) {
	m.pending.Set(float64(p.Pending))
	m.applied.Set(float64(p.Applied))
	m.last.Set(float64(p.Last))
}
