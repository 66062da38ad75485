package fresh

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Key names a question: a digest of everything that its answer depends on besides the index.
type Key [32]byte

// entryBytes is what an answer costs besides its own bytes, about.
const entryBytes = 256

// Cache is a store of answers, bounded in bytes; what was not asked for longest goes first. It is
// safe for concurrent use.
type Cache struct {
	signal *Signal
	most   int // bytes; 0 keeps nothing
	flight flight[[]byte]

	mu    sync.Mutex
	mark  uint64 // of all entries
	bytes int
	kept  *simplelru.LRU[Key, entry]
	stats Stats
}

// Stats are figures for operators.
type Stats struct {
	Hits, Misses uint64 // of questions that could be answered from what is kept, and could not
	Bytes        int    // kept now
}

// Stats returns the present figures.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	stats := c.stats
	stats.Bytes = c.bytes
	return stats
}

type entry struct {
	answer []byte
	since  time.Time
}

// NewCache returns a cache that holds at most so many bytes. timeout bounds the loading of an
// answer that several wait for.
func NewCache(signal *Signal, bytes int, timeout time.Duration) *Cache {
	c := &Cache{signal: signal, most: bytes, flight: flight[[]byte]{timeout: timeout}}
	kept, err := simplelru.NewLRU(math.MaxInt, func(_ Key, e entry) { c.bytes -= e.size() })
	if err != nil {
		panic(err) // only for a size below 1
	}
	c.kept = kept
	return c
}

func (e entry) size() int { return len(e.answer) + entryBytes }

// Answer returns the kept answer to a question, or the one that load makes. Equal questions at the
// same time are loaded once. Nothing is kept or shared while the signal is silent. The answer must
// not be changed. The error is load's, or the context's.
func (c *Cache) Answer(ctx context.Context, key Key, load func(context.Context) ([]byte, error)) ([]byte, error) {
	mark, alive := c.signal.Mark() // before loading: what changes meanwhile makes the answer old at once
	if !alive || c.most <= 0 {
		return load(ctx)
	}
	if answer, ok := c.get(key, mark); ok {
		return answer, nil
	}
	return c.flight.do(ctx, fmt.Sprintf("%x %d", key, mark), func(ctx context.Context) ([]byte, error) {
		answer, err := load(ctx)
		if err == nil {
			c.put(key, mark, answer)
		}
		return answer, err
	})
}

func (c *Cache) get(key Key, mark uint64) (answer []byte, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, found := c.kept.Get(key); found && mark == c.mark && time.Since(e.since) <= oldest {
		c.stats.Hits++
		return e.answer, true
	}
	c.stats.Misses++
	return nil, false
}

// put keeps an answer. With the first of a new mark, all older ones go: they can never be asked for
// again.
func (c *Cache) put(key Key, mark uint64, answer []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := entry{answer: answer, since: time.Now()}
	if mark < c.mark || e.size() > c.most {
		return
	}
	if mark > c.mark {
		c.kept.Purge()
		c.mark = mark
	}
	c.kept.Remove(key)
	c.kept.Add(key, e)
	for c.bytes += e.size(); c.bytes > c.most; {
		c.kept.RemoveOldest()
	}
}
