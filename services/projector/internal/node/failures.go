package node

import (
	"context"
	"sync"
	"time"

	"litfass/pkg/chassis/fault"
)

// Renewal is the pace at which an outdated index is rebuilt again after a rebuild has failed.
type Renewal struct {
	First time.Duration // wait after a failure; it doubles with each further one in a row
	Most  time.Duration // longest wait
	// Pause waits, or returns the cause of the end of ctx.
	Pause func(ctx context.Context, wait time.Duration) error
}

// DefaultRenewal is the pace of a projector.
var DefaultRenewal = Renewal{First: 5 * time.Second, Most: 30 * time.Minute, Pause: pause}

func pause(ctx context.Context, wait time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(wait):
		return nil
	}
}

// after returns the wait after a number of failures in a row.
func (r Renewal) after(times int) time.Duration {
	wait := r.First
	for range times - 1 {
		if wait = 2 * wait; wait >= r.Most {
			return r.Most
		}
	}
	return wait
}

// repeatedly is the number of failures in a row from which a rebuild counts as failing until an
// operator acts, no longer as disturbed.
const repeatedly = 3

// failures counts failed rebuilds in a row of any causes. Safe for concurrent use.
type failures struct {
	mu      sync.Mutex
	leading bool   // this process holds the lease: others count their own
	reason  string // text of the last error
	times   int
}

// add records a failure and returns the number of failures in a row.
func (f *failures) add(err error) (times int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reason = err.Error()
	f.times++
	return f.times
}

// clear forgets the failures: a rebuild has succeeded, or none is needed.
func (f *failures) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reason, f.times = "", 0
}

// lead records whether this process holds the lease.
func (f *failures) lead(leading bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.leading = leading
}

// inARow returns the number of failures and the text of the last one; 0 without the lease.
func (f *failures) inARow() (times int, reason string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.leading {
		return 0, ""
	}
	return f.times, f.reason
}

// Rebuilds returns nil unless rebuilds fail again and again, else a fault with the cause of the
// last failure. The former index answers meanwhile.
func (n *Node) Rebuilds(context.Context) error {
	times, reason := n.failures.inARow()
	if times < repeatedly {
		return nil
	}
	return fault.New(fault.Unavailable, "rebuild_failing",
		"the rebuild of the index has failed %d times in a row, the old index stays: %s", times, reason)
}
