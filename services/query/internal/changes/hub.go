package changes

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/limit"
	"litfass/services/query/internal/params"
)

const (
	// stepChanges bounds the changes that the hub evaluates together.
	stepChanges = 256
	// quiet is how long nothing is sent to a stream before its position is, which also shows that the
	// client is still there.
	quiet = 15 * time.Second
	// longest is how long a stream may be open; its client then begins another one.
	longest = time.Hour
	// retryStep is how long the hub waits after it could not read.
	retryStep = time.Second
)

// Bounds are how many streams and waiting requests there may be.
type Bounds struct {
	All        int `env:"CHANGE_STREAMS" envDefault:"5000"`           // of one query service
	PerAddress int `env:"CHANGE_STREAMS_PER_ADDRESS" envDefault:"50"` // of one client without limits of its own
}

// Hub wakes streams and requests that wait for changes. It is safe for concurrent use.
type Hub struct {
	log    *Log
	bounds Bounds
	now    func() time.Time
	wake   chan struct{}

	waitingBytes atomic.Int64 // of all streams

	mu      sync.Mutex
	waiting map[*waiter]bool
	open    int
	of      map[netip.Prefix]int
	ended   bool
	done    chan struct{} // closed with ended
}

// waiter waits for changes that its filter finds.
type waiter struct {
	filter Filter
	at     params.Position // up to which all changes were evaluated
	// send takes changes and the position after them; it must not block. It returns false when the
	// waiter needs no more.
	send func(Page) bool
	// idle is called now and then with the position; nil for nothing. It must not block.
	idle func(params.Position) bool
	// end is called once when the waiter gets no further changes: with ErrBeginAgain, or nil when the
	// service stops or the waiter needs none.
	end func(error)
}

// NewHub returns a hub of the changes of a log. Run it.
func NewHub(log *Log, bounds Bounds, now func() time.Time) *Hub {
	h := &Hub{
		log: log, bounds: bounds, now: now, wake: make(chan struct{}, 1), waiting: map[*waiter]bool{}, of: map[netip.Prefix]int{},
		done: make(chan struct{}),
	}
	log.signal.OnComplete(h.rouse)
	return h
}

// Open returns the number of streams and waiting requests.
func (h *Hub) Open() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open
}

// Enter takes one of the places for streams and waiting requests. The address is that of a client
// whose streams are bounded, else invalid; they count as its requests do. The faults are
// Unavailable and TooMany.
func (h *Hub) Enter(address netip.Addr) (leave func(), err error) {
	of := limit.Network(address)
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.ended:
		return nil, fault.Overloaded("this process is about to stop")
	case h.open >= h.bounds.All:
		return nil, fault.Overloaded("too many clients wait for changes")
	case of.IsValid() && h.of[of] >= h.bounds.PerAddress:
		f := fault.New(fault.TooMany, "too_many_streams", "more than %d streams and waiting requests of one address", h.bounds.PerAddress)
		f.RetryAfter = quiet
		return nil, f
	}
	h.open++
	if of.IsValid() {
		h.of[of]++
	}
	var once sync.Once
	return func() { once.Do(func() { h.leave(of) }) }, nil
}

func (h *Hub) leave(of netip.Prefix) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open--
	if of.IsValid() {
		if h.of[of]--; h.of[of] == 0 {
			delete(h.of, of)
		}
	}
}

func (h *Hub) rouse() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// add adds a waiter; false when the service stops.
func (h *Hub) add(w *waiter) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.ended {
		h.waiting[w] = true
	}
	h.rouse()
	return !h.ended
}

// remove removes a waiter and reports whether it was there.
func (h *Hub) remove(w *waiter) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	was := h.waiting[w]
	delete(h.waiting, w)
	return was
}

// Run evaluates changes until ctx ends, and then ends all waiters. It returns nil.
func (h *Hub) Run(ctx context.Context) error {
	ticker := time.NewTicker(quiet)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			h.endAll()
			return nil
		case <-ticker.C:
			h.idle()
		case <-h.wake:
			for ctx.Err() == nil {
				more, err := h.step(ctx)
				if err != nil {
					h.log.log.Warn("changes cannot be read", "error", err)
					time.AfterFunc(retryStep, h.rouse)
				}
				if err != nil || !more {
					break
				}
			}
		}
	}
}

