// Package rotation decides whether a query service should leave the load balancer's rotation
// because its read node lags behind others. It then fails its readiness check, and requests go
// elsewhere.
//
// Lag is relative: a late answer is better than none, so when every node lags, as after a large
// import, or the stream is down, all of them stay. Query services announce their positions to each
// other. One leaves when at least half of all read nodes are ready and have been ahead of it for
// longer than a limit; so at least half of them always stay.
package rotation

import (
	"context"
	"sync"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/stream"
)

// silence is how long a node that counts may be silent: three missed repetitions.
const silence = 3 * time.Second

// Rotation holds the positions of the other read nodes. It is safe for concurrent use.
type Rotation struct {
	node     string
	limit    time.Duration
	position func() uint64
	now      func() time.Time

	mu     sync.Mutex
	own    uint64 // the last position that was known
	others map[string]*other
}

// other is another read node.
type other struct {
	heard   time.Time // when one of its query services was heard, ready or not
	ready   time.Time // when one of them was ready
	newest  time.Time // when the greatest position was heard, for the last time
	reached []step    // in order of time and position; see advance
}

// step is when a position was reached, or soon after.
type step struct {
	at       time.Time
	position uint64
}

// New returns the rotation of a query service of a read node. limit is how long other nodes may be
// ahead of it; 0 for no limit. position returns the position up to which its answers are complete,
// 0 while unknown, and now is the clock, time.Now outside of tests.
func New(node string, limit time.Duration, position func() uint64, now func() time.Time) *Rotation {
	return &Rotation{node: node, limit: limit, position: position, now: now, others: map[string]*other{}}
}

// Hear processes an announcement of a query service.
func (r *Rotation) Hear(s stream.Serving) {
	if s.Node == r.node {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	node, known := r.others[s.Node]
	if !known {
		node = &other{}
		r.others[s.Node] = node
	}
	now := r.now()
	node.heard = now
	if s.Ready {
		node.ready = now
	}
	node.advance(step{now, s.Position}, now.Add(-r.limit))
	for name, one := range r.others {
		if now.Sub(one.heard) > silence+r.limit {
			delete(r.others, name)
		}
	}
}

// advance adds a position. Of those reached before a time, only the last is remembered. Smaller
// positions count once the greater one is not heard any more: several services of a node may differ
// for a moment, and a restored database starts from small ones.
func (o *other) advance(s step, before time.Time) {
	if s.position == 0 {
		return
	}
	last := len(o.reached) - 1
	switch {
	case last >= 0 && s.position == o.reached[last].position:
		o.newest = s.at
	case last < 0 || s.position > o.reached[last].position:
		o.reached, o.newest = append(o.reached, s), s.at
	case s.at.Sub(o.newest) > silence:
		o.reached, o.newest = []step{s}, s.at
	}
	for len(o.reached) > 1 && !o.reached[1].at.After(before) {
		o.reached = o.reached[1:]
	}
}

// Check returns nil when the service should get requests, else an Unavailable fault.
func (r *Rotation) Check(context.Context) error {
	if r.limit <= 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if position := r.position(); position > 0 {
		r.own = position
	}
	now, nodes, ahead := r.now(), 1, 0
	for _, node := range r.others {
		if now.Sub(node.heard) > silence {
			continue
		}
		nodes++
		if now.Sub(node.ready) <= silence && node.passed(r.own, now.Add(-r.limit)) {
			ahead++
		}
	}
	if ahead > 0 && 2*ahead >= nodes {
		return fault.New(fault.Unavailable, "behind", "%d of %d read nodes have been ahead of this one for %s", ahead, nodes, r.limit)
	}
	return nil
}

// passed reports whether the node had got beyond a position at some time.
func (o *other) passed(position uint64, at time.Time) bool {
	return len(o.reached) > 0 && !o.reached[0].at.After(at) && o.reached[0].position > position
}
