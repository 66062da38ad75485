package limit

import (
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// maxCounts bounds the counts in memory, which take at most 1.3 kB each. The least recently used
// one is evicted.
const maxCounts = 25_000

// memory holds the counts of this process.
type memory struct {
	now    func() time.Time
	start  time.Time
	counts *lru.Cache[string, *counter]
}

// counter is a count in memory.
type counter struct {
	sync.Mutex
	usage
}

func newMemory(now func() time.Time) (*memory, error) {
	counts, err := lru.New[string, *counter](maxCounts)
	return &memory{now: now, start: now(), counts: counts}, err
}

// take counts a request.
func (m *memory) take(key string, r rule) verdict {
	count, known := m.counts.Get(key)
	if !known {
		count = &counter{}
		if other, found, _ := m.counts.PeekOrAdd(key, count); found {
			count = other
		}
	}
	count.Lock()
	defer count.Unlock()
	return count.take(r, int64(m.now().Sub(m.start))) // the difference ignores changes of the clock
}
