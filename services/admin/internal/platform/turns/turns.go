// Package turns shares places among owners: an owner who wants many does not keep others waiting.
package turns

import (
	"context"
	"slices"
	"sync"
)

// Places are a number of places, of which each owner has a part at most. A free one goes to the
// owner who has waited longest since its last turn, and among the requests of an owner to the
// first.
type Places struct {
	each int

	mu      sync.Mutex
	free    int
	held    map[string]int
	waiting map[string][]*waiter
	line    []string // the owners who wait, the next one first
}

// waiter is a request that waits.
type waiter struct{ ready chan struct{} }

// New returns so many places, of which an owner has at most each.
func New(places, each int) *Places {
	return &Places{free: places, each: each, held: map[string]int{}, waiting: map[string][]*waiter{}}
}

// Take waits for a place. The caller releases it, once; the error is that of ctx.
func (p *Places) Take(ctx context.Context, owner string) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	w := &waiter{make(chan struct{})}
	if len(p.waiting[owner]) == 0 {
		p.line = append(p.line, owner)
	}
	p.waiting[owner] = append(p.waiting[owner], w)
	p.give()
	p.mu.Unlock()
	release = sync.OnceFunc(func() { p.release(owner) })
	select {
	case <-w.ready:
		return release, nil
	case <-ctx.Done():
	}
	if !p.leave(owner, w) { // it had its turn at the same time
		release()
	}
	return nil, ctx.Err()
}

// give gives free places to those who wait and may have one more.
func (p *Places) give() {
	for p.free > 0 {
		at := slices.IndexFunc(p.line, func(owner string) bool { return p.held[owner] < p.each })
		if at < 0 {
			return
		}
		owner := p.line[at]
		next := p.waiting[owner][0]
		p.waiting[owner] = p.waiting[owner][1:]
		p.line = slices.Delete(p.line, at, at+1)
		if len(p.waiting[owner]) > 0 {
			p.line = append(p.line, owner)
		} else {
			delete(p.waiting, owner)
		}
		p.free--
		p.held[owner]++
		close(next.ready)
	}
}

func (p *Places) release(owner string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free++
	if p.held[owner]--; p.held[owner] == 0 {
		delete(p.held, owner)
	}
	p.give()
}

// leave takes a request out of the line, and reports whether it still waited.
func (p *Places) leave(owner string, w *waiter) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.Index(p.waiting[owner], w)
	if at < 0 {
		return false
	}
	p.waiting[owner] = slices.Delete(p.waiting[owner], at, at+1)
	if len(p.waiting[owner]) == 0 {
		delete(p.waiting, owner)
		p.line = slices.DeleteFunc(p.line, func(other string) bool { return other == owner })
	}
	return true
}
