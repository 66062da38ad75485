package pagecache

import "github.com/prometheus/client_golang/prometheus"

// metrics count the pages that were answered.
type metrics struct {
	pages            *prometheus.CounterVec
	hits, renderings prometheus.Counter
	bytes            prometheus.Gauge
}

func newMetrics() metrics {
	pages := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "litfass_site_pages_total",
		Help: "Pages by result: kept (answered from the cache) or made (rendered).",
	}, []string{"result"})
	return metrics{
		pages: pages, hits: pages.WithLabelValues("kept"), renderings: pages.WithLabelValues("made"),
		bytes: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "litfass_site_pages_bytes", Help: "Bytes of cached pages.",
		}),
	}
}

// Register adds the metrics to a registry.
func (c *Cache) Register(registry prometheus.Registerer) {
	registry.MustRegister(c.metrics.pages, c.metrics.bytes)
}
