package litfass

import (
	"context"
	"iter"
	"maps"
	"sync"
)

// Memory is a Store in memory. It is safe for concurrent use, and its zero value is empty.
type Memory struct {
	mu       sync.Mutex
	entries  map[string]Change
	position string
}

// Entries returns a copy of what is stored, by uuid.
func (m *Memory) Entries() map[string]Change {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.entries)
}

// Position implements Store.
func (m *Memory) Position(context.Context) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.position, nil
}

// Replace implements Store.
func (m *Memory) Replace(_ context.Context, entries iter.Seq2[Change, error], position string) error {
	all := map[string]Change{}
	for entry, err := range entries {
		if err != nil {
			return err
		}
		all[entry.UUID] = entry
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries, m.position = all, position
	return nil
}

// Apply implements Store.
func (m *Memory) Apply(_ context.Context, changes []Change, position string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, change := range changes {
		if change.Change == Left {
			delete(m.entries, change.UUID)
		} else {
			m.entries[change.UUID] = change
		}
	}
	m.position = position
	return nil
}
