package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/web"
	"litfass/services/query/internal/fresh"
)

// metrics returns the registry with the figures of kept answers and of the freshness signal.
func metrics(kept *fresh.Cache, signal *fresh.Signal) *prometheus.Registry {
	registry := web.NewMetrics()
	answers := func(result string, count func(fresh.Stats) uint64) prometheus.CounterFunc {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name:        "litfass_query_cache_answers_total",
			Help:        "Questions while the freshness signal was heard, by whether a kept answer was there.",
			ConstLabels: prometheus.Labels{"result": result},
		}, func() float64 { return float64(count(kept.Stats())) })
	}
	registry.MustRegister(
		answers("hit", func(s fresh.Stats) uint64 { return s.Hits }),
		answers("miss", func(s fresh.Stats) uint64 { return s.Misses }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "litfass_query_cache_bytes",
			Help: "Bytes of kept answers.",
		}, func() float64 { return float64(kept.Stats().Bytes) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "litfass_query_fresh",
			Help: "1 while the freshness signal is heard, else 0: nothing is kept.",
		}, func() float64 {
			if _, alive := signal.Mark(); alive {
				return 1
			}
			return 0
		}),
	)
	return registry
}
