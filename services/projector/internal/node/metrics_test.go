package node_test

import (
	"math"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/stream/streamtest"
	"litfass/services/projector/internal/node"
	"litfass/services/projector/internal/testkit"
)

// figure returns the value of a metric: of a histogram, how often it was observed.
func figure(t *testing.T, registry *prometheus.Registry, name string) float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		m := family.GetMetric()[0]
		if m.GetHistogram() != nil {
			return float64(m.GetHistogram().GetSampleCount())
		}
		return m.GetGauge().GetValue()
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}

func TestFiguresOfAProjector(t *testing.T) {
	t.Parallel()
	w, engine := testkit.WithEngine(t)
	registry := prometheus.NewRegistry()
	n := node.New(node.Options{
		Name: name, PublicURL: testkit.PublicURL, TimeZone: testkit.TimeZone, Stream: streamtest.Open(t, w.StreamConfig), Index: w.Index,
		Registry: registry, Log: w.Log,
	})
	const up, lag = "litfass_projector_engine_up", "litfass_projector_lag_seconds"
	if value := figure(t, registry, up); !math.IsNaN(value) {
		t.Errorf("the engine is up before it was asked: %v", value)
	}
	start(t, n)
	testkit.Until(t, "the engine is up", func() bool { return figure(t, registry, up) == 1 })
	for revision := range int64(2) { // messages published before the node follows the stream have no age
		w.Publish(testkit.Catalogue(t, revision+1, 5)...)
		caughtUp(t, w, n)
	}
	for _, seconds := range []string{"litfass_projector_change_age_seconds", "litfass_projector_task_duration_seconds"} {
		testkit.Until(t, seconds, func() bool { return figure(t, registry, seconds) > 0 })
	}
	if value := figure(t, registry, lag); value != 0 {
		t.Errorf("%v seconds behind although it has caught up", value)
	}
	engine.Kill()
	testkit.Until(t, "the engine is down", func() bool { return figure(t, registry, up) == 0 })
	w.Publish(testkit.Catalogue(t, 3, 1)...)
	testkit.Until(t, "the index falls behind", func() bool { return figure(t, registry, lag) > 0 })
	engine.Resume()
	testkit.Until(t, "the index catches up", func() bool { return figure(t, registry, lag) == 0 && figure(t, registry, up) == 1 })
}
