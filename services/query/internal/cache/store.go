package cache

import (
	"math"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// entry is a cached answer.
type entry struct {
	kind   string
	key    Key
	answer Answer
	since  time.Time

	segment *segment // nil: not in the store
	bytes   int      // as they were counted
}

// entryBytes is the cost of an entry besides the size of its answer, approximately.
const entryBytes = 256

func (e *entry) size() int { return e.answer.Size() + entryBytes }

// store is a segmented LRU of entries, so that a scan of many questions cannot evict the popular
// ones: entries used once are evicted first, and popular ones are packed before they are evicted.
type store struct {
	maxBytes, bytes            int
	probation, popular, packed *segment
}

// segment is an LRU with the bytes of its entries.
type segment struct {
	*simplelru.LRU[Key, *entry]
	bytes int
}

func newStore(maxBytes int) *store {
	s := &store{maxBytes: maxBytes}
	s.probation, s.popular, s.packed = s.newSegment(), s.newSegment(), s.newSegment()
	return s
}

func (s *store) newSegment() *segment {
	g := &segment{}
	lru, err := simplelru.NewLRU(math.MaxInt, func(_ Key, e *entry) {
		g.bytes -= e.bytes
		s.bytes -= e.bytes
		e.segment = nil
	})
	if err != nil {
		panic(err) // only for a size below 1
	}
	g.LRU = lru
	return g
}

// move makes an entry the most recently used one of a segment.
func (s *store) move(g *segment, e *entry) {
	if e.segment != nil {
		e.segment.Remove(e.key)
	}
	e.segment = g
	g.Add(e.key, e)
	g.bytes += e.bytes
	s.bytes += e.bytes
}

// add stores an entry, in the segment of the one that it replaces.
func (s *store) add(e *entry) {
	g := s.probation
	if old := s.peek(e.key); old != nil {
		g = old.segment
		s.remove(old)
	}
	e.bytes = e.size()
	s.move(g, e)
}

// get returns an entry and marks it as used; nil if there is none.
func (s *store) get(key Key) *entry {
	if e, found := s.popular.Get(key); found {
		return e
	}
	e := s.peek(key)
	if e != nil {
		s.move(s.popular, e)
	}
	return e
}

// peek returns an entry, or nil.
func (s *store) peek(key Key) *entry {
	for _, g := range []*segment{s.popular, s.probation, s.packed} {
		if e, found := g.Peek(key); found {
			return e
		}
	}
	return nil
}

func (s *store) remove(e *entry) { e.segment.Remove(e.key) }

// recount updates the bytes of an entry whose answer changed its size.
func (s *store) recount(e *entry) {
	if e.segment == nil {
		return
	}
	grown := e.size() - e.bytes
	e.bytes += grown
	e.segment.bytes += grown
	s.bytes += grown
}

// overflow returns an entry to be packed or one that it evicted, or neither if the bytes are within
// their bound.
func (s *store) overflow() (pack, evicted *entry) {
	switch {
	case s.bytes <= s.maxBytes:
		return nil, nil
	case s.probation.Len() > 0 && (s.probation.bytes > s.maxBytes/8 || s.popular.Len()+s.packed.Len() == 0):
		_, evicted, _ = s.probation.RemoveOldest()
	case s.popular.Len() > 0 && (s.popular.bytes > s.maxBytes/2 || s.packed.Len() == 0):
		_, pack, _ = s.popular.GetOldest()
		s.move(s.packed, pack)
	default:
		_, evicted, _ = s.packed.RemoveOldest()
	}
	return pack, evicted
}

// len returns the number of entries.
func (s *store) len() int { return s.probation.Len() + s.popular.Len() + s.packed.Len() }

// answers returns all answers by key.
func (s *store) answers() map[Key]Answer {
	all := make(map[Key]Answer, s.len())
	for _, g := range []*segment{s.probation, s.popular, s.packed} {
		for _, e := range g.Values() {
			all[e.key] = e.answer
		}
	}
	return all
}

func (s *store) purge() {
	for _, g := range []*segment{s.probation, s.popular, s.packed} {
		g.Purge()
	}
}
