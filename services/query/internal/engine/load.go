package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// defaultConcurrency is how many searches the engine is asked at once when nothing else is set. On
// two cores it answers as many in a second with 8 at once as with 64.
const defaultConcurrency = 16

// mostConcurrency is the most that Limited takes: both lanes and what passes them then fit into the
// connections to the engine.
const mostConcurrency = 192

// lanes are the two lines in which questions wait for the engine. What is short, a document by its
// id, never waits behind searches.
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

// Limited returns the same engine that is asked at most so many searches at once, and a quarter as
// many short questions beside them. It returns an error unless that is from 1 to mostConcurrency.
func (e *Engine) Limited(concurrency int) (*Engine, error) {
	if concurrency < 1 || concurrency > mostConcurrency {
		return nil, fmt.Errorf("ENGINE_CONCURRENCY must be from 1 to %d", mostConcurrency)
	}
	other := *e
	other.lanes = newLanes(concurrency)
	return &other, nil
}

// turn waits for a question's turn in a lane. It returns the context to ask it with and what must
// be called after the answer. The errors are those of lane.enter.
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

// Upkeep returns load as it must run for what the service itself needs, such as its value sets and
// the map of venues: its questions pass the lanes, so that they are neither late nor refused while
// searches are. It is only for loads that many requests share and that run once at a time.
func Upkeep[T any](load func(context.Context) (T, error)) func(context.Context) (T, error) {
	return func(ctx context.Context) (T, error) {
		return load(context.WithValue(ctx, upkeepKey{}, true))
	}
}

// Load returns the metrics of the questions to the engine: how long they took and how they ended,
// if the engine was made by Connect, and how many are with it, wait, have waited how long, and were
// refused.
func (e *Engine) Load() []prometheus.Collector {
	all := []prometheus.Collector{e.lanes.waits}
	if e.asked != nil {
		all = append(all, e.asked)
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
