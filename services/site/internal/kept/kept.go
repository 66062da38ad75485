// Package kept keeps rendered pages as long as the answers of the public API that they were made
// from do not change.
//
// A page is given again after one conditional read: when that answer is unchanged and names the
// position at which all of the page was read last, nothing of the catalogue has changed. When only
// the position differs, the other answers are asked for as well. So no page is older than the
// position that it is given with. Pages that are asked for at once share such a read: the position
// that it names holds for all of them.
package kept

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"litfass/pkg/chassis/encoded"
	"litfass/services/site/internal/client"
)

// API asks whether an answer has changed.
type API interface {
	Do(ctx context.Context, target, tag string, position uint64) (client.Answer, error)
}

// Page is a rendered page with what it was made from. It is not altered.
type Page struct {
	Text     *encoded.Text
	Status   int
	Position uint64 // up to which it is complete; 0 when that is not known
	Reads    []client.Read
	Partial  bool // a part of it could not be read: it is not kept

	bytes int // that it counts for while it is held
}

// Pages holds the pages that were asked for last. It is safe for concurrent use.
type Pages struct {
	api     API
	most    int // bytes
	timeout time.Duration
	flight  singleflight.Group
	figures figures

	mu    sync.Mutex
	bytes int
	held  *simplelru.LRU[string, *Page]
	asked *asking // the read that is under way; nil: none is
}

// asking is a conditional read that others wait for.
type asking struct {
	done     chan struct{} // closed once position is known
	position uint64        // that the answer names; 0 when it does not
}

// New returns a store of pages that take at most that many bytes. timeout limits the rendering of
// one page that several visitors wait for.
func New(api API, most int, timeout time.Duration) *Pages {
	p := &Pages{api: api, most: most, timeout: timeout, figures: newFigures()}
	held, err := simplelru.NewLRU(math.MaxInt, func(_ string, page *Page) { p.bytes -= page.bytes })
	if err != nil {
		panic(err) // only for a size below 1
	}
	p.held = held
	return p
}

// Get returns the page with this key: the kept one if it still holds, else what render returns.
// Those who ask for it meanwhile wait for the same one. wanted is the position that the page must
// be complete up to; 0 is any. The errors are render's.
func (p *Pages) Get(
	ctx context.Context, key string, wanted uint64, render func(context.Context) (*Page, error),
) (*Page, error) {
	if page := p.find(key); page != nil {
		if checked, holds := p.check(ctx, page, wanted); holds {
			if checked != page {
				p.replace(key, page, checked)
			}
			p.figures.kept.Inc()
			return checked, nil
		}
	}
	if wanted > 0 { // one that was begun for another visitor may be older
		return p.render(ctx, key, render)
	}
	shared := func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.timeout)
		defer cancel()
		return p.render(ctx, key, render)
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-p.flight.DoChan(key, shared):
		if result.Err != nil {
			return nil, result.Err
		}
		return result.Val.(*Page), nil
	}
}

func (p *Pages) render(ctx context.Context, key string, render func(context.Context) (*Page, error)) (*Page, error) {
	page, err := render(ctx)
	if err != nil {
		return nil, err
	}
	p.figures.made.Inc()
	page.Position = positionOf(page.Reads)
	if !page.Partial {
		p.put(key, page)
	}
	return page, nil
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

// check asks whether a page holds, and returns it with the position that it holds at. An API that
// does not answer makes no page hold.
func (p *Pages) check(ctx context.Context, page *Page, wanted uint64) (*Page, bool) {
	if len(page.Reads) == 0 {
		return page, true
	}
	if wanted == 0 && p.holdsWithOthers(ctx, page) {
		return page, true
	}
	answer, err := p.ask(ctx, page.Reads[0], wanted)
	if err != nil || !answer.Unchanged() {
		return nil, false
	}
	if answer.Position > 0 && answer.Position == page.Position {
		return page, true
	}
	reads := append([]client.Read(nil), page.Reads...)
	reads[0].Position = answer.Position
	if !p.unchanged(ctx, reads[1:], wanted) {
		return nil, false
	}
	return &Page{Text: page.Text, Status: page.Status, Position: positionOf(reads), Reads: reads}, true
}

// holdsWithOthers waits for the read of another page, if there is one under way, and reports
// whether its position shows that nothing has changed since the page was read.
func (p *Pages) holdsWithOthers(ctx context.Context, page *Page) bool {
	p.mu.Lock()
	asked := p.asked
	p.mu.Unlock()
	if asked == nil {
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case <-asked.done:
		return asked.position > 0 && asked.position == page.Position
	}
}

// ask asks whether an answer has changed. Others that need the position wait for it, unless they
// wait for another one already.
func (p *Pages) ask(ctx context.Context, read client.Read, wanted uint64) (client.Answer, error) {
	asked := &asking{done: make(chan struct{})}
	p.mu.Lock()
	if p.asked == nil {
		p.asked = asked
	}
	p.mu.Unlock()
	answer, err := p.api.Do(ctx, read.Target, read.Tag, wanted)
	p.mu.Lock()
	if p.asked == asked {
		p.asked = nil
	}
	p.mu.Unlock()
	asked.position = answer.Position
	close(asked.done)
	return answer, err
}

// unchanged asks for all reads again at once, and sets their positions.
func (p *Pages) unchanged(ctx context.Context, reads []client.Read, wanted uint64) bool {
	all, ctx := errgroup.WithContext(ctx)
	for i := range reads {
		all.Go(func() error {
			answer, err := p.api.Do(ctx, reads[i].Target, reads[i].Tag, wanted)
			if err == nil && !answer.Unchanged() {
				err = context.Canceled
			}
			reads[i].Position = answer.Position
			return err
		})
	}
	return all.Wait() == nil
}

func (p *Pages) find(key string) *Page {
	p.mu.Lock()
	defer p.mu.Unlock()
	page, _ := p.held.Get(key)
	return page
}

func (p *Pages) put(key string, page *Page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set(key, page)
}

// replace puts a page in the place of the one that it was checked from, unless another is there by
// now.
func (p *Pages) replace(key string, was, page *Page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if held, found := p.held.Peek(key); found && held == was {
		p.set(key, page)
	}
}

func (p *Pages) set(key string, page *Page) {
	p.held.Remove(key)
	if p.most == 0 {
		return
	}
	page.bytes = pageBytes + formsOfText*page.Text.Size()
	p.held.Add(key, page)
	p.bytes += page.bytes
	defer func() { p.figures.bytes.Set(float64(p.bytes)) }()
	for p.bytes > p.most {
		p.held.RemoveOldest()
	}
}

const (
	// pageBytes is what a page takes besides its text, about.
	pageBytes = 1 << 10
	// formsOfText is how many times its plain length a text takes with its compressed forms, about.
	formsOfText = 2
)
