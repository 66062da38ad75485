// Package pagecache caches rendered pages until an answer of the public API that they were made
// from changes or expires.
//
// A cached page is validated by one conditional read: if that answer is unchanged, at the position
// of the page, nothing in the catalogue has changed. If only the position differs, the answers of
// the most recently used pages are validated, in one request. So no page is older than the position
// that is sent with it. Requests of the same moment share a validation, since its position is valid
// for all pages.
package pagecache

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"litfass/pkg/chassis/encoded"
	"litfass/services/site/internal/client"
)

// API validates answers.
type API interface {
	Do(ctx context.Context, target, tag string, position uint64) (client.Answer, error)
	// Validate validates many answers up to a position, and returns the position that was reached.
	Validate(ctx context.Context, reads []client.Read, position uint64) ([]client.Validated, uint64, error)
}

// Page is a rendered page with the reads it was made from. It is immutable.
type Page struct {
	Text     *encoded.Text
	Status   int
	Position uint64 // up to which it is complete; 0 if unknown
	Reads    []client.Read
	Partial  bool // a part of it could not be read: it is not cached
	NoIndex  bool // search engines leave it out
	Language string

	bytes int // its share of the cache
}

// Cache holds the most recently used pages. It is safe for concurrent use.
type Cache struct {
	api      API
	maxBytes int
	timeout  time.Duration
	now      func() time.Time
	flight   singleflight.Group // renderings
	sweeps   singleflight.Group
	metrics  metrics

	// trust is how long pages of a position are answered after it was found to be the current one.
	trust time.Duration

	mu         sync.Mutex
	bytes      int
	pages      *simplelru.LRU[string, *Page]
	validation *validation // in progress; nil for none
	current    uint64      // position that was current at the time seen
	seen       time.Time
}

// trust is that of a Cache: a small part of the time from an edit to its batch.
const trust = 2 * time.Millisecond

// validation is a conditional read that several requests wait for.
type validation struct {
	done     chan struct{} // closed once position is set
	position uint64        // of the answer; 0 without one
}

// New returns a cache of at most maxBytes. timeout limits the rendering of a page that several
// visitors wait for; now is the clock.
func New(api API, maxBytes int, timeout time.Duration, now func() time.Time) *Cache {
	c := &Cache{api: api, maxBytes: maxBytes, timeout: timeout, now: now, metrics: newMetrics(), trust: trust}
	pages, err := simplelru.NewLRU(math.MaxInt, func(_ string, page *Page) { c.bytes -= page.bytes })
	if err != nil {
		panic(err) // only for a size below 1
	}
	c.pages = pages
	return c
}

// Get returns the cached page of a key while it is valid, else renders it. Concurrent requests
// share a rendering. The page is complete up to position; 0 accepts any. The errors are render's.
func (c *Cache) Get(
	ctx context.Context, key string, position uint64, render func(context.Context) (*Page, error),
) (*Page, error) {
	if page := c.find(key); page != nil {
		if valid := c.validate(ctx, key, page, position); valid != nil {
			if valid != page {
				c.replace(key, page, valid)
			}
			c.metrics.hits.Inc()
			return valid, nil
		}
	}
	if position > 0 { // a rendering that is in progress may be older
		return c.render(ctx, key, render)
	}
	shared := func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.timeout)
		defer cancel()
		return c.render(ctx, key, render)
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-c.flight.DoChan(key, shared):
		if result.Err != nil {
			return nil, result.Err
		}
		return result.Val.(*Page), nil
	}
}

func (c *Cache) render(ctx context.Context, key string, render func(context.Context) (*Page, error)) (*Page, error) {
	page, err := render(ctx)
	if err != nil {
		return nil, err
	}
	c.metrics.renderings.Inc()
	page.Position = positionOf(page.Reads)
	if !page.Partial {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.put(key, page)
	}
	return page, nil
}

// Expires returns when an answer of a page may change with the clock; zero for never.
func (p *Page) Expires() (first time.Time) {
	for _, read := range p.Reads {
		if !read.Expires.IsZero() && (first.IsZero() || read.Expires.Before(first)) {
			first = read.Expires
		}
	}
	return first
}

// expired reports whether an answer of a page may have changed with the clock.
func (p *Page) expired(now time.Time) bool {
	expires := p.Expires()
	return !expires.IsZero() && !now.Before(expires)
}

// positionOf returns the position up to which all reads are complete.
func positionOf(reads []client.Read) uint64 {
	position := uint64(math.MaxUint64)
	for _, read := range reads {
		position = min(position, read.Position)
	}
	if position == math.MaxUint64 {
		return 0
	}
	return position
}

