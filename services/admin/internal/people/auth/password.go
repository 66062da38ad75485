package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/argon2"
	"golang.org/x/sync/semaphore"
	"golang.org/x/text/unicode/norm"

	"litfass/pkg/chassis/fault"
)

// Params are the cost of one password hash.
type Params struct {
	Memory  uint32 // KiB
	Time    uint32 // passes over the memory
	Threads uint8
}

// DefaultParams are the minimum of OWASP's password storage guide for argon2id: about 30 ms of one
// core.
var DefaultParams = Params{Memory: 19 * 1024, Time: 2, Threads: 1}

const (
	saltLength = 16
	hashLength = 32
)

// hashBusy is the Retry-After of requests that are refused because too many passwords wait to be
// hashed.
const hashBusy = 5 * time.Second

// Hasher hashes passwords with argon2id and verifies them. It limits the number of concurrent
// hashes: each needs Params.Memory, and more of them than cores would not be faster. The others
// wait, for as long as their context and the hasher allow.
type Hasher struct {
	params  Params
	running *semaphore.Weighted
	wait    time.Duration
	unknown string // verified in place of a missing hash
	hashes  atomic.Int64
}

// NewHasher returns a hasher that computes at most parallel hashes at once; a password waits at
// most wait.
func NewHasher(params Params, parallel int, wait time.Duration) *Hasher {
	h := &Hasher{params: params, running: semaphore.NewWeighted(int64(parallel)), wait: wait}
	h.unknown = h.encode(randomBytes(saltLength), randomBytes(hashLength))
	return h
}

// Hash returns the password's hash as a PHC string. The only error is an Unavailable fault, after
// waiting too long.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	salt := randomBytes(saltLength)
	sum, err := h.compute(ctx, h.params, salt, password)
	if err != nil {
		return "", err
	}
	return h.encode(salt, sum), nil
}

// Verify reports whether the password is the one that was hashed. An empty encoded hash stands for
// an account that does not exist: it costs exactly as much and never matches. The error is an
// Unavailable fault after waiting too long.
func (h *Hasher) Verify(ctx context.Context, encoded, password string) (bool, error) {
	known := encoded != ""
	if !known {
		encoded = h.unknown
	}
	params, salt, want, err := decode(encoded)
	if err != nil {
		return false, err
	}
	got, err := h.compute(ctx, params, salt, password)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(got, want) == 1 && known, nil
}

// Outdated reports whether a stored hash has other parameters than a new one.
func (h *Hasher) Outdated(encoded string) bool {
	params, _, _, err := decode(encoded)
	return err != nil || params != h.params
}

// Hashes returns the number of hashes computed so far.
func (h *Hasher) Hashes() int64 { return h.hashes.Load() }

func (h *Hasher) compute(ctx context.Context, params Params, salt []byte, password string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, h.wait)
	defer cancel()
	if err := h.running.Acquire(ctx, 1); err != nil {
		busy := fault.Wrap(err, fault.Unavailable, "busy", "too many people are logging in; try again in a moment")
		busy.RetryAfter = hashBusy
		return nil, busy
	}
	defer h.running.Release(1)
	h.hashes.Add(1)
	return argon2.IDKey([]byte(normalize(password)), salt, params.Time, params.Memory, params.Threads, hashLength), nil
}

// normalize unifies text that systems encode differently, such as a precomposed é and an e with a
// combining accent.
func normalize(password string) string { return norm.NFKC.String(password) }

// The PHC string format: $argon2id$v=19$m=19456,t=2,p=1$salt$hash, both in base64 without padding.
const phcFormat = "$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s"

func (h *Hasher) encode(salt, sum []byte) string {
	base64 := base64.RawStdEncoding
	return fmt.Sprintf(phcFormat, argon2.Version, h.params.Memory, h.params.Time, h.params.Threads,
		base64.EncodeToString(salt), base64.EncodeToString(sum))
}

func decode(encoded string) (params Params, salt, sum []byte, err error) {
	parts := strings.Split(encoded, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return params, nil, nil, fmt.Errorf("stored password hash is not argon2id")
	}
	var version int
	if _, err = fmt.Sscanf(parts[2], "v=%d", &version); err != nil || version != argon2.Version {
		return params, nil, nil, fmt.Errorf("stored password hash has an unknown version")
	}
	if _, err = fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &params.Memory, &params.Time, &params.Threads); err != nil {
		return params, nil, nil, fmt.Errorf("parameters of stored password hash: %w", err)
	}
	if salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil {
		return params, nil, nil, fmt.Errorf("salt of stored password hash: %w", err)
	}
	if sum, err = base64.RawStdEncoding.DecodeString(parts[5]); err != nil || len(sum) != hashLength {
		return params, nil, nil, fmt.Errorf("stored password hash is damaged")
	}
	if params.Time == 0 || params.Threads == 0 || params.Memory > math.MaxUint32/2 {
		return params, nil, nil, fmt.Errorf("stored password hash has impossible parameters")
	}
	return params, salt, sum, nil
}

// randomBytes returns n cryptographically random bytes. crypto/rand never returns an error: it ends
// the process instead.
func randomBytes(n int) []byte {
	bytes := make([]byte, n)
	_, _ = rand.Read(bytes)
	return bytes
}
