package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/web"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/changes"
)

// metrics returns the registry with the metrics of the cache, of the freshness signal and of the
// questions to the engine.
func metrics(answers *cache.Cache, signal *cache.Signal, hub *changes.Hub, engine []prometheus.Collector) *prometheus.Registry {
	registry := web.NewMetrics()
	registry.MustRegister(engine...)
	registry.MustRegister(cacheMetrics{answers},
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "litfass_query_fresh",
			Help: "1 while the freshness signal is heard, else 0: nothing is cached.",
		}, func() float64 {
			if signal.Alive() {
				return 1
			}
			return 0
		}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "litfass_query_change_streams",
			Help: "Open streams of changes, and requests that wait for a change.",
		}, func() float64 { return float64(hub.Open()) }),
	)
	return registry
}

// The metrics of the cache.
var (
	answersMetric = prometheus.NewDesc("litfass_query_cache_answers_total",
		"Questions while the freshness signal was heard, by operation and result: hit or miss.",
		[]string{"kind", "result"}, nil)
	droppedMetric = prometheus.NewDesc("litfass_query_cache_dropped_total",
		"Cached answers that were invalidated or evicted, by reason.", []string{"reason"}, nil)
	adjustedMetric = prometheus.NewDesc("litfass_query_cache_adjusted_total",
		"Cached answers that a batch patched instead of invalidating them.", nil, nil)
	packedMetric = prometheus.NewDesc("litfass_query_cache_packed_total",
		"Times that a cached answer was reduced to its smallest encoding to make room.", nil, nil)
	comparedMetric = prometheus.NewDesc("litfass_query_cache_compared_total",
		"Pairs of a cached answer and a changed date that were compared.", nil, nil)
	bytesMetric   = prometheus.NewDesc("litfass_query_cache_bytes", "Bytes of cached answers.", nil, nil)
	entriesMetric = prometheus.NewDesc("litfass_query_cache_entries", "Cached answers.", nil, nil)
)

// initialKinds are the operations whose metrics exist from the start, as alerts and dashboards
// expect.
var initialKinds = []string{"events", "summary", "ids", "image"}

// cacheMetrics collects the metrics of a cache.
type cacheMetrics struct{ answers *cache.Cache }

// Describe sends every description.
func (cacheMetrics) Describe(descriptions chan<- *prometheus.Desc) {
	for _, description := range []*prometheus.Desc{
		answersMetric, droppedMetric, adjustedMetric, packedMetric, comparedMetric, bytesMetric, entriesMetric,
	} {
		descriptions <- description
	}
}

// Collect sends the present values.
func (c cacheMetrics) Collect(values chan<- prometheus.Metric) {
	stats := c.answers.Stats()
	counter := func(description *prometheus.Desc, value uint64, labels ...string) {
		values <- prometheus.MustNewConstMetric(description, prometheus.CounterValue, float64(value), labels...)
	}
	for _, kind := range initialKinds {
		if _, exists := stats.Kinds[kind]; !exists {
			stats.Kinds[kind] = cache.Lookups{}
		}
	}
	for kind, answers := range stats.Kinds {
		counter(answersMetric, answers.Hits, kind, "hit")
		counter(answersMetric, answers.Misses, kind, "miss")
	}
	for _, reason := range cache.Reasons {
		counter(droppedMetric, stats.Dropped[reason], string(reason))
	}
	counter(adjustedMetric, stats.Patched)
	counter(packedMetric, stats.Packed)
	counter(comparedMetric, stats.Compared)
	values <- prometheus.MustNewConstMetric(bytesMetric, prometheus.GaugeValue, float64(stats.Bytes))
	values <- prometheus.MustNewConstMetric(entriesMetric, prometheus.GaugeValue, float64(stats.Entries))
}
