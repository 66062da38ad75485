package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"litfass/deploy/local/stack"
)

const (
	healthyHooks, slowHooks, deadHooks = 50, 20, 5

	hookAnswer = 500 * time.Millisecond // of slow receivers
	hookEdits  = 80                     // one after the other, for the delay
	hookBurst  = 400                    // at once, for the rate
	hookPause  = 100 * time.Millisecond // between those for the delay
)

// hooks are the receivers of webhooks, by the number in the path of a request: first the healthy
// ones, then the slow ones. There is no server at the addresses of the dead ones.
type hooks struct {
	mu       sync.Mutex
	edited   map[string]time.Time // when the edit to a title was answered
	delays   durations            // until a healthy receiver had it
	ids      map[string]bool      // of notifications that healthy receivers have
	expected int                  // titles that are still to arrive
	complete chan struct{}        // closed when they have
}

// measureHooks measures how soon healthy receivers are notified next to slow and dead ones, and how
// many deliveries there are in a second.
func (b *bench) measureHooks(ctx context.Context) (err error) {
	h := &hooks{edited: map[string]time.Time{}, ids: map[string]bool{}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	defer func() { _ = server.Close() }()
	o, events, err := b.newEdited(ctx, "hooks@example.org")
	if err != nil {
		return err
	}
	for n := range healthyHooks + slowHooks + deadHooks {
		address := fmt.Sprintf("http://%s/%d", listener.Addr(), n)
		if n >= healthyHooks+slowHooks {
			address = fmt.Sprintf("http://127.0.0.1:1/%d", n)
		}
		hook := map[string]any{"name": strconv.Itoa(n), "url": address, "filter": map[string]any{"organizations": []string{o.org}}}
		if err := o.write(ctx, http.MethodPost, "/api/admin/webhooks", hook, nil); err != nil {
			return err
		}
	}
	if err := b.measureHookDelay(ctx, h, o, events); err != nil {
		return err
	}
	return b.measureHookRate(ctx, h, o, events)
}

// newEdited creates an organization with some public events, which its owner edits.
func (b *bench) newEdited(ctx context.Context, email string) (o *organizer, events []string, err error) {
	if o, err = b.newOrganizer(ctx, email, "--admin"); err != nil {
		return nil, nil, err
	}
	venue, err := o.addVenue(ctx, "Saal")
	if err != nil {
		return nil, nil, err
	}
	for _, body := range newEvents(o.org, venue, "released")[:editors] {
		var added created
		if err := o.send(ctx, http.MethodPost, "/api/admin/event/create", "application/json", body, &added); err != nil {
			return nil, nil, err
		}
		events = append(events, added.UUID)
	}
	return o, events, nil
}

// retitle gives an event a title.
func (o *organizer) retitle(ctx context.Context, event, title string) error {
	return o.write(ctx, http.MethodPatch, "/api/admin/event/"+event, map[string]any{"title": title}, nil)
}

func (b *bench) measureHookDelay(ctx context.Context, h *hooks, o *organizer, events []string) error {
	done := h.expect(len(events) * healthyHooks)
	for n := range b.some(hookEdits) {
		title := hookTitle("Probe", n, b.some(hookEdits)-len(events))
		if err := o.retitle(ctx, events[n%len(events)], title); err != nil {
			return err
		}
		h.mu.Lock()
		h.edited[title] = time.Now()
		h.mu.Unlock()
		if err := pause(ctx, hookPause); err != nil {
			return err
		}
	}
	if err := awaitHooks(ctx, done); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	b.report.add("hooks", "edit to delivery, healthy among slow and dead receivers, p50", h.delays.percentile(50), "ms")
	b.report.aimed("hooks", "edit to delivery, healthy among slow and dead receivers, p99", h.delays.percentile(99), "ms", atMost(2000))
	return nil
}

// hookTitle returns the title of an edit: of the last ones, for which the bench waits. Several
// edits of an event may be announced as one.
func hookTitle(name string, n, last int) string {
	if n >= last {
		name = "Ende der " + name
	}
	return fmt.Sprintf("%s %d", name, n)
}

// measureHookRate edits as fast as the services take it; only the deliveries that arrive count.
func (b *bench) measureHookRate(ctx context.Context, h *hooks, o *organizer, events []string) error {
	before, err := b.usage()
	if err != nil {
		return err
	}
	done := h.expect(len(events) * healthyHooks)
	began, counted := time.Now(), h.count()
	for n := range b.some(hookBurst) {
		if err := o.retitle(ctx, events[n%len(events)], hookTitle("Welle", n, b.some(hookBurst)-len(events))); err != nil {
			return err
		}
	}
	if err := awaitHooks(ctx, done); err != nil {
		return err
	}
	took := time.Since(began)
	after, err := b.usage()
	if err != nil {
		return err
	}
	delivered := h.count() - counted
	b.report.add("hooks", "deliveries", float64(delivered)/took.Seconds(), "per s")
	b.report.add("hooks", "admin's CPU time of a delivery, with its edit's share", 1000*(after.each[stack.Admin]-before.each[stack.Admin]).Seconds()/float64(delivered), "ms")
	return nil
}

func awaitHooks(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// expect returns a channel that is closed once so many more of the last titles have arrived at
// healthy receivers.
func (h *hooks) expect(count int) <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.complete, h.expected = make(chan struct{}), count
	return h.complete
}

// count returns how many notifications healthy receivers have.
func (h *hooks) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.ids)
}

// ServeHTTP takes a notification.
func (h *hooks) ServeHTTP(_ http.ResponseWriter, request *http.Request) {
	var n struct{ Data struct{ Title string } }
	body, err := io.ReadAll(request.Body)
	number, numberErr := strconv.Atoi(request.URL.Path[1:])
	if err != nil || numberErr != nil || json.Unmarshal(body, &n) != nil {
		return
	}
	if number >= healthyHooks {
		time.Sleep(hookAnswer)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	id := request.Header.Get("webhook-id")
	if h.ids[id] {
		return
	}
	h.ids[id] = true
	if at, known := h.edited[n.Data.Title]; known {
		h.delays = append(h.delays, time.Since(at))
	}
	if strings.HasPrefix(n.Data.Title, "Ende") {
		if h.expected--; h.expected == 0 {
			close(h.complete)
		}
	}
}
