package outbox

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/fault"
)

// tooOld is how long a change may wait in the outbox before the service reports not ready.
const tooOld = 30 * time.Second

// metrics are the Prometheus metrics of the relay.
type metrics struct {
	leader        prometheus.Gauge
	published     prometheus.Counter
	failures      prometheus.Counter
	unpublishable prometheus.Counter
	refills       prometheus.Counter
	republished   prometheus.Counter
	otherForm     prometheus.Gauge
}

func newMetrics() *metrics {
	return &metrics{
		leader: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "litfass_relay_leader", Help: "1 while this process leads the relay.",
		}),
		published: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "litfass_relay_published_total", Help: "Changes published to the catalogue stream.",
		}),
		failures: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "litfass_relay_failures_total", Help: "Rounds that failed and were tried again.",
		}),
		unpublishable: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "litfass_relay_unpublishable_total", Help: "Attempts at changes that the stream will never take.",
		}),
		refills: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "litfass_relay_refills_total", Help: "Streams found new or short of messages, and filled anew.",
		}),
		republished: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "litfass_relay_republished_total", Help: "Entities published again in the current form of snapshots.",
		}),
		otherForm: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "litfass_relay_other_form", Help: "Entities that the leader still has to publish in the current form.",
		}),
	}
}

// Register adds the relay's metrics to a registry.
func (r *Relay) Register(registry prometheus.Registerer) {
	registry.MustRegister(
		r.metrics.leader, r.metrics.published, r.metrics.failures, r.metrics.unpublishable, r.metrics.refills,
		r.metrics.republished, r.metrics.otherForm,
	)
	for _, gauge := range []struct {
		name, help string
		value      func() float64
	}{
		{"litfass_outbox_pending", "Rows that wait for their first attempt.",
			func() float64 { return float64(r.lastState().Pending) }},
		{"litfass_outbox_failed", "Rows whose entity cannot be published; see outbox.last_error.",
			func() float64 { return float64(r.lastState().Failed) }},
		{"litfass_outbox_oldest_seconds", "Age of the oldest row that waits for its first attempt.",
			func() float64 { return r.age().Seconds() }},
	} {
		registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: gauge.name, Help: gauge.help}, gauge.value))
	}
}

// Ready returns nil if the database may publish, the outbox was empty at least once since the start
// and its oldest row is younger than tooOld.
func (r *Relay) Ready(context.Context) error {
	r.mu.Lock()
	drained, observed, behind := r.drained, !r.observed.IsZero(), r.behind
	r.mu.Unlock()
	switch {
	case behind:
		return fault.Wrap(ErrBehind, fault.Unavailable, "", "%s", ErrBehind)
	case !observed:
		return fault.New(fault.Unavailable, "", "the outbox has not been read yet")
	case !drained:
		return fault.New(fault.Unavailable, "", "the outbox has not been empty since the start: %d rows wait",
			r.lastState().Pending)
	case r.age() > tooOld:
		return fault.New(fault.Unavailable, "", "a change has waited for %s", r.age().Round(time.Second))
	default:
		return nil
	}
}
