package node

import (
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/stream"
)

// Results of a rebuild, as a label.
const (
	resultSucceeded = "succeeded"
	resultFailed    = "failed"
)

type metrics struct {
	pending, applied, last prometheus.Gauge
	dead                   prometheus.Gauge
	engine                 prometheus.Gauge
	form                   *prometheus.GaugeVec
	rebuilds               *prometheus.CounterVec
}

// newMetrics registers the metrics of a node; behind returns the age of the oldest change without a
// place in the index, and failed the number of failed rebuilds in a row.
func newMetrics(
	registry prometheus.Registerer, behind func() time.Duration, failed func() (int, string),
) *metrics {
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Name: "litfass_projector_" + name, Help: help})
	}
	m := &metrics{
		pending: gauge("pending_changes", "Changes in the stream that the index does not hold yet."),
		applied: gauge("applied_sequence", "Sequence up to which everything has been applied."),
		last:    gauge("stream_sequence", "Sequence of the stream's newest change."),
		dead:    gauge("dead_letters", "Changes that could not be applied and were neither replayed nor dropped."),
		engine:  gauge("engine_up", "1 if the engine answered the last question for the index's state; NaN until asked."),
		form: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "litfass_projector_form",
			Help: "1 for the form of snapshots in which everything in the index was published; absent while in several.",
		}, []string{"form"}),
		rebuilds: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "litfass_projector_rebuilds_total",
			Help: "Rebuilds by how they ended: succeeded or failed.",
		}, []string{"result"}),
	}
	m.unknown()
	registry.MustRegister(m.pending, m.applied, m.last, m.dead, m.engine, m.form, m.rebuilds,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "litfass_projector_lag_seconds",
			Help: "Age of the oldest change in the stream that the index does not hold; 0 without any.",
		}, func() float64 { return behind().Seconds() }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "litfass_projector_rebuild_failures",
			Help: "Rebuilds in a row that failed; 0 after a success.",
		}, func() float64 { times, _ := failed(); return float64(times) }))
	for _, result := range []string{resultSucceeded, resultFailed} {
		m.rebuilds.WithLabelValues(result) // shown from the start
	}
	return m
}

// unknown resets the metric of the engine: without the lease, this process does not use it.
func (m *metrics) unknown() {
	m.engine.Set(math.NaN())
}

// answered records whether the engine answered.
func (m *metrics) answered(err error) {
	if err != nil {
		m.engine.Set(0)
		return
	}
	m.engine.Set(1)
}

// holds records the form of the index; "" when there are several.
func (m *metrics) holds(form string) {
	m.form.Reset()
	if form != "" {
		m.form.WithLabelValues(form).Set(1)
	}
}

func (m *metrics) look(p stream.Progress) {
	m.pending.Set(float64(p.Pending))
	m.applied.Set(float64(p.Applied))
	m.last.Set(float64(p.Last))
}
