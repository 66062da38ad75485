package limit

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
)

// TestFailures: a client with the maximum of failures is refused until one of them expires; other
// clients do not count, and neither does the check.
func TestFailures(t *testing.T) {
	clock := newClock()
	limiter, _ := made(t, Config{}, clock.now)
	failures := limiter.Failures(Unauthenticated)
	other := Address(netip.MustParseAddr("203.0.113.8"))
	for n := range 60 {
		for range 3 {
			if err := failures.Refused(visitor); err != nil {
				t.Fatalf("refused after %d failures: %v", n, err)
			}
		}
		if err := failures.Count(t.Context(), visitor); err != nil {
			t.Fatalf("failure %d: %v", n+1, err)
		}
	}
	if err := failures.Refused(visitor); err != nil {
		t.Errorf("the sixty-first is refused before it fails: %v", err)
	}
	clock.move(10 * time.Second)
	for _, err := range []error{failures.Count(t.Context(), visitor), failures.Refused(visitor)} {
		if f := fault.Of(err); f.Kind != fault.TooMany || f.RetryAfter != 50*time.Second {
			t.Errorf("too many: %v, %s", err, f.RetryAfter)
		}
	}
	if err := failures.Refused(other); err != nil {
		t.Errorf("another address: %v", err)
	}
	clock.move(50 * time.Second)
	if err := failures.Refused(visitor); err != nil {
		t.Errorf("after waiting: %v", err)
	}
}

// TestFailuresOfManyAddresses: any number of addresses takes bounded memory.
func TestFailuresOfManyAddresses(t *testing.T) {
	limiter, _ := made(t, Config{Rows: []string{Unauthenticated + "=1/1h"}}, newClock().now)
	failures := limiter.Failures(Unauthenticated)
	for n := range maxCounts + 10 {
		for range 2 {
			_ = failures.Count(t.Context(), User(fmt.Sprint(n)))
		}
	}
	if failures.refused.Len() > maxCounts || limiter.local.counts.Len() > maxCounts {
		t.Errorf("%d and %d are held", failures.refused.Len(), limiter.local.counts.Len())
	}
}

// TestNoFailuresAreLimited without a limiter, and with a row that is off.
func TestNoFailuresAreLimited(t *testing.T) {
	var none *Limiter
	off, _ := made(t, Config{Rows: []string{Unauthenticated + "=off"}}, newClock().now)
	for _, failures := range []*Failures{none.Failures(Unauthenticated), off.Failures(Unauthenticated)} {
		for range 100 {
			if failures.Count(t.Context(), visitor) != nil || failures.Refused(visitor) != nil {
				t.Fatal("refused")
			}
		}
	}
}