func (h *Hub) endAll() {
	h.mu.Lock()
	all := h.waiting
	h.waiting = nil
	if !h.ended {
		h.ended = true
		close(h.done)
	}
	h.mu.Unlock()
	for w := range all {
		w.end(nil)
	}
}

func (h *Hub) idle() {
	for _, w := range h.all() {
		if w.idle != nil && !w.idle(w.at) && h.remove(w) {
			w.end(nil)
		}
	}
}

func (h *Hub) all() []*waiter {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]*waiter, 0, len(h.waiting))
	for w := range h.waiting {
		all = append(all, w)
	}
	return all
}

// step evaluates the next changes for the waiters that are furthest behind. more means that there
// may be others.
func (h *Hub) step(ctx context.Context) (more bool, err error) {
	now, complete, err := h.log.reached()
	if err != nil {
		return false, nil //nolint:nilerr // it is woken when that is known again
	}
	behind, upTo := h.behind(now)
	if len(behind) == 0 {
		return false, nil
	}
	var changes []*published
	r := &reading{remember: true}
	err = h.log.read(ctx, complete.Stream, behind[0].at.Sequence, upTo, r, func(one *published) (bool, error) {
		changes = append(changes, one)
		return len(changes) < stepChanges, nil
	})
	if errors.Is(err, ErrBeginAgain) {
		for _, w := range behind {
			h.drop(w, err)
		}
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if len(changes) > 0 {
		upTo = changes[len(changes)-1].sequence
	}
	h.pass(behind, changes, params.Position{Stream: now.Stream, Sequence: upTo})
	return true, nil
}

// behind returns the waiters that are furthest behind the position, and the sequence up to which
// they are the only ones. Those of another stream begin again.
func (h *Hub) behind(now params.Position) (behind []*waiter, upTo uint64) {
	all := h.all()
	lowest := now.Sequence
	for _, w := range all {
		lowest = min(lowest, w.at.Sequence)
	}
	upTo = now.Sequence
	for _, w := range all {
		switch {
		case w.at.Stream != now.Stream:
			h.drop(w, ErrBeginAgain)
		case w.at.Sequence == lowest && lowest < now.Sequence:
			behind = append(behind, w)
		case w.at.Sequence > lowest:
			upTo = min(upTo, w.at.Sequence)
		}
	}
	return behind, upTo
}

func (h *Hub) drop(w *waiter, why error) {
	if h.remove(w) {
		w.end(why)
	}
}

// pass passes to each waiter what its filter finds in changes, which are evaluated once for each
// filter.
func (h *Hub) pass(waiters []*waiter, changes []*published, at params.Position) {
	type outcome struct {
		page Page
		err  error
	}
	byFilter := map[string]outcome{}
	for _, w := range waiters {
		found, evaluated := byFilter[w.filter.key]
		if !evaluated {
			c := newCollector(w.filter)
			for _, one := range changes {
				made, err := c.add(one)
				if made > 0 {
					h.log.memory.resize(one)
				}
				if found.err = err; err != nil {
					break
				}
			}
			found.page = Page{Changes: c.items(), Position: at.String(), at: at}
			if found.err == nil && len(found.page.Changes) > 0 {
				found.page.event = eventOf(found.page)
			}
			byFilter[w.filter.key] = found
		}
		w.at = at
		switch {
		case found.err != nil:
			h.drop(w, found.err)
		case len(found.page.Changes) > 0 && !w.send(found.page):
			h.drop(w, nil)
		}
	}
}

// Wait returns the changes after a position as Log.Page does, but waits for some if there are none.
func (h *Hub) Wait(ctx context.Context, f Filter, from params.Position, limit int, patience time.Duration) (Page, error) {
	page, err := h.log.Page(ctx, f, from, limit)
	if err != nil || len(page.Changes) > 0 || page.More {
		return page, err
	}
	found := make(chan struct{}, 1)
	wake := func() {
		select {
		case found <- struct{}{}:
		default:
		}
	}
	w := &waiter{filter: f, at: page.at, send: func(Page) bool { wake(); return false }, end: func(error) { wake() }}
	if h.add(w) {
		defer h.remove(w)
		timer := time.NewTimer(patience)
		defer timer.Stop()
		select {
		case <-found:
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	return h.log.Page(ctx, f, from, limit)
}
