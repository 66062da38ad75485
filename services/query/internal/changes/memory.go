package changes

import (
	"container/list"
	"sync"
)

// memoryBytes bounds the changes in memory, approximately.
const memoryBytes = 32 << 20

// memory holds the changes that were read last, each with the documents that were made of it: all
// who read the same stretch share them. It is safe for concurrent use.
type memory struct {
	limit int

	mu    sync.Mutex
	of    string // identity of the stream
	bytes int
	order list.List // of *held, the one that was read last first
	at    map[uint64]*list.Element
}

type held struct {
	change *published
	size   int // that is part of bytes
}

// get returns the change at a sequence; nil if it is not in memory.
func (m *memory) get(identity string, sequence uint64) *published {
	m.mu.Lock()
	defer m.mu.Unlock()
	element := m.at[sequence]
	if element == nil || m.of != identity {
		return nil
	}
	m.order.MoveToFront(element)
	return element.Value.(*held).change
}

// add adds changes, and returns them with those that others have added meanwhile in their places.
func (m *memory) add(identity string, changes []*published) []*published {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of != identity {
		m.of, m.bytes, m.at = identity, 0, map[uint64]*list.Element{}
		m.order.Init()
	}
	for i, one := range changes {
		if element := m.at[one.sequence]; element != nil {
			changes[i] = element.Value.(*held).change
			continue
		}
		h := &held{one, one.size()}
		m.at[one.sequence] = m.order.PushFront(h)
		m.bytes += h.size
	}
	m.drop()
	return changes
}

// resize notes that documents were made of a change.
func (m *memory) resize(one *published) {
	m.mu.Lock()
	defer m.mu.Unlock()
	element := m.at[one.sequence]
	if element == nil || element.Value.(*held).change != one {
		return
	}
	h := element.Value.(*held)
	size := one.size()
	m.bytes += size - h.size
	h.size = size
	m.drop()
}

func (m *memory) drop() {
	for m.bytes > m.limit && m.order.Len() > 1 {
		h := m.order.Remove(m.order.Back()).(*held)
		m.bytes -= h.size
		delete(m.at, h.change.sequence)
	}
}
