package fresh

import (
	"maps"

	"litfass/services/query/internal/delta"
)

// Stats are figures of a cache for operators.
type Stats struct {
	Kinds    map[string]Answers      // by operation
	Dropped  map[delta.Reason]uint64 // answers, by why
	Adjusted uint64                  // answers that a batch altered and that were kept
	Packed   uint64                  // times that an answer was made smaller to make room
	Compared uint64                  // pairs of an answer and a date that a batch altered
	Bytes    int                     // kept now
	Entries  int                     // kept now
}

// Answers are questions that could be answered from what is kept, and that could not.
type Answers struct{ Hits, Misses uint64 }

func (s *Stats) hit(kind string) {
	a := s.Kinds[kind]
	a.Hits++
	s.Kinds[kind] = a
}

func (s *Stats) miss(kind string) {
	a := s.Kinds[kind]
	a.Misses++
	s.Kinds[kind] = a
}

// Stats returns the present figures.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	stats := c.stats
	stats.Kinds, stats.Dropped = maps.Clone(c.stats.Kinds), maps.Clone(c.stats.Dropped)
	stats.Bytes, stats.Entries = c.kept.bytes, c.kept.Len()
	return stats
}
