package node_test

import (
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/document"
	"litfass/services/projector/internal/node"
	"litfass/services/projector/internal/testkit"
)

func TestHoursMayPassMidnight(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		node.Hours
		in, out []int
	}{
		{node.Hours{From: 2, Before: 5}, []int{2, 4}, []int{1, 5, 23}},
		{node.Hours{From: 22, Before: 3}, []int{22, 23, 0, 2}, []int{3, 21}},
		{node.Hours{From: 22, Before: 24}, []int{22, 23}, []int{0, 21}},
		{node.Hours{}, []int{0, 23}, nil},
	} {
		for _, hour := range c.in {
			if !c.Contain(time.Date(2026, 6, 1, hour, 59, 0, 0, time.UTC)) {
				t.Errorf("%v: not at %d", c.Hours, hour)
			}
		}
		for _, hour := range c.out {
			if c.Contain(time.Date(2026, 6, 1, hour, 0, 0, 0, time.UTC)) {
				t.Errorf("%v: at %d", c.Hours, hour)
			}
		}
	}
}

// clock counts how often it is asked.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	asked int
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	return c.now
}

// set moves the clock and waits until it was asked three times.
func (c *clock) set(t *testing.T, now time.Time) {
	t.Helper()
	c.mu.Lock()
	c.now, c.asked = now, 0
	c.mu.Unlock()
	testkit.Until(t, "the clock to be asked", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.asked >= 3
	})
}

// TestGrownIndexIsRebuiltAtNight: the files of a test do not grow enough, so that here any size is
// too large. The node asks the clock before each look at it.
func TestGrownIndexIsRebuiltAtNight(t *testing.T) {
	t.Parallel()
	const above, below = 0.001, 1000
	evening := time.Date(2026, 6, 1, 20, 0, 0, 0, time.UTC)
	late := evening.Add(7 * time.Hour)
	for _, c := range []struct {
		name     string
		above    float64
		least    int64
		at       time.Time
		rebuilds float64
	}{
		{"at another time", above, 0, evening, 0},
		{"hardly grown", below, 0, late, 0},
		{"small", above, 1 << 60, late, 0},
		{"grown", above, 0, late, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := testkit.New(t)
			registry, now := prometheus.NewRegistry(), &clock{now: evening}
			n := node.New(node.Options{
				Name: name, PublicURL: testkit.PublicURL, TimeZone: testkit.TimeZone, Stream: streamtest.Open(t, w.StreamConfig),
				Index: w.Index, Registry: registry, Log: w.Log,
				Compaction: node.Compaction{
					Above: c.above, Least: c.least, Quiet: node.Hours{From: 2, Before: 5}, Every: time.Millisecond, Now: now.Now,
				},
			})
			start(t, n)
			w.Publish(testkit.Catalogue(t, 1, 5)...)
			caughtUp(t, w, n)
			rebuilds := func() float64 { return counted(t, registry, "litfass_projector_rebuilds_total", "succeeded") }
			for night := range 2 {
				now.set(t, c.at.AddDate(0, 0, night))
				testkit.Until(t, "the rebuild", func() bool { return rebuilds() >= c.rebuilds*float64(night+1) })
				now.set(t, c.at.AddDate(0, 0, night).Add(time.Hour))
				if got := rebuilds(); got != c.rebuilds*float64(night+1) {
					t.Errorf("%v rebuilds in %v nights", got, night+1)
				}
				if _, err := w.Index.Aside().Count(t.Context(), document.Dates); !fault.Is(err, fault.NotFound) {
					t.Errorf("former index: %v", err)
				}
			}
			w.MustAgree()
		})
	}
}

// counted returns a counter by the value of its label.
func counted(t *testing.T, registry *prometheus.Registry, name, label string) float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			if family.GetName() == name && m.GetLabel()[0].GetValue() == label {
				return m.GetCounter().GetValue()
			}
		}
	}
	t.Fatalf("there is no metric %s of %s", name, label)
	return 0
}