// validate returns a page with the position at which it is valid now, or nil if it is stale or the
// API does not answer.
func (c *Cache) validate(ctx context.Context, key string, page *Page, position uint64) *Page {
	if len(page.Reads) == 0 {
		return page
	}
	if page.expired(c.now()) {
		return c.validateAll(ctx, page, position)
	}
	if position == 0 && (c.isCurrent(page) || c.validatedMeanwhile(ctx, page)) {
		return page
	}
	answer, err := c.read(ctx, page.Reads[0], position)
	if err != nil || !answer.Unchanged() {
		return nil
	}
	if answer.Position > 0 && answer.Position == page.Position {
		return page
	}
	if len(page.Reads) == 1 {
		reads := slices.Clone(page.Reads)
		reads[0].Position, reads[0].Expires = answer.Position, answer.Expires
		return page.with(reads)
	}
	return c.sweep(ctx, key, page, answer.Position, position)
}

// validateAll returns the page with its reads as they are now, or nil if one of them is stale.
func (c *Cache) validateAll(ctx context.Context, page *Page, position uint64) *Page {
	reads := slices.Clone(page.Reads)
	if !c.unchanged(ctx, reads, position) {
		return nil
	}
	return page.with(reads)
}

// with returns the page with other reads of the same answers.
func (p *Page) with(reads []client.Read) *Page {
	return &Page{Text: p.Text, Status: p.Status, NoIndex: p.NoIndex, Language: p.Language, Position: positionOf(reads), Reads: reads}
}

// isCurrent reports whether the position of a page was the current one a moment ago.
func (c *Cache) isCurrent(page *Page) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return page.Position > 0 && page.Position == c.current && time.Since(c.seen) < c.trust
}

// validatedMeanwhile waits for the validation in progress, if any, and reports whether it shows
// that nothing has changed since the page was read.
func (c *Cache) validatedMeanwhile(ctx context.Context, page *Page) bool {
	c.mu.Lock()
	current := c.validation
	c.mu.Unlock()
	if current == nil {
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case <-current.done:
		return current.position > 0 && current.position == page.Position
	}
}

// read validates one answer. Unless another validation is in progress, others can wait for its
// position.
func (c *Cache) read(ctx context.Context, read client.Read, position uint64) (client.Answer, error) {
	mine := &validation{done: make(chan struct{})}
	c.mu.Lock()
	if c.validation == nil {
		c.validation = mine
	}
	c.mu.Unlock()
	asked := time.Now()
	answer, err := c.api.Do(ctx, read.Target, read.Tag, position)
	c.mu.Lock()
	if c.validation == mine {
		c.validation = nil
	}
	if err == nil && answer.Position >= c.current {
		c.current, c.seen = answer.Position, asked
	}
	c.mu.Unlock()
	mine.position = answer.Position
	close(mine.done)
	return answer, err
}

// unchanged validates all reads concurrently, and sets their positions and expiries.
func (c *Cache) unchanged(ctx context.Context, reads []client.Read, position uint64) bool {
	all, ctx := errgroup.WithContext(ctx)
	for i := range reads {
		all.Go(func() error {
			answer, err := c.api.Do(ctx, reads[i].Target, reads[i].Tag, position)
			if err == nil && !answer.Unchanged() {
				err = context.Canceled
			}
			reads[i].Position, reads[i].Expires = answer.Position, answer.Expires
			return err
		})
	}
	return all.Wait() == nil
}

func (c *Cache) find(key string) *Page {
	c.mu.Lock()
	defer c.mu.Unlock()
	page, _ := c.pages.Get(key)
	return page
}

// replace puts a validated page in place of the one it was made from, unless that was replaced
// meanwhile.
func (c *Cache) replace(key string, stale, page *Page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if current, found := c.pages.Peek(key); found && current == stale {
		c.put(key, page)
	}
}

// put caches a page, and evicts the least recently used ones. The caller holds the lock.
func (c *Cache) put(key string, page *Page) {
	c.pages.Remove(key)
	if c.maxBytes == 0 {
		return
	}
	page.bytes = pageOverhead + encodings*page.Text.Size()
	c.pages.Add(key, page)
	c.bytes += page.bytes
	for c.bytes > c.maxBytes {
		c.pages.RemoveOldest()
	}
	c.metrics.bytes.Set(float64(c.bytes))
}

const (
	// pageOverhead is the size of a page without its text, about.
	pageOverhead = 1 << 10
	// encodings is the size of a text with its compressed forms, about, as a multiple of its plain
	// size.
	encodings = 2
)
