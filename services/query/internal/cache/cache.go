// Package cache caches answers from the index and keeps them exact: the signal of the projector
// invalidates or patches the answers that a change affects. README.md explains how.
package cache

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

const (
	// maxAnswerAge is the maximum age of an answer that no batch changed: the engine looks for words
	// with typos among a bounded number of similar words, which changes of other dates can affect.
	maxAnswerAge = 10 * time.Minute
	// maxRecent and maxRecentDates are the numbers of batches, and of their dates, that may be applied
	// during the load of an answer that is to be cached. A date takes some 4 kB.
	maxRecent      = 64
	maxRecentDates = 30_000
	// maxComparisons bounds the answers times changes that are compared for one batch: some tenths of
	// a second.
	maxComparisons = 1_000_000
)

// Cache is a store of answers, bounded in bytes. It is safe for concurrent use.
type Cache struct {
	signal *Signal
	flight flight[Answer]

	mu      sync.Mutex
	applied uint64         // batches
	recent  []*Batch       // the last ones of them: those since the oldest of the loads began
	loading map[uint64]int // requests that wait for a load, by the batches applied when it began
	entries *store
	stats   Stats
}

// New returns a cache of at most this many bytes; 0 caches nothing. timeout bounds a load that
// several requests wait for.
func New(signal *Signal, maxBytes int, timeout time.Duration) *Cache {
	c := &Cache{
		signal: signal, flight: flight[Answer]{timeout: timeout}, entries: newStore(maxBytes),
		loading: map[uint64]int{},
		stats:   Stats{Kinds: map[string]Lookups{}, Dropped: map[Reason]uint64{}},
	}
	signal.onBatch(c.apply)
	return c
}

// enabled reports whether answers may be cached and shared.
func (c *Cache) enabled() bool { return c.entries.maxBytes > 0 && c.signal.Alive() }

// Version returns the last version of the index of dates that was signalled; "" when it is unknown,
// or nothing is cached.
func (c *Cache) Version() string {
	if c == nil || !c.enabled() {
		return ""
	}
	return c.signal.Version()
}

