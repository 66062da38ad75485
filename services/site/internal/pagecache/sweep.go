package pagecache

import (
	"context"
	"slices"
	"strconv"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
)

// sweep validates the most recently used pages in one request, once the catalogue has reached a
// position; concurrent requests share it. It returns the page of a key if that is valid at the
// position, or nil.
func (c *Cache) sweep(ctx context.Context, key string, page *Page, reached, position uint64) *Page {
	shared := func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.timeout)
		defer cancel()
		return nil, c.validatePages(ctx, reached)
	}
	select {
	case <-ctx.Done():
		return nil
	case <-c.sweeps.DoChan(strconv.FormatUint(reached, 10), shared): // after an error the page is as before
	}
	switch swept := c.find(key); {
	case swept == nil:
		return nil
	case swept.Position >= reached:
		return swept
	default: // not among the pages, or an answer is not known
		return c.validateAll(ctx, page, position)
	}
}

// cachedPage is a page with its key.
type cachedPage struct {
	key string
	*Page
}

// answerID identifies an answer of the API, which several pages may be made from.
type answerID struct{ target, tag string }

func idOf(read client.Read) answerID { return answerID{read.Target, read.Tag} }

// validatePages validates the most recently used pages that are not complete up to a position. It
// removes those of which an answer changed. The error is the API's.
func (c *Cache) validatePages(ctx context.Context, position uint64) error {
	pages, reads := c.recentBefore(position)
	if len(pages) == 0 {
		return nil
	}
	answers, at, err := c.api.Validate(ctx, reads, position)
	if err != nil {
		return err
	}
	index := make(map[answerID]int, len(reads))
	for i, read := range reads {
		index[idOf(read)] = i
	}
	for _, page := range pages {
		validated := slices.Clone(page.Reads)
		changed, unknown := false, false
		for i, read := range page.Reads {
			answer := answers[index[idOf(read)]]
			changed = changed || answer.Status == publicapi.Changed
			unknown = unknown || answer.Status != publicapi.Unchanged
			validated[i].Position, validated[i].Expires = at, answer.Expires
		}
		switch {
		case changed:
			c.remove(page)
		case !unknown && at > page.Position:
			c.replace(page.key, page.Page, page.with(validated))
		}
	}
	return nil
}

// recentBefore returns the most recently used pages that are not complete up to a position, the
// least recently used of them first, with their distinct reads. They are as many as one request can
// validate.
func (c *Cache) recentBefore(position uint64) (pages []cachedPage, reads []client.Read) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := map[answerID]bool{}
	for _, key := range slices.Backward(c.pages.Keys()) {
		page, _ := c.pages.Peek(key)
		if page.Position >= position || len(page.Reads) == 0 {
			continue
		}
		var further []client.Read
		for _, read := range page.Reads {
			if id := idOf(read); !known[id] {
				known[id] = true
				further = append(further, read)
			}
		}
		if len(reads)+len(further) > publicapi.MaxValidated {
			break
		}
		pages, reads = append(pages, cachedPage{key, page}), append(reads, further...)
	}
	slices.Reverse(pages)
	return pages, reads
}

// remove removes a page, unless it was replaced meanwhile.
func (c *Cache) remove(page cachedPage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if current, found := c.pages.Peek(page.key); found && current == page.Page {
		c.pages.Remove(page.key)
	}
}
