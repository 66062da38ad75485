package stream_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/stream/streamtest"
	"litfass/pkg/contracts/change"
)

// heard is a call of a follower of keys.
type heard struct {
	mu       sync.Mutex
	replaced int
	keys     map[string]change.Key
}

// Replace implements stream.KeyListener.
func (h *heard) Replace(keys []change.Key) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.replaced++
	h.keys = map[string]change.Key{}
	for _, key := range keys {
		h.keys[key.Hash] = key
	}
}

// Change implements stream.KeyListener.
func (h *heard) Change(key change.Key) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.keys[key.Hash] = key
}

// String lists the tiers by the last digit of the hash.
func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	text := fmt.Sprintf("replaced %d:", h.replaced)
	for digit := range 10 {
		if key, known := h.keys[keyHash(digit)]; known {
			text += fmt.Sprintf(" %d=%s", digit, key.Tier)
		}
	}
	return text
}

func keyHash(digit int) string { return strings.Repeat("0", 63) + fmt.Sprint(digit) }

func key(digit int, revision int64, tier string) change.Key {
	return change.Key{Hash: keyHash(digit), Revision: revision, Tier: tier}
}

// follow reports the stream's keys until the test ends.
func follow(t *testing.T, s *stream.Stream) *heard {
	t.Helper()
	h := &heard{}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	running.Go(func() { _ = s.FollowKeys(ctx, h) })
	t.Cleanup(func() { stop(); running.Wait() })
	return h
}

func (h *heard) until(t *testing.T, want string) {
	t.Helper()
	for deadline := time.Now().Add(streamtest.Patience); h.String() != want; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("heard %q, want %q", h, want)
		}
	}
}

// untilTier waits until a key has a tier, however often all of them were replaced.
func (h *heard) untilTier(t *testing.T, digit int, tier string) {
	t.Helper()
	for deadline := time.Now().Add(streamtest.Patience); ; time.Sleep(5 * time.Millisecond) {
		h.mu.Lock()
		held := h.keys[keyHash(digit)].Tier
		h.mu.Unlock()
		if held == tier {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("heard %q, want %d=%s", h, digit, tier)
		}
	}
}

func publishKeys(t *testing.T, s *stream.Stream, keys ...change.Key) {
	t.Helper()
	if err := s.PublishKeys(t.Context(), keys); err != nil {
		t.Fatal(err)
	}
}

// TestFollowKeys: a follower that began before there was a stream, and one that began later, hear
// of the same keys.
func TestFollowKeys(t *testing.T) {
	t.Parallel()
	s := streamtest.Open(t, streamtest.Config(t))
	early := follow(t, s)
	early.until(t, "replaced 0:")
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	early.until(t, "replaced 1:")
	publishKeys(t, s, key(1, 1, "standard"), key(2, 1, "partner"), key(3, 1, "standard"))
	early.until(t, "replaced 1: 1=standard 2=partner 3=standard")
	publishKeys(t, s, key(3, 2, ""), key(1, 2, "partner"))
	early.until(t, "replaced 1: 1=partner 2=partner 3=")
	late := follow(t, s)
	late.until(t, "replaced 1: 1=partner 2=partner")
}

// TestOlderKeys: a late publisher does not overwrite a newer key, and an equal key is not written
// again.
func TestOlderKeys(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	s := streamtest.Open(t, config)
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	publishKeys(t, s, key(1, 5, ""), key(2, 5, "standard"))
	publishKeys(t, s, key(1, 4, "partner"), key(2, 9, "standard"))
	keys, greatest, err := s.Keys(t.Context())
	if err != nil || len(keys) != 1 || keys[keyHash(2)].Revision != 5 || greatest != 5 {
		t.Errorf("got %v, revision %d, %v", keys, greatest, err)
	}
	end := time.Now()
	ending := key(2, 10, "standard")
	ending.ExpiresAt = &end
	publishKeys(t, s, ending)
	if last, err := s.LastRevision(t.Context()); last != 10 || err != nil {
		t.Errorf("the last revision is %d, %v", last, err)
	}
	if keys, greatest, err = s.Keys(t.Context()); err != nil || greatest != 10 || !keys[keyHash(2)].Same(ending) {
		t.Errorf("got %v, revision %d, %v", keys, greatest, err)
	}
}

// TestStrangeKeys: messages that are no keys are skipped, and replaced by keys.
func TestStrangeKeys(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	s := streamtest.Open(t, config)
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	js := streamtest.JetStream(t, config.URL)
	other, err := key(2, 7, "partner").Encode()
	if err != nil {
		t.Fatal(err)
	}
	for subject, data := range map[string]string{
		keyHash(1): "{", keyHash(3): string(other), "x": string(other), keyHash(4): `{"hash":"0a","revision":1,"tier":"partner"}`,
	} {
		if _, err := js.Publish(t.Context(), s.Prefix()+"-keys."+subject, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	h := follow(t, s)
	h.until(t, "replaced 1:")
	if keys, greatest, err := s.Keys(t.Context()); err != nil || len(keys) != 0 || greatest != 0 {
		t.Errorf("got %v, revision %d, %v", keys, greatest, err)
	}
	publishKeys(t, s, key(1, 1, "standard"), key(3, 1, "standard"))
	h.until(t, "replaced 1: 1=standard 3=standard")
}

// TestKeysOfAnotherStream: keys of a stream that was deleted and made again are heard of.
func TestKeysOfAnotherStream(t *testing.T) {
	t.Parallel()
	config := streamtest.Config(t)
	s := streamtest.Open(t, config)
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	publishKeys(t, s, key(1, 1, "standard"), key(2, 1, "standard"))
	h := follow(t, s)
	h.until(t, "replaced 1: 1=standard 2=standard")
	if err := streamtest.JetStream(t, config.URL).DeleteStream(t.Context(), config.Name+"_KEYS"); err != nil {
		t.Fatal(err)
	}
	if err := s.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	publishKeys(t, s, key(2, 3, "partner"))
	h.until(t, "replaced 2: 2=partner")
}