// Lookup returns the cached answer to a question; ok is false if there is none.
func Lookup[A Answer](c *Cache, kind string, key Key) (answer A, ok bool) {
	if !c.enabled() {
		return answer, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	cached := c.get(kind, key)
	if cached == nil {
		return answer, false
	}
	return cached.(A), true //nolint:forcetypeassert // a key identifies one question, whose answers have one type
}

// ErrNotCached means that an answer is not cached, and must not be loaded.
var ErrNotCached = errors.New("the answer is not cached")

type onlyCachedKey struct{}

// OnlyCached returns a context in which Get loads nothing: without a cached answer the error is
// ErrNotCached.
func OnlyCached(ctx context.Context) context.Context {
	return context.WithValue(ctx, onlyCachedKey{}, true)
}

// Get returns the cached answer to a question, or loads it. Equal concurrent questions share one
// load. While the signal is silent nothing is cached or shared. kind names the operation in
// metrics. The error is load's, or the context's.
func Get[A Answer](
	ctx context.Context, c *Cache, kind string, key Key, load func(context.Context) (A, error),
) (A, error) {
	if ctx.Value(onlyCachedKey{}) != nil {
		if cached, ok := Lookup[A](c, kind, key); ok {
			return cached, nil
		}
		var none A
		return none, ErrNotCached
	}
	if !c.enabled() {
		return load(ctx)
	}
	cached, began := c.getOrBegin(kind, key)
	if cached != nil {
		return cached.(A), nil //nolint:forcetypeassert // as in Lookup
	}
	defer c.endLoad(began)
	loaded, err := c.flight.do(ctx, fmt.Sprintf("%x %d", key, began), func(ctx context.Context) (Answer, error) {
		answer, err := load(ctx)
		if err != nil {
			return nil, err
		}
		c.put(&entry{kind: kind, key: key, answer: answer, since: time.Now()}, began)
		return answer, nil
	})
	if err != nil {
		var none A
		return none, err
	}
	return loaded.(A), nil //nolint:forcetypeassert // as in Lookup
}

// get returns a cached answer, or nil. It is called with mu held.
func (c *Cache) get(kind string, key Key) Answer {
	e := c.entries.get(key)
	switch {
	case e == nil:
		return nil
	case time.Since(e.since) > maxAnswerAge:
		c.entries.remove(e)
		c.stats.Dropped[Age]++
		return nil
	default:
		c.stats.countLookup(kind, true)
		return e.answer
	}
}

// getOrBegin returns a cached answer, or nil and the number of batches applied when its load began.
// endLoad must be called after the load.
func (c *Cache) getOrBegin(kind string, key Key) (cached Answer, began uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if cached = c.get(kind, key); cached == nil {
		c.stats.countLookup(kind, false)
		c.loading[c.applied]++
	}
	return cached, c.applied
}

// endLoad ends a request's wait for a load. A load that continues without any request is not cached
// if a batch was applied since it began.
func (c *Cache) endLoad(began uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loading[began]--; c.loading[began] == 0 {
		delete(c.loading, began)
	}
	c.trimRecent()
}

// trimRecent drops the batches that no load needs any more. It is called with mu held.
func (c *Cache) trimRecent() {
	oldest := c.applied
	for began := range c.loading {
		oldest = min(oldest, began)
	}
	needed := min(int(min(c.applied-oldest, maxRecent)), len(c.recent)) //nolint:gosec // at most maxRecent
	first, dates := len(c.recent), 0
	for first > len(c.recent)-needed {
		if dates += len(c.recent[first-1].changesAndTimes); dates > maxRecentDates {
			break
		}
		first--
	}
	c.recent = slices.Delete(c.recent, 0, first)
}

// put caches an answer whose load began when this many batches were applied. It first applies the
// batches since then: whether the load read the index before or after them is unknown.
func (c *Cache) put(e *entry, began uint64) {
	for {
		c.watchSize(e)
		since, known := c.addIfCurrent(e, began)
		if !known || len(since) == 0 {
			c.makeRoom()
			return
		}
		for _, batch := range since {
			if e.answer, _ = e.answer.Apply(batch); e.answer == nil {
				return
			}
		}
		began += uint64(len(since))
	}
}

// addIfCurrent adds an entry if no batch was applied since its load began, or else returns these
// batches; known is false when they are not remembered any more.
func (c *Cache) addIfCurrent(e *entry, began uint64) (since []*Batch, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	missed := c.applied - began
	if missed > uint64(len(c.recent)) {
		return nil, false
	}
	if missed > 0 {
		return slices.Clone(c.recent[uint64(len(c.recent))-missed:]), true
	}
	if e.size() <= c.entries.maxBytes {
		c.entries.add(e)
	}
	return nil, true
}

// watchSize recounts an entry whenever its answer grows.
func (c *Cache) watchSize(e *entry) {
	if answer, packable := e.answer.(Packable); packable {
		answer.OnResize(func() {
			c.recount(e)
			c.makeRoom()
		})
	}
}

func (c *Cache) recount(e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.recount(e)
}

// makeRoom packs and evicts answers until the bytes are within their bound.
func (c *Cache) makeRoom() {
	for {
		c.mu.Lock()
		e, evicted := c.entries.overflow()
		if evicted != nil {
			c.stats.Dropped[Room]++
		}
		var answer Packable
		if e != nil {
			if answer, _ = e.answer.(Packable); answer != nil {
				c.stats.Packed++
			}
		}
		c.mu.Unlock()
		if e == nil && evicted == nil {
			return
		}
		if answer != nil { // compresses, and so without the lock
			answer.Pack()
			c.recount(e)
		}
	}
}

// apply invalidates or patches the answers that a batch changes. Loads that end meanwhile find the
// batch among the recent ones.
func (c *Cache) apply(batch *Batch) {
	cached := c.begin(batch)
	type change struct {
		next   Answer
		reason Reason
	}
	changed := make(map[Key]change)
	for key, answer := range cached { // without the lock
		if next, reason := answer.Apply(batch); next != answer {
			changed[key] = change{next, reason}
		}
	}
	c.mu.Lock()
	for key, then := range changed {
		c.replace(key, cached[key], then.next, then.reason)
	}
	c.mu.Unlock()
	c.makeRoom()
}

// begin adds a batch to the recent ones and returns the answers to compare with it. If these are
// too many, or anything may have changed, it invalidates all of them.
func (c *Cache) begin(batch *Batch) map[Key]Answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.applied++
	c.recent = append(c.recent, batch)
	c.trimRecent()
	reason := batch.reason
	if !batch.all {
		answers := c.entries.answers()
		if compared := batch.comparisons(answers); compared <= maxComparisons {
			c.stats.Compared += uint64(compared) //nolint:gosec // a count is not negative
			return answers
		}
		reason = Work
	}
	c.stats.Dropped[reason] += uint64(c.entries.len()) //nolint:gosec // a length is not negative
	c.entries.purge()
	return nil
}

// replace puts next in the place of an answer, if that is still cached; nil invalidates it for a
// reason. It is called with mu held.
func (c *Cache) replace(key Key, answer, next Answer, reason Reason) {
	e := c.entries.peek(key)
	if e == nil || e.answer != answer {
		return
	}
	if next == nil {
		c.entries.remove(e)
		c.stats.Dropped[reason]++
		return
	}
	e.answer = next
	c.watchSize(e)
	c.entries.recount(e)
	if reason == Patched {
		c.stats.Patched++
	}
}
