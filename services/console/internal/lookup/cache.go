package lookup

import (
	"sync"
	"time"
)

const (
	// lifetime is how long a value set is cached: it changes with a release of Litfass, and
	// labels when an operator edits them.
	lifetime = 5 * time.Minute
	// pause is between attempts to read a value set while the public API does not answer.
	pause = 15 * time.Second
)

// Cache has the value sets of each language. The zero value is empty. It is safe for concurrent
// use.
type Cache struct {
	mu      sync.Mutex
	entries map[string]*entry
}

// entry is a cached value set, or the error of the last attempt to read it.
type entry struct {
	mu    sync.Mutex
	value any // nil before the first success
	err   error
	next  time.Time // when it is read again
}

// cached returns a value from the cache of r, which reads it when it is due. With an error, the
// value is that of an earlier read, or zero.
func cached[T any](r Reader, key string, read func() (T, error)) (T, error) {
	e := r.Cache.entry(r.Language + " " + key)
	e.mu.Lock()
	defer e.mu.Unlock()
	if !r.Now.Before(e.next) {
		value, err := read()
		e.err, e.next = err, r.Now.Add(pause)
		if err == nil {
			e.value, e.next = value, r.Now.Add(lifetime)
		}
	}
	value, _ := e.value.(T)
	return value, e.err
}

func (c *Cache) entry(key string) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		c.entries = map[string]*entry{}
	}
	if c.entries[key] == nil {
		c.entries[key] = &entry{}
	}
	return c.entries[key]
}
