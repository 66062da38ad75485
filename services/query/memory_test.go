package main

import (
	"log/slog"
	"math"
	"runtime/debug"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

func TestMemoryLimit(t *testing.T) {
	none := func() (uint64, error) { return 0, memlimit.ErrNoLimit }
	for _, test := range []struct {
		what      string
		given     int64
		container memlimit.Provider
		want      int64
		fixed     bool
	}{
		{"nothing is known", math.MaxInt64, none, 214_748_364 / 80 * 80, false},
		{"the manifest's container", math.MaxInt64, memlimit.Limit(256 << 20), 214_748_364 / 80 * 80, true},
		{"a large container", math.MaxInt64, memlimit.Limit(2_000_000_000), 1_600_000_000, true},
		{"GOMEMLIMIT comes first", 100 << 20, memlimit.Limit(2 << 30), 100 << 20, true},
		{"a limit that is none", math.MaxInt64, memlimit.Limit(math.MaxUint64), 214_748_364 / 80 * 80, false},
	} {
		limit, fixed := memoryLimit(test.given, test.container)
		if difference := limit - test.want; difference < -100 || difference > 100 || fixed != test.fixed {
			t.Errorf("%s: %d, fixed %t; want %d, %t", test.what, limit, fixed, test.want, test.fixed)
		}
	}
}

// TestTheDefaultCacheFits: in addition to the rendering of images, and for a thousand pages of 25
// kB.
func TestTheDefaultCacheFits(t *testing.T) {
	restore(t)
	t.Setenv("GOGC", "400")
	debug.SetMemoryLimit(usualMemory / 100 * usable)
	kept := tuneMemory(nil, slog.New(slog.DiscardHandler))
	if limit := debug.SetMemoryLimit(-1); int64(kept)+besidesCache > limit {
		t.Errorf("%d bytes kept of %d", kept, limit)
	}
	if kept < 1000*25_000 {
		t.Errorf("%d bytes hold no thousand pages", kept)
	}
}

// TestAnExplicitCacheGetsItsMemory where nothing else limits it.
func TestAnExplicitCacheGetsItsMemory(t *testing.T) {
	restore(t)
	for _, test := range []struct{ asked, limited int }{{0, 0}, {1 << 30, 0}, {1 << 30, 100 << 20}} {
		before := int64(math.MaxInt64)
		if test.limited > 0 {
			before = int64(test.limited)
		}
		debug.SetMemoryLimit(before)
		if kept := tuneMemory(&test.asked, slog.New(slog.DiscardHandler)); kept != test.asked {
			t.Errorf("%d kept, %d asked for", kept, test.asked)
		}
		limit := debug.SetMemoryLimit(-1)
		if test.limited > 0 && limit != before {
			t.Errorf("GOMEMLIMIT of %d became %d", before, limit)
		}
		if _, fixed := memoryLimit(math.MaxInt64, memlimit.FromCgroup); test.limited == 0 && !fixed && limit < int64(test.asked) {
			t.Errorf("%d bytes to keep in %d", test.asked, limit)
		}
	}
}

// restore resets the runtime when the test has ended.
func restore(t *testing.T) {
	limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	t.Cleanup(func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	})
}
