package cache

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/applied"
)

// page is a cached answer with a payload that compresses.
type page struct {
	name    string
	payload encoded.Payload
}

func newPage(name string, bytes int) *page {
	var text []byte
	for len(text) < bytes {
		text = fmt.Appendf(text, "%s %d ", name, len(text))
	}
	return &page{name: name, payload: encoded.NewPayload(text)}
}

func (p *page) Size() int           { return p.payload.Size() }
func (p *page) Pack()               { p.payload.Pack() }
func (p *page) OnResize(fn func())  { p.payload.OnResize(fn) }
func (p *page) compared(*Batch) int { return 0 }

func (p *page) Apply(*Batch) (Answer, Reason) { return p, "" }

// stillCache returns a cache with a signal that is heard for as long as the test takes.
func stillCache(size int) *Cache {
	moment := time.Now()
	s := NewSignal(func() time.Time { return moment })
	c := New(s, size, time.Minute)
	s.Hear(applied.Signal{Sequence: 1})
	return c
}

// wantPage gets a page and reads it in an encoding. loaded is true if it was not cached.
func wantPage(t *testing.T, c *Cache, number, size int, e encoded.Encoding) (loaded bool) {
	t.Helper()
	name := fmt.Sprintf("page %d", number)
	key := Key{byte(number), byte(number >> 8), byte(number >> 16)}
	cached, err := Get(t.Context(), c, "test", key, func(context.Context) (*page, error) {
		loaded = true
		return newPage(name, size), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	body := cached.payload.Body(e, nil)
	data, err := io.ReadAll(body)
	if err != nil || (body.Encoding() == encoded.Identity && !bytes.HasPrefix(data, []byte(name))) {
		t.Errorf("%s: %.20s, %v", name, data, err)
	}
	_ = body.Close()
	return loaded
}

// wantCounted checks that the cache counts the bytes of all forms of all answers, within the bound.
func wantCounted(t *testing.T, c *Cache) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	total := 0
	for key := range c.entries.answers() {
		total += c.entries.peek(key).size()
	}
	if parts := c.entries.probation.bytes + c.entries.popular.bytes + c.entries.packed.bytes; total != c.entries.bytes || total != parts || total > c.entries.maxBytes {
		t.Errorf("%d bytes in %d answers, counted %d, in parts %d, at most %d", total, c.entries.len(), c.entries.bytes, parts, c.entries.maxBytes)
	}
}

// TestWhatIsAskedForOnceDrivesNothingOut: an endless stream of other questions does not evict
// popular ones.
func TestWhatIsAskedForOnceDrivesNothingOut(t *testing.T) {
	c := stillCache(1 << 20)
	const hot, size = 20, 20_000
	for number := range hot {
		wantPage(t, c, number, size, encoded.Identity)
		wantPage(t, c, number, size, encoded.Gzip)
	}
	for number := range 200 {
		wantPage(t, c, 1000+number, size, encoded.Zstd)
	}
	wantCounted(t, c)
	for number := range hot {
		if wantPage(t, c, number, size, encoded.Identity) {
			t.Errorf("page %d was driven out", number)
		}
	}
}

// TestMorePagesFitPacked: popular pages are reduced to their smallest form before they are evicted.
func TestMorePagesFitPacked(t *testing.T) {
	c := stillCache(1 << 20)
	const size, plain = 20_000, (1 << 20) / 20_000
	for number := range 2 * plain {
		wantPage(t, c, number, size, encoded.Identity)
		wantPage(t, c, number, size, encoded.Identity)
	}
	loaded := 0
	for number := range 2 * plain {
		if wantPage(t, c, number, size, encoded.Gzip) {
			loaded++
		}
	}
	wantCounted(t, c)
	if stats := c.Stats(); loaded > 0 || stats.Packed < plain {
		t.Errorf("%d of %d pages were loaded again, %d packed", loaded, 2*plain, stats.Packed)
	}
}

// TestTheBytesAreThoseOfAllForms, also with concurrent requests.
func TestTheBytesAreThoseOfAllForms(t *testing.T) {
	c := stillCache(400_000)
	var clients sync.WaitGroup
	for client := range uint64(4) {
		clients.Go(func() {
			random := rand.New(rand.NewPCG(client, 1))
			for range 150 {
				number := int(random.ExpFloat64() * 20)
				wantPage(t, c, number, 1000+997*(number%30), encoded.Encoding(random.IntN(3)))
			}
		})
	}
	clients.Wait()
	wantCounted(t, c)
	if c.entries.len() == 0 {
		t.Error("nothing is cached")
	}
	c.mu.Lock()
	c.entries.purge()
	c.mu.Unlock()
	wantCounted(t, c)
}
