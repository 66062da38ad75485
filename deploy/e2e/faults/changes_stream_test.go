package faults

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"

	"litfass/deploy/e2e/harness"
)

// keepByStream keeps a copy by streams until ctx ends: when one is lost, by another one from the
// last position, at any read node.
func (k *keeper) keepByStream(ctx context.Context, c *kept, random *rand.Rand) {
	for ctx.Err() == nil {
		err := k.stream(ctx, c, k.nodes[random.IntN(len(k.nodes))].Base)
		c.mu.Lock()
		c.streams++
		if err != nil && ctx.Err() == nil {
			c.failure = err
		}
		c.mu.Unlock()
	}
}

// stream reads one stream to its end. It returns no error for a service that is not there.
func (k *keeper) stream(ctx context.Context, c *kept, base string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/api/changes?"+c.filter.Encode(), nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "text/event-stream")
	c.mu.Lock()
	request.Header.Set("Last-Event-ID", c.position)
	c.mu.Unlock()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil // it was killed
	}
	defer func() { _ = response.Body.Close() }()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusServiceUnavailable:
		return nil
	default:
		return fmt.Errorf("a stream from %s: %s", c.position, response.Status)
	}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 16<<20)
	id := ""
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			id = value
		case "data":
			var page changesPage
			if err := json.Unmarshal([]byte(value), &page); err != nil {
				return err
			}
			if err := c.takeStreamed(page, id); err != nil {
				return err
			}
		case "": // the end of an event, or of a position without one
			if id != "" {
				c.moveTo(id)
			}
		}
	}
	return nil // it was killed, or its time is over
}

func (c *kept) takeStreamed(page changesPage, id string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if page.Position != id {
		return fmt.Errorf("an event at %s has the id %s", page.Position, id)
	}
	return c.take(page)
}

func (c *kept) moveTo(position string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.position = position
}

// streamSome has some copies kept by streams from now on, until the test ends.
func (k *keeper) streamSome(count int) {
	ctx, stop := context.WithCancel(k.t.Context())
	var keeping sync.WaitGroup
	k.t.Cleanup(func() { stop(); keeping.Wait() })
	for i, c := range k.copies {
		if count == 0 || c.kind != "" || c.careless || c.filter.Get("geolist_region")+c.filter.Get("portal") != "" {
			continue
		}
		count--
		c.streamed = true
		random := rand.New(rand.NewPCG(uint64(i), 2)) //nolint:gosec // an index is not negative
		keeping.Go(func() { k.keepByStream(ctx, c, random) })
	}
}

// awaitStreamed waits until a copy that is kept by streams equals the search: idle streams get
// their position only now and then.
func (k *keeper) awaitStreamed(c *kept) {
	k.t.Helper()
	entries, counts, err := readAll(k.t.Context(), k.nodes[0], c, k.t)
	if err != nil {
		k.t.Fatal(err)
	}
	harness.Await(k.t, "a copy that is kept by streams", func() error {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.failure != nil {
			k.t.Fatal(c.failure)
		}
		if err := same(c, entries, counts); err != nil {
			return fmt.Errorf("%s, at %s after %d streams: %w", c.filter.Encode(), c.position, c.streams, err)
		}
		return nil
	})
}
