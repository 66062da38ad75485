// Package keys knows the API keys that raise a client's limits, from the stream.
//
// Public operations need no key, so none is refused: requests with an unknown, malformed, revoked
// or expired key count for their address. So a website whose key was revoked stays up within the
// usual limits, a service that does not know a new key yet refuses no request, and guessing keys
// gains nothing.
package keys

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/contracts/change"
)

// Known are the keys that are of use. It is a stream.KeyListener, and safe for concurrent use.
type Known struct {
	now func() time.Time

	mu   sync.RWMutex
	keys map[hash]entry
}

type hash [sha256.Size]byte

type entry struct {
	client limit.Client
	ends   time.Time // zero: never
}

// New returns an empty list. now decides whether the end of a key has come.
func New(now func() time.Time) *Known { return &Known{now: now, keys: map[hash]entry{}} }

// Client returns whom a request with this text as its key counts for; ok is false when it counts
// as one without a key.
func (k *Known) Client(text string) (client limit.Client, ok bool) {
	digest, ok := change.HashKey(text)
	if !ok {
		return client, false
	}
	k.mu.RLock()
	found, ok := k.keys[digest]
	k.mu.RUnlock()
	if !ok || !found.ends.IsZero() && !k.now().Before(found.ends) {
		return client, false
	}
	return found.client, true
}

// Count returns the number of known keys, including expired ones.
func (k *Known) Count() int {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return len(k.keys)
}

// Replace makes these all that are known.
func (k *Known) Replace(keys []change.Key) {
	all := make(map[hash]entry, len(keys))
	for _, key := range keys {
		put(all, key)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.keys = all
}

// Change replaces, adds or removes one.
func (k *Known) Change(key change.Key) {
	k.mu.Lock()
	defer k.mu.Unlock()
	put(k.keys, key)
}

// idLength is the number of hash digits that name a key without an owner in counts.
const idLength = 32

func put(keys map[hash]entry, key change.Key) {
	var digest hash
	if n, err := hex.Decode(digest[:], []byte(key.Hash)); err != nil || n != len(digest) {
		return // change.DecodeKey lets none through
	}
	if key.Gone() {
		delete(keys, digest)
		return
	}
	owner := key.Owner
	if owner == "" {
		owner = key.Hash[:idLength]
	}
	made := entry{client: limit.Key(owner, key.Tier)}
	if key.ExpiresAt != nil {
		made.ends = *key.ExpiresAt
	}
	keys[digest] = made
}
