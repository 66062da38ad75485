package limit

import "github.com/prometheus/client_golang/prometheus"

// metrics are the figures of the limits.
type metrics struct {
	requests *prometheus.CounterVec
	failures prometheus.Counter
	shared   prometheus.Gauge
}

func newMetrics(registry prometheus.Registerer) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "litfass_limit_requests_total",
			Help: "Requests that were counted, by the row of the table of limits, and whether they were passed or refused.",
		}, []string{"limit", "result"}),
		failures: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "litfass_limit_shared_failures_total",
			Help: "Requests that were counted in memory because the shared counts did not answer.",
		}),
		shared: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "litfass_limit_shared_up",
			Help: "1 while the shared counts of limits answer, 0 while they do not, or there are none.",
		}),
	}
	if registry != nil {
		registry.MustRegister(m.requests, m.failures, m.shared)
	}
	return m
}

// results count the requests of a row.
type results struct{ passed, refused prometheus.Counter }

func (m *metrics) of(row string) results {
	return results{m.requests.WithLabelValues(row, "passed"), m.requests.WithLabelValues(row, "refused")}
}

func (r results) add(refused bool) {
	if refused {
		r.refused.Inc()
		return
	}
	r.passed.Inc()
}
