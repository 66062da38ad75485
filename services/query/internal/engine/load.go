package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// defaultConcurrency is the default number of searches in flight. On two cores the engine's
// throughput is the same with 8 and with 64.
const defaultConcurrency = 16

// maxConcurrency is the limit of Limited: with it, both lanes and the questions that bypass them
// fit into the connections to the engine.
const maxConcurrency = 192

// lanes are the two queues to the engine. Lookups, such as of a document by its id, never wait for
// searches.
type lanes struct {
	searches *lane
	lookups  *lane
	waits    *prometheus.HistogramVec
}

func newLanes(concurrency int) *lanes {
	waits := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "litfass_query_engine_wait_seconds",
		Help:    "How long questions waited that were not asked at once, by lane.",
		Buckets: []float64{.001, .005, .01, .025, .05, .1, .25, .5, 1},
	}, []string{"lane"})
	named := func(name string, concurrency int) *lane {
		observer := waits.WithLabelValues(name)
		return newLane(name, concurrency, func(wait time.Duration) { observer.Observe(wait.Seconds()) })
	}
	return &lanes{
		searches: named("searches", concurrency), lookups: named("lookups", max(2, concurrency/4)), waits: waits,
	}
}

// Limited returns the same engine with at most this many searches in flight, and a quarter as many
// lookups in addition. It returns an error unless that is from 1 to maxConcurrency.
func (e *Engine) Limited(concurrency int) (*Engine, error) {
	if concurrency < 1 || concurrency > maxConcurrency {
		return nil, fmt.Errorf("ENGINE_CONCURRENCY must be from 1 to %d", maxConcurrency)
	}
	other := *e
	other.lanes = newLanes(concurrency)
	return &other, nil
}

// turn waits for a question's turn in a lane. It returns the context of the question, and the
// function to call after the answer. It returns the errors of lane.enter.
func (e *Engine) turn(ctx context.Context, l *lane) (asking context.Context, done func(), err error) {
	leave := func() {}
	if ctx.Value(upkeepKey{}) == nil {
		if leave, err = l.enter(ctx); err != nil {
			return nil, nil, err
		}
	}
	asking, cancel := context.WithTimeout(ctx, e.timeout)
	return asking, func() { cancel(); leave() }, nil
}

type upkeepKey struct{}

// Upkeep wraps the load of a value that the service needs to run, such as its value sets and the
// map of venues: its questions bypass the lanes, so that they are neither delayed nor refused under
// load. It is only for loads that many requests share and that run one at a time.
func Upkeep[T any](load func(context.Context) (T, error)) func(context.Context) (T, error) {
	return func(ctx context.Context) (T, error) {
		return load(context.WithValue(ctx, upkeepKey{}, true))
	}
}

// Load returns the metrics of the questions to the engine: their durations and outcomes, if the
// engine was made by Connect, those in flight and waiting, their waits, and the refused ones.
func (e *Engine) Load() []prometheus.Collector {
	all := []prometheus.Collector{e.lanes.waits}
	if e.metrics != nil {
		all = append(all, e.metrics)
	}
	for _, l := range []*lane{e.lanes.searches, e.lanes.lookups} {
		all = append(all, l.metrics()...)
	}
	return all
}

func (l *lane) metrics() []prometheus.Collector {
	gauge := func(name, help string, value func() int64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: name, Help: help, ConstLabels: prometheus.Labels{"lane": l.name},
		}, func() float64 { return float64(value()) })
	}
	refused := func(reason string, value func() uint64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name:        "litfass_query_engine_refused_total",
			Help:        "Questions refused because too many waited (full), or for too long (late), by lane.",
			ConstLabels: prometheus.Labels{"lane": l.name, "reason": reason},
		}, func() float64 { return float64(value()) })
	}
	return []prometheus.Collector{
		gauge("litfass_query_engine_in_flight", "Questions that the engine is answering, by lane.", l.running.Load),
		gauge("litfass_query_engine_queued", "Questions that wait for their turn, by lane.", l.waiting.Load),
		refused("full", l.refusedFull.Load), refused("late", l.refusedLate.Load),
	}
}
