package fresh

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"litfass/services/query/internal/delta"
)

// Key names a question: a digest of everything that its answer depends on besides the index.
type Key [32]byte

// Kept is an answer that knows what it depends on. Its dynamic type is a pointer, to what is not
// changed any more.
type Kept interface {
	// Size is how many bytes of memory it takes, about.
	Size() int
	// After returns the answer as it is once a batch is applied: itself, another one, or nil when it
	// must be read again.
	After(batch *delta.Batch) Kept
}

const (
	// entryBytes is what an answer costs besides its own size, about.
	entryBytes = 256
	// longest is how long an answer is kept although no batch has altered it: the engine finds
	// words with typos among a bounded number of similar words, which other dates can change.
	longest = 10 * time.Minute
	// mostRecent is how many batches may be applied while an answer is loaded that is to be kept. A
	// large batch takes some 2 MB.
	mostRecent = 64
	// mostWork bounds how often an answer is held against a date for one batch: some tenths of a
	// second.
	mostWork = 1_000_000
)

// Cache is a store of answers, bounded in bytes; see store for what goes first. It is safe for
// concurrent use.
type Cache struct {
	signal *Signal
	most   int // bytes; 0 keeps nothing
	flight flight[Kept]

	mu      sync.Mutex
	taken   uint64         // batches
	recent  []*delta.Batch // the last ones of them: those since the oldest of the loads began
	loading map[uint64]int // requests that wait for a load, by how many batches were taken when it began
	kept    *store
	stats   Stats
}

type entry struct {
	kind  string
	key   Key
	kept  Kept
	since time.Time

	in    *part // of the store; nil: it is not kept
	bytes int   // as they were counted
}

func (e *entry) size() int { return e.kept.Size() + entryBytes }

// NewCache returns a cache that holds at most so many bytes. timeout bounds the loading of an
// answer that several wait for.
func NewCache(signal *Signal, bytes int, timeout time.Duration) *Cache {
	c := &Cache{
		signal: signal, most: bytes, flight: flight[Kept]{timeout: timeout}, kept: newStore(bytes),
		loading: map[uint64]int{},
		stats:   Stats{Kinds: map[string]Answers{}, Dropped: map[delta.Reason]uint64{}},
	}
	signal.onBatch(c.take)
	return c
}

// Answer returns the kept answer to a question, or the one that load makes. Equal questions at the
// same time are loaded once. Nothing is kept or shared while the signal is silent. kind names the
// operation, for figures. The error is load's, or the context's.
func Answer[K Kept](
	ctx context.Context, c *Cache, kind string, key Key, load func(context.Context) (K, error),
) (K, error) {
	if !c.signal.Alive() || c.most <= 0 {
		return load(ctx)
	}
	kept, asked := c.get(kind, key)
	if kept != nil {
		return kept.(K), nil //nolint:forcetypeassert // a key names one question, whose answers have one type
	}
	defer c.loaded(asked)
	loaded, err := c.flight.do(ctx, fmt.Sprintf("%x %d", key, asked), func(ctx context.Context) (Kept, error) {
		answer, err := load(ctx)
		if err != nil {
			return nil, err
		}
		c.put(kind, key, asked, answer)
		return answer, nil
	})
	if err != nil {
		var none K
		return none, err
	}
	return loaded.(K), nil //nolint:forcetypeassert // as above
}

