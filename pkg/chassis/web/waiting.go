package web

import (
	"container/list"
	"sync"
)

// How much memory clients hold that keep a service waiting, besides bodies: buffers of requests
// that are arriving, and answers that are departing. It is more than clients need that send and
// read as fast as they can.
const (
	arrivingBytes  = 24 << 20
	departingBytes = 32 << 20
)

// waiting bounds the memory that is held while clients send or read. When there is too much of it,
// who keeps the service waiting longest is given up: a client that takes its time on purpose,
// rather than one that has just come. It is safe for concurrent use.
type waiting struct {
	most int

	mu    sync.Mutex
	bytes int
	waits list.List // of *wait, the oldest first
}

// wait is memory that one client holds.
type wait struct {
	giveUp func()

	bytes int
	at    *list.Element // nil: none is held
}

func newWaiting(most int) *waiting { return &waiting{most: most} }

// begin notes that a client holds so many bytes from now on. If that is too much, older waits end
// by their giveUp.
func (w *waiting) begin(one *wait, bytes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remove(one)
	one.bytes, one.at = bytes, w.waits.PushBack(one)
	for w.bytes += bytes; w.bytes > w.most && w.waits.Front() != one.at; {
		oldest := w.waits.Front().Value.(*wait)
		w.remove(oldest)
		oldest.giveUp()
	}
}

// end notes that a client holds nothing any more.
func (w *waiting) end(one *wait) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remove(one)
}

func (w *waiting) remove(one *wait) {
	if one.at == nil {
		return
	}
	w.waits.Remove(one.at)
	w.bytes -= one.bytes
	one.at = nil
}
