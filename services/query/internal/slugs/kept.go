package slugs

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// maxKept is the memory in bytes of the entities that a store keeps.
const maxKept = 8 << 20

// keyOf names the state of an entity.
type keyOf struct {
	uuid     string
	revision int64
}

// kept are the entities that were asked for last, bounded in bytes.
type kept[E any] struct {
	mu    sync.Mutex
	lru   *simplelru.LRU[keyOf, sized[E]]
	bytes int
}

type sized[E any] struct {
	one  *E
	size int
}

func newKept[E any]() *kept[E] {
	k := &kept[E]{}
	const most = 1 << 16 // the bytes bound it before
	lru, err := simplelru.NewLRU(most, func(_ keyOf, gone sized[E]) { k.bytes -= gone.size })
	if err != nil {
		panic(err) // only for a size below 1
	}
	k.lru = lru
	return k
}

// get returns a kept entity, nil if it is not there.
func (k *kept[E]) get(key keyOf) *E {
	k.mu.Lock()
	defer k.mu.Unlock()
	found, _ := k.lru.Get(key)
	return found.one
}

// add keeps an entity, and forgets those that were asked for longest ago until it fits.
func (k *kept[E]) add(key keyOf, one *E, size int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if size > maxKept || k.lru.Contains(key) {
		return
	}
	for k.bytes+size > maxKept {
		k.lru.RemoveOldest()
	}
	k.bytes += size
	k.lru.Add(key, sized[E]{one, size})
}
