package change

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// KindKey is the outbox's name for API keys. They are not entities of the catalogue: they travel on
// a stream of their own, only to query services.
const KindKey Kind = "apikey"

// KeyMark is the beginning of every API key: it distinguishes a key from an access token, and lets
// scanners find keys that leak.
const KeyMark = "lfk_"

// longestKey is longer than any key.
const longestKey = 128

// Key is an API key as query services know it: enough to recognise it, to choose its limits and to
// count it together with others, but not to whom it belongs. A key without a tier is no longer
// valid.
type Key struct {
	Hash      string     `json:"hash"`            // SHA-256 of its text, 64 hexadecimal digits
	Revision  int64      `json:"revision"`        // as that of a Change
	Owner     string     `json:"owner,omitempty"` // see KeyOwner; "" from earlier versions
	Tier      string     `json:"tier,omitempty"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"` // nil: never
}

// Gone reports whether the key is of no use: revoked, deleted, or made by someone who lost access.
func (k Key) Gone() bool { return k.Tier == "" }

// Same reports whether both say the same of the same key, at any revision.
func (k Key) Same(other Key) bool {
	ends := k.ExpiresAt == other.ExpiresAt ||
		k.ExpiresAt != nil && other.ExpiresAt != nil && k.ExpiresAt.Equal(*other.ExpiresAt)
	return k.Hash == other.Hash && k.Owner == other.Owner && k.Tier == other.Tier && ends
}

// Encode returns the key's bytes on the stream.
func (k Key) Encode() ([]byte, error) { return json.Marshal(k) }

// DecodeKey reads a key and checks its hash and revision.
func DecodeKey(data []byte) (Key, error) {
	var k Key
	if err := json.Unmarshal(data, &k); err != nil {
		return k, fmt.Errorf("key is not valid JSON: %w", err)
	}
	if hash, err := hex.DecodeString(k.Hash); err != nil || len(hash) != sha256.Size || k.Revision <= 0 {
		return k, fmt.Errorf("key has the hash %.80q and the revision %d", k.Hash, k.Revision)
	}
	return k, nil
}

// KeyOwner returns the name under which the requests with all keys of a user are counted: 32
// hexadecimal digits that are the same for each of them, and nothing that the user is known by
// elsewhere.
func KeyOwner(userID int) string {
	digest := sha256.Sum256(fmt.Appendf(nil, "owner of API keys: %d", userID))
	return hex.EncodeToString(digest[:16])
}

// HashKey returns the hash of a text that may be an API key; ok is false for one that cannot be.
func HashKey(text string) (hash [sha256.Size]byte, ok bool) {
	if len(text) > longestKey || !strings.HasPrefix(text, KeyMark) {
		return hash, false
	}
	return sha256.Sum256([]byte(text)), true
}
