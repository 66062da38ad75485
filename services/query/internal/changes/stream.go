package changes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"litfass/services/query/internal/params"
)

const (
	// maxUnsent bounds what waits to be sent to a client; a slower one has to begin another stream.
	maxUnsent = 4 << 20
	// maxWaiting bounds the same of all clients that have not yet taken what was sent before.
	maxWaiting = 64 << 20
	// catchUp is the limit of the pages that a stream begins with.
	catchUp = 200
)

// Stream is a connection on which a client gets changes as server-sent events. It has no goroutine
// while nothing is sent.
type Stream struct {
	hub    *Hub
	conn   net.Conn
	until  time.Time
	closed func() // called once

	mu      sync.Mutex
	sent    *sync.Cond // nothing is being sent any more
	unsent  [][]byte   // parts, which other streams may share
	waiting int        // their bytes
	sending bool
	last    bool // nothing comes after what is unsent
	over    bool
}

// Serve sends the changes after a position to a client until either side ends it. closed is called
// then, once. It returns when the stream has caught up; head is sent first.
func (h *Hub) Serve(ctx context.Context, conn net.Conn, head []byte, f Filter, from params.Position, closed func()) {
	s := newStream(h, conn, closed)
	s.write(head)
	from, caughtUp := h.catchUp(ctx, s, f, from)
	if !caughtUp {
		return
	}
	s.idle(from)
	if !h.add(&waiter{filter: f, at: from, send: s.send, idle: s.idle, end: s.end}) {
		s.end(nil)
	}
}

// catchUp sends the changes after a position that are known already, a page in each turn of the
// stream. It returns false when either side has ended the stream.
func (h *Hub) catchUp(ctx context.Context, s *Stream, f Filter, from params.Position) (at params.Position, caughtUp bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-h.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	sent := h.now()
	for {
		page, err := h.log.page(ctx, h.log.streams, f, from, catchUp)
		if err != nil {
			s.end(err)
			return from, false
		}
		from = page.at
		switch {
		case len(page.Changes) > 0:
			sent = h.now()
			if !s.send(page) {
				s.end(nil)
				return from, false
			}
		case h.now().Sub(sent) >= quiet:
			sent = h.now()
			if !s.idle(from) {
				s.end(nil)
				return from, false
			}
		}
		if !page.More {
			return from, true
		}
		if !s.await() {
			return from, false
		}
	}
}

func newStream(h *Hub, conn net.Conn, closed func()) *Stream {
	s := &Stream{hub: h, conn: conn, closed: closed, until: h.now().Add(longest)}
	s.sent = sync.NewCond(&s.mu)
	return s
}

// await waits until the client has taken what was sent; false when it is gone.
func (s *Stream) await() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.sending {
		s.sent.Wait()
	}
	return !s.over
}

// send sends changes; false when the client is gone or too slow.
func (s *Stream) send(page Page) bool {
	if page.event == nil {
		page.event = eventOf(page)
	}
	return page.event != nil && s.write(page.event)
}

// eventOf returns changes as a server-sent event; nil if they cannot be encoded.
func eventOf(page Page) []byte {
	data, err := json.Marshal(struct {
		Changes  []Item `json:"changes"`
		Position string `json:"position"`
	}{page.Changes, page.Position})
	if err != nil {
		return nil
	}
	return fmt.Appendf(nil, "id: %s\nevent: changes\ndata: %s\n\n", page.Position, data)
}

// idle sends a position without an event: the client goes on from there if it loses the stream. It
// returns false for a stream that was open for long enough.
func (s *Stream) idle(at params.Position) bool {
	return s.write(fmt.Appendf(nil, ": idle\nid: %s\n\n", at)) && s.hub.now().Before(s.until)
}

// end ends the stream: after ErrBeginAgain with an event that says so.
func (s *Stream) end(why error) {
	if errors.Is(why, ErrBeginAgain) {
		s.write([]byte("event: begin_again\ndata: {}\n\n"))
	}
	s.mu.Lock()
	s.last = true
	finish := !s.sending && !s.over
	s.over = s.over || finish
	s.mu.Unlock()
	if finish {
		s.finish()
	}
}

func (s *Stream) finish() {
	_ = s.conn.Close() // the client may have done so
	s.closed()
}

// write has bytes sent after those before; false when nothing can be sent any more.
func (s *Stream) write(data []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.last || s.waiting > maxUnsent || s.sending && s.hub.waitingBytes.Load() > maxWaiting {
		return false
	}
	s.unsent, s.waiting = append(s.unsent, data), s.waiting+len(data)
	s.hub.waitingBytes.Add(int64(len(data)))
	if !s.sending {
		s.sending = true
		go s.flush()
	}
	return true
}

// flush sends what is unsent.
func (s *Stream) flush() {
	for {
		s.mu.Lock()
		parts := net.Buffers(s.unsent)
		s.hub.waitingBytes.Add(-int64(s.waiting))
		s.unsent, s.waiting = nil, 0
		if len(parts) == 0 {
			s.sending, s.over = false, s.last
			last := s.last
			s.sent.Broadcast()
			s.mu.Unlock()
			if last {
				s.finish()
			}
			return
		}
		s.mu.Unlock()
		if _, err := parts.WriteTo(s.conn); err != nil { // also when the client stands still: see package web
			s.mu.Lock()
			s.sending, s.over = false, true
			s.hub.waitingBytes.Add(-int64(s.waiting))
			s.unsent, s.waiting = nil, 0
			s.sent.Broadcast()
			s.mu.Unlock()
			s.finish()
			return
		}
	}
}
