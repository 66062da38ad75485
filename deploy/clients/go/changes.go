package litfass

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"time"
)

const (
	pollWait  = 30   // seconds
	pollLimit = 1000 // changes of one answer
)

// errStopped ends a feed whose reader wants no more.
var errStopped = errors.New("stopped")

// ChangesBegin returns the position at which the change feed is now. What is read after that, with
// At(complete), and the changes after the position make an exact copy; Mirror does so.
func (c *Client) ChangesBegin(ctx context.Context) (position, complete string, err error) {
	found, err := c.ask(ctx, request{path: "/api/changes"})
	if err != nil {
		return "", "", err
	}
	var page ChangesPage
	if err := json.Unmarshal(found.data, &page); err != nil {
		return "", "", unexpected(http.StatusOK, err)
	}
	return page.Position, found.position, nil
}

// Changes returns the changes of what a filter finds, after a position or from now on, as they
// happen. It ends with an error only: that of the context, or one that waiting does not mend, above
// all ErrBeginAgain. Lost connections and services that do not answer are waited for. A page
// without changes moves the position.
func (c *Client) Changes(ctx context.Context, q ChangesQuery) iter.Seq2[ChangesPage, error] {
	return func(yield func(ChangesPage, error) bool) {
		err := c.patient().follow(ctx, q, func(page ChangesPage) bool { return yield(page, nil) })
		if err != nil {
			yield(ChangesPage{}, err)
		}
	}
}

// follow passes pages on until take returns false, for which it returns nil, or an error ends it.
func (c *Client) follow(ctx context.Context, q ChangesQuery, take func(ChangesPage) bool) error {
	if q.After == "" {
		position, _, err := c.ChangesBegin(ctx)
		if err != nil {
			return err
		}
		if q.After = position; !take(ChangesPage{Position: position}) {
			return nil
		}
	}
	failures := 0
	moved := func(page ChangesPage) bool {
		failures = 0
		if page.Position == q.After && len(page.Changes) == 0 {
			return true
		}
		q.After = page.Position
		return take(page)
	}
	for {
		pass := c.stream
		if q.Poll {
			pass = c.poll
		}
		err := pass(ctx, q, moved)
		if errors.Is(err, errStopped) {
			return nil
		}
		wait, again := delay(failures), true
		if err != nil {
			wait, again = c.pause(err, failures)
		}
		if !again {
			return err
		}
		failures++
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// poll asks for pages until an error.
func (c *Client) poll(ctx context.Context, q ChangesQuery, take func(ChangesPage) bool) error {
	if q.Wait == 0 {
		q.Wait = pollWait
	}
	for {
		page, err := c.page(ctx, q)
		if err != nil {
			return err
		}
		if !take(page) {
			return errStopped
		}
		q.After = page.Position
	}
}

// page asks for one page once.
func (c *Client) page(ctx context.Context, q ChangesQuery) (page ChangesPage, err error) {
	if q.Limit == 0 {
		q.Limit = pollLimit
	}
	more := time.Duration(q.Wait) * time.Second
	found, err := c.once(ctx, request{path: "/api/changes", query: values(q), more: more})
	if err != nil {
		return page, err
	}
	if err := json.Unmarshal(found.data, &page); err != nil {
		return page, unexpected(http.StatusOK, err)
	}
	return page, nil
}
