package cache

import "maps"

// Stats are figures of a cache for operators.
type Stats struct {
	Kinds    map[string]Lookups // by operation
	Dropped  map[Reason]uint64  // answers invalidated or evicted
	Patched  uint64             // answers patched by a batch
	Packed   uint64             // answers reduced to their smallest encoding to make room
	Compared uint64             // pairs of a cached answer and a change
	Bytes    int                // cached now
	Entries  int                // cached now
}

// Lookups counts questions that were and were not answered from the cache.
type Lookups struct{ Hits, Misses uint64 }

// countLookup counts a question of a kind.
func (s *Stats) countLookup(kind string, hit bool) {
	l := s.Kinds[kind]
	if hit {
		l.Hits++
	} else {
		l.Misses++
	}
	s.Kinds[kind] = l
}

// Stats returns the present figures.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	stats := c.stats
	stats.Kinds, stats.Dropped = maps.Clone(c.stats.Kinds), maps.Clone(c.stats.Dropped)
	stats.Bytes, stats.Entries = c.entries.bytes, c.entries.len()
	return stats
}
