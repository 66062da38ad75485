package webhook

import (
	"cmp"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// figures are the metrics of a notifier.
type figures struct {
	attempts  *prometheus.CounterVec
	delay     prometheus.Histogram
	announced prometheus.Counter
}

func newFigures(metrics prometheus.Registerer) *figures {
	f := &figures{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "litfass_webhook_attempts_total",
			Help: "Attempts to notify a webhook by result.",
		}, []string{"result"}),
		delay: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "litfass_webhook_delay_seconds",
			Help:    "Time from the announcement of a change to its delivery to a webhook.",
			Buckets: []float64{0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600, 3600, 86400},
		}),
		announced: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "litfass_webhook_announced_total",
			Help: "Changes of the stream that were announced to webhooks, also to none.",
		}),
	}
	for _, result := range []string{
		"delivered", problemNotPublic, problemTimeout, problemUnreachable, problemStatus, problemSecret,
	} {
		f.attempts.WithLabelValues(result)
	}
	metrics.MustRegister(f.attempts, f.delay, f.announced)
	return f
}

func (f *figures) attempted(o outcome, delay time.Duration) {
	f.attempts.WithLabelValues(cmp.Or(o.problem, "delivered")).Inc()
	if o.delivered() {
		f.delay.Observe(delay.Seconds())
	}
}