// Again returns the kept answer to a question; ok is false when there is none, and Answer is to be
// asked for it.
func Again[K Kept](c *Cache, kind string, key Key) (answer K, ok bool) {
	if !c.signal.Alive() || c.most <= 0 {
		return answer, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := c.hit(kind, key)
	if kept == nil {
		return answer, false
	}
	return kept.(K), true //nolint:forcetypeassert // as above
}

// get returns a kept answer, or nil and how many batches were taken when it was asked for. Then a
// load is to begin, and loaded to be called after it.
func (c *Cache) get(kind string, key Key) (kept Kept, asked uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if kept = c.hit(kind, key); kept == nil {
		c.stats.miss(kind)
		c.loading[c.taken]++
	}
	return kept, c.taken
}

// loaded ends the waiting of a request for a load. One that goes on without any request is not kept
// if a batch came since it began.
func (c *Cache) loaded(asked uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loading[asked]--; c.loading[asked] == 0 {
		delete(c.loading, asked)
	}
	c.forget()
}

// forget drops the batches that no load needs any more. It is called with mu held.
func (c *Cache) forget() {
	oldest := c.taken
	for asked := range c.loading {
		oldest = min(oldest, asked)
	}
	if needed := min(c.taken-oldest, mostRecent); uint64(len(c.recent)) > needed {
		c.recent = slices.Delete(c.recent, 0, len(c.recent)-int(needed)) //nolint:gosec // at most mostRecent
	}
}

// hit returns a kept answer that is asked for, or nil. It is called with mu held.
func (c *Cache) hit(kind string, key Key) Kept {
	e := c.kept.get(key)
	switch {
	case e == nil:
		return nil
	case time.Since(e.since) > longest:
		c.kept.remove(e)
		c.stats.Dropped[delta.Age]++
		return nil
	default:
		c.stats.hit(kind)
		return e.kept
	}
}

// put keeps an answer that was asked for when so many batches were taken. It is first held against
// those that came since: whether they were applied before it was read is not known.
func (c *Cache) put(kind string, key Key, asked uint64, answer Kept) {
	e := &entry{kind: kind, key: key, kept: answer, since: time.Now()}
	for {
		c.watch(e)
		since, known := c.addUnlessOlder(asked, e)
		if !known || len(since) == 0 {
			c.makeRoom()
			return
		}
		for _, batch := range since {
			if e.kept = e.kept.After(batch); e.kept == nil {
				return
			}
		}
		asked += uint64(len(since))
	}
}

// addUnlessOlder keeps an answer if no batch came since it was asked for, or else returns those
// that came; known is false when they are not known any more.
func (c *Cache) addUnlessOlder(asked uint64, e *entry) (since []*delta.Batch, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	missed := c.taken - asked
	if missed > uint64(len(c.recent)) {
		return nil, false
	}
	if missed > 0 {
		return slices.Clone(c.recent[uint64(len(c.recent))-missed:]), true
	}
	if e.size() <= c.most {
		c.kept.add(e)
	}
	return nil, true
}

// watch has the bytes of an entry counted anew whenever its answer takes more of them.
func (c *Cache) watch(e *entry) {
	answer, packable := e.kept.(Packable)
	if !packable {
		return
	}
	answer.OnResize(func() {
		c.recount(e)
		c.makeRoom()
	})
}

func (c *Cache) recount(e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept.recount(e)
}

// makeRoom packs and drops answers until the bytes are within their bound.
func (c *Cache) makeRoom() {
	for {
		e, pack, done := c.overflow()
		if done {
			return
		}
		if pack != nil { // without holding up others: it may have to be compressed
			pack.Pack()
			c.recount(e)
		}
	}
}

// overflow drops an answer, or returns one that is to be packed; done is true when neither is
// needed.
func (c *Cache) overflow() (e *entry, pack Packable, done bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, dropped := c.kept.overflow()
	switch {
	case dropped != nil:
		c.stats.Dropped[delta.Room]++
		return nil, nil, false
	case e == nil:
		return nil, nil, true
	}
	pack, packable := e.kept.(Packable)
	if packable {
		c.stats.Packed++
	}
	return e, pack, false
}

// take drops or adjusts what a batch alters. Answers that are loaded meanwhile see the batch among
// the recent ones.
func (c *Cache) take(batch *delta.Batch) {
	held := c.note(batch)
	after := make(map[Key]Kept)
	for key, kept := range held {
		if next := kept.After(batch); next != kept {
			after[key] = next
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.Compared += uint64(len(held) * len(batch.Dates))
	for key, next := range after {
		c.exchange(key, held[key], next)
	}
}

// note puts a batch among the recent ones and returns the answers that it may alter. Where it would
// be too much work to find out which, none stays.
func (c *Cache) note(batch *delta.Batch) map[Key]Kept {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taken++
	c.recent = append(c.recent, batch)
	c.forget()
	reason := batch.Reason
	if !batch.All && c.kept.Len()*len(batch.Dates) > mostWork {
		reason = delta.Work
	}
	if batch.All || reason == delta.Work {
		c.stats.Dropped[reason] += uint64(c.kept.Len()) //nolint:gosec // a length is not negative
		c.kept.purge()
		return nil
	}
	held := make(map[Key]Kept, c.kept.Len())
	c.kept.each(func(e *entry) { held[e.key] = e.kept })
	return held
}

// exchange puts next in the place of a kept answer, if that is still there; nil drops it.
func (c *Cache) exchange(key Key, kept, next Kept) {
	e := c.kept.peek(key)
	if e == nil || e.kept != kept {
		return
	}
	if next == nil {
		c.kept.remove(e)
		c.stats.Dropped[delta.Altered]++
		return
	}
	e.kept = next
	c.watch(e)
	c.kept.recount(e)
	c.stats.Adjusted++
}
