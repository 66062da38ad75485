package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/web"
	"litfass/services/query/internal/delta"
	"litfass/services/query/internal/fresh"
)

// metrics returns the registry with the figures of kept answers, of the freshness signal and of the
// questions to the engine.
func metrics(kept *fresh.Cache, signal *fresh.Signal, engine []prometheus.Collector) *prometheus.Registry {
	registry := web.NewMetrics()
	registry.MustRegister(engine...)
	registry.MustRegister(cacheFigures{kept},
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "litfass_query_fresh",
			Help: "1 while the freshness signal is heard, else 0: nothing is kept.",
		}, func() float64 {
			if signal.Alive() {
				return 1
			}
			return 0
		}),
	)
	return registry
}

// The figures of kept answers.
var (
	answersFigure = prometheus.NewDesc("litfass_query_cache_answers_total",
		"Questions while the freshness signal was heard, by operation and whether a kept answer was there: hit or miss.",
		[]string{"kind", "result"}, nil)
	droppedFigure = prometheus.NewDesc("litfass_query_cache_dropped_total",
		"Kept answers that were dropped, by reason.", []string{"reason"}, nil)
	adjustedFigure = prometheus.NewDesc("litfass_query_cache_adjusted_total",
		"Kept answers that a batch altered and that were adjusted instead of dropped.", nil, nil)
	packedFigure = prometheus.NewDesc("litfass_query_cache_packed_total",
		"Times that a kept answer was reduced to its smallest encoding to make room.", nil, nil)
	comparedFigure = prometheus.NewDesc("litfass_query_cache_compared_total",
		"Pairs of a kept answer and a date that a batch altered which were compared.", nil, nil)
	bytesFigure   = prometheus.NewDesc("litfass_query_cache_bytes", "Bytes of kept answers.", nil, nil)
	entriesFigure = prometheus.NewDesc("litfass_query_cache_entries", "Kept answers.", nil, nil)
)

// shown are the kinds of questions whose figures are there from the start, as alerts and dashboards
// expect.
var shown = []string{"events", "summary", "ids", "image"}

// cacheFigures collects the figures of a cache.
type cacheFigures struct{ kept *fresh.Cache }

// Describe sends every figure.
func (cacheFigures) Describe(figures chan<- *prometheus.Desc) {
	for _, figure := range []*prometheus.Desc{
		answersFigure, droppedFigure, adjustedFigure, packedFigure, comparedFigure, bytesFigure, entriesFigure,
	} {
		figures <- figure
	}
}

// Collect sends the present values.
func (c cacheFigures) Collect(values chan<- prometheus.Metric) {
	stats := c.kept.Stats()
	counter := func(figure *prometheus.Desc, value uint64, labels ...string) {
		values <- prometheus.MustNewConstMetric(figure, prometheus.CounterValue, float64(value), labels...)
	}
	for _, kind := range shown {
		if _, asked := stats.Kinds[kind]; !asked {
			stats.Kinds[kind] = fresh.Answers{}
		}
	}
	for kind, answers := range stats.Kinds {
		counter(answersFigure, answers.Hits, kind, "hit")
		counter(answersFigure, answers.Misses, kind, "miss")
	}
	for _, reason := range delta.Reasons {
		counter(droppedFigure, stats.Dropped[reason], string(reason))
	}
	counter(adjustedFigure, stats.Adjusted)
	counter(packedFigure, stats.Packed)
	counter(comparedFigure, stats.Compared)
	values <- prometheus.MustNewConstMetric(bytesFigure, prometheus.GaugeValue, float64(stats.Bytes))
	values <- prometheus.MustNewConstMetric(entriesFigure, prometheus.GaugeValue, float64(stats.Entries))
}
