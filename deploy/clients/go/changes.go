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

// ChangesPage are changes, in the order of the last change of each entity.
type ChangesPage struct {
	Changes  []Change `json:"changes"`
	Position string   `json:"position"` // to go on from, once all changes are stored
	More     bool     `json:"more"`     // further ones are known already
}

// The ways in which an entity changes for a filter.
const (
	Entered = "entered" // it is found, and was not before
	Changed = "changed" // it is found, and looks different
	Left    = "left"    // it is not found any more
)

// Change is an entity with its newest state.
type Change struct {
	Change    string          `json:"change"` // Entered, Changed or Left
	UUID      string          `json:"uuid"`
	EventUUID string          `json:"event_uuid"` // of the event of a date
	DateCount int             `json:"date_count"` // how many dates of an event are found
	Entry     json.RawMessage `json:"entry"`      // null of what left
}

// Date returns the entry of a change of the kind Dates or Events.
func (c Change) Date() (date Date, err error) { return date, json.Unmarshal(c.Entry, &date) }

// Venue returns the entry of a change of the kind Venues.
func (c Change) Venue() (venue Venue, err error) { return venue, json.Unmarshal(c.Entry, &venue) }

// Organization returns the entry of a change of the kind Organizations.
func (c Change) Organization() (organization Organization, err error) {
	return organization, json.Unmarshal(c.Entry, &organization)
}

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
