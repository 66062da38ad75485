package apply

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/index"
)

// Results of a change, as a label.
const (
	resultApplied    = "applied"
	resultStale      = "stale"      // the index held a newer one
	resultSuperseded = "superseded" // a newer one came in the same batch
	resultDead       = "dead"
	resultAbsent     = "absent" // the index of an earlier release has no place for it
)

// The phases of a task of the index, as a label.
const (
	phaseWaiting = "waiting"
	phaseRunning = "running"
)

// Metrics are the metrics of all appliers of a process.
type Metrics struct {
	changes *prometheus.CounterVec
	retries prometheus.Counter
	sizes   prometheus.Histogram
	seconds prometheus.Histogram
	ages    prometheus.Histogram
	tasks   *prometheus.HistogramVec
}

// NewMetrics registers the metrics with registry and returns them.
func NewMetrics(registry prometheus.Registerer) *Metrics {
	m := &Metrics{
		changes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "litfass_projector_changes_total",
			Help: "Changes by what became of them: applied, stale, superseded, dead or absent.",
		}, []string{"result"}),
		retries: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "litfass_projector_retries_total",
			Help: "Attempts that failed because the index or the stream did not answer.",
		}),
		sizes: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "litfass_projector_batch_changes",
			Help:    "Changes in a batch.",
			Buckets: prometheus.ExponentialBuckets(1, 4, 8),
		}),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "litfass_projector_batch_duration_seconds",
			Help:    "Time from a prepared batch to the index holding it.",
			Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}),
		ages: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "litfass_projector_change_age_seconds",
			Help: "Time from a change being in the stream to the index holding it, " +
				"of changes that came while this process followed the stream.",
			Buckets: []float64{.01, .025, .05, .1, .15, .25, .4, .6, 1, 2.5, 5, 10, 30, 60, 300},
		}),
		tasks: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "litfass_projector_task_duration_seconds",
			Help:    "Tasks of the index by phase: waiting until the engine began, running until it was done.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"phase"}),
	}
	registry.MustRegister(m.changes, m.retries, m.sizes, m.seconds, m.ages, m.tasks)
	for _, result := range []string{resultApplied, resultStale, resultSuperseded, resultDead, resultAbsent} {
		m.changes.WithLabelValues(result) // shown from the start
	}
	for _, phase := range []string{phaseWaiting, phaseRunning} {
		m.tasks.WithLabelValues(phase)
	}
	return m
}

func (m *Metrics) batch(b *Batch, took time.Duration) {
	m.changes.WithLabelValues(resultSuperseded).Add(float64(b.superseded))
	m.sizes.Observe(float64(b.Len()))
	m.seconds.Observe(took.Seconds())
}

// age observes the ages of the changes of a batch that were published after began.
func (m *Metrics) age(b *Batch, began time.Time) {
	now := time.Now()
	for _, delivery := range b.Deliveries {
		if delivery.Published.After(began) {
			m.ages.Observe(max(now.Sub(delivery.Published), 0).Seconds())
		}
	}
}

// task observes the duration of a task of the index.
func (m *Metrics) task(t index.Task) {
	m.tasks.WithLabelValues(phaseWaiting).Observe(max(t.Started.Sub(t.Enqueued), 0).Seconds())
	m.tasks.WithLabelValues(phaseRunning).Observe(max(t.Finished.Sub(t.Started), 0).Seconds())
}
