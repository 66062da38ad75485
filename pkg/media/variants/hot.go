package variants

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

const (
	hotMost     = 128 << 10 // of one; larger ones are passed on from the store
	hotOverhead = 512       // of one, besides its bytes, about
)

// hot caches the bytes of recently requested small variants, bounded in bytes. The content of a key
// never changes, so nothing becomes stale. It is safe for concurrent use.
type hot struct {
	mu    sync.Mutex
	limit int
	bytes int
	cache *simplelru.LRU[string, []byte]
}

func newHot(limit int) *hot {
	h := &hot{limit: limit}
	cache, err := simplelru.NewLRU(math.MaxInt, func(_ string, data []byte) { h.bytes -= len(data) + hotOverhead })
	if err != nil {
		panic(err) // only for a size below 1
	}
	h.cache = cache
	return h
}

// takes reports whether a variant of so many bytes is kept.
func (h *hot) takes(size int64) bool { return h.limit > 0 && size <= hotMost }

func (h *hot) get(key string) (data []byte, found bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.cache.Get(key)
}

func (h *hot) put(key string, data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cache.Remove(key)
	h.cache.Add(key, data)
	for h.bytes += len(data) + hotOverhead; h.bytes > h.limit; {
		h.cache.RemoveOldest()
	}
}
