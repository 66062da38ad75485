package limit

import (
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// mostCounts is how many counts are held in memory, 1.3 kB each at most. The one that was used
// least recently goes first, so that endless addresses forget each other.
const mostCounts = 25_000

// memory are counts in this process.
type memory struct {
	now    func() time.Time
	start  time.Time
	counts *lru.Cache[string, *held]
}

// held is a count in memory.
type held struct {
	sync.Mutex
	spent
}

func newMemory(now func() time.Time) (*memory, error) {
	counts, err := lru.New[string, *held](mostCounts)
	return &memory{now: now, start: now(), counts: counts}, err
}

// take counts a request.
func (m *memory) take(key string, r rule) verdict {
	count, known := m.counts.Get(key)
	if !known {
		count = &held{}
		if other, found, _ := m.counts.PeekOrAdd(key, count); found {
			count = other
		}
	}
	count.Lock()
	defer count.Unlock()
	return count.take(r, int64(m.now().Sub(m.start))) // the difference ignores that clocks are set
}
