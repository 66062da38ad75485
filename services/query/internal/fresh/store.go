package fresh

import (
	"math"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Packable is an answer that can be made smaller without being lost. What it is asked for then, it
// makes again.
type Packable interface {
	Kept
	Pack()
	// OnResize sets what is called when the answer takes more memory than before. It is called
	// before the answer is used concurrently.
	OnResize(fn func())
}

// store holds entries in three parts, so that those who ask for everything once cannot drive out
// what is asked for often: what was asked for once goes first, and what was asked for again is
// packed before it goes. In each part, what was not asked for longest comes first.
type store struct {
	most                int // bytes
	bytes               int
	once, again, packed *part
}

// part is one of the parts with the bytes of its entries.
type part struct {
	*simplelru.LRU[Key, *entry]
	bytes int
}

func newStore(most int) *store {
	s := &store{most: most}
	s.once, s.again, s.packed = s.newPart(), s.newPart(), s.newPart()
	return s
}

func (s *store) newPart() *part {
	p := &part{}
	lru, err := simplelru.NewLRU(math.MaxInt, func(_ Key, e *entry) {
		p.bytes -= e.bytes
		s.bytes -= e.bytes
		e.in = nil
	})
	if err != nil {
		panic(err) // only for a size below 1
	}
	p.LRU = lru
	return p
}

// put moves an entry into a part, as the one asked for last.
func (s *store) put(p *part, e *entry) {
	if e.in != nil {
		e.in.Remove(e.key)
	}
	e.in = p
	p.Add(e.key, e)
	p.bytes += e.bytes
	s.bytes += e.bytes
}

// add keeps an entry in the place of the one with its key.
func (s *store) add(e *entry) {
	p := s.once
	if old := s.peek(e.key); old != nil {
		p = old.in
		old.in.Remove(old.key)
	}
	e.bytes = e.size()
	s.put(p, e)
}

// get returns an entry that is asked for, or nil.
func (s *store) get(key Key) *entry {
	if e, found := s.again.Get(key); found {
		return e
	}
	e := s.peek(key)
	if e != nil {
		s.put(s.again, e)
	}
	return e
}

// peek returns an entry, or nil.
func (s *store) peek(key Key) *entry {
	for _, p := range []*part{s.again, s.once, s.packed} {
		if e, found := p.Peek(key); found {
			return e
		}
	}
	return nil
}

func (s *store) remove(e *entry) { e.in.Remove(e.key) }

// recount counts the bytes of an entry anew.
func (s *store) recount(e *entry) {
	if e.in == nil {
		return
	}
	by := e.size() - e.bytes
	e.bytes += by
	e.in.bytes += by
	s.bytes += by
}

// overflow takes an entry out of those that are too many: one to be packed, or one that is dropped.
// It returns nil when none is.
func (s *store) overflow() (pack, dropped *entry) {
	switch {
	case s.bytes <= s.most:
		return nil, nil
	case s.once.Len() > 0 && (s.once.bytes > s.most/8 || s.again.Len()+s.packed.Len() == 0):
		_, dropped, _ = s.once.RemoveOldest()
	case s.again.Len() > 0 && (s.again.bytes > s.most/2 || s.packed.Len() == 0):
		_, pack, _ = s.again.GetOldest()
		s.put(s.packed, pack)
	default:
		_, dropped, _ = s.packed.RemoveOldest()
	}
	return pack, dropped
}

// Len returns how many entries there are.
func (s *store) Len() int { return s.once.Len() + s.again.Len() + s.packed.Len() }

// each calls fn with every entry.
func (s *store) each(fn func(*entry)) {
	for _, p := range []*part{s.once, s.again, s.packed} {
		for _, e := range p.Values() {
			fn(e)
		}
	}
}

func (s *store) purge() {
	for _, p := range []*part{s.once, s.again, s.packed} {
		p.Purge()
	}
}
