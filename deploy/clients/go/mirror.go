package litfass

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
)

// Store keeps a copy, such as a table of a database. Each method stores its position together with
// its entries, in one transaction, so that the copy is exact after any interruption.
type Store interface {
	// Position returns the position that was stored last, "" before the first.
	Position(ctx context.Context) (string, error)
	// Replace replaces everything by the entries, which have all Entered. An entry that comes twice
	// counts as it comes last. An error among them, which Replace returns, leaves the store as it was.
	Replace(ctx context.Context, entries iter.Seq2[Change, error], position string) error
	// Apply takes changes: what left is deleted, and everything else put in its place. It may have
	// to delete what is not there, or to put what is there already.
	Apply(ctx context.Context, changes []Change, position string) error
}

// ErrVenuesMove is returned when venues change too fast to be read page by page.
var ErrVenuesMove = errors.New("litfass: the list of venues changed during each of several attempts to read it")

// Mirror keeps a copy of all that a filter finds: it reads everything, follows the changes, and
// begins again when they are not known any more. It goes on from the position of the store. It
// returns the error of the context, of the store, or one that waiting does not mend.
//
// What a filter finds less or more of because time passes, by words such as today, is not among the
// changes: with Start "today" or NotOver a copy has to drop what is past.
func (c *Client) Mirror(ctx context.Context, q ChangesQuery, store Store) error {
	patient := c.patient()
	return patient.keep(ctx, q, store, func(q ChangesQuery, take func(ChangesPage) bool) error {
		return patient.follow(ctx, q, take)
	})
}

// Refresh brings a copy up to date, as Mirror does, and returns.
func (c *Client) Refresh(ctx context.Context, q ChangesQuery, store Store) error {
	return c.keep(ctx, q, store, func(q ChangesQuery, take func(ChangesPage) bool) error { return c.catchUp(ctx, q, take) })
}

// catchUp passes the pages on that there are now.
func (c *Client) catchUp(ctx context.Context, q ChangesQuery, take func(ChangesPage) bool) error {
	q.Wait = 0
	for attempt := 0; ; {
		page, err := c.page(ctx, q)
		if err != nil {
			wait, again := c.pause(err, attempt)
			if !again {
				return err
			}
			if err := sleep(ctx, wait); err != nil {
				return err
			}
			attempt++
			continue
		}
		if !take(page) || !page.More {
			return nil
		}
		q.After, attempt = page.Position, 0
	}
}

// keep applies pages to a store, which it fills first if it has to.
func (c *Client) keep(
	ctx context.Context, q ChangesQuery, store Store, pages func(ChangesQuery, func(ChangesPage) bool) error,
) error {
	if q.Kind == Organizations || q.Kind == Contributors || q.Kind == AllSeries {
		return errors.New("litfass: there is no list of all " + q.Kind + " as changes show them, to begin a copy with")
	}
	position, err := store.Position(ctx)
	if err != nil {
		return err
	}
	for again := 0; ; again++ {
		if position == "" {
			if position, err = c.fill(ctx, q, store); err != nil {
				return err
			}
		}
		q.After = position
		var stored error
		err := pages(q, func(page ChangesPage) bool {
			again = 0
			stored = store.Apply(ctx, page.Changes, page.Position)
			return stored == nil
		})
		if !errors.Is(err, ErrBeginAgain) || again > c.Retries {
			return errors.Join(err, stored)
		}
		if again > 0 { // the service does not even know the changes since a moment ago
			if err := sleep(ctx, delay(again)); err != nil {
				return err
			}
		}
		position = ""
	}
}

// fill reads everything into a store. Changes that happen meanwhile come after the position, and
// may be read already.
func (c *Client) fill(ctx context.Context, q ChangesQuery, store Store) (position string, err error) {
	position, complete, err := c.ChangesBegin(ctx)
	if err != nil {
		return "", err
	}
	at := c.At(complete)
	entries := at.allDates(ctx, q)
	if q.Kind == Venues {
		entries = at.allVenues(ctx, q)
	}
	return position, store.Replace(ctx, entries, position)
}

// allDates reads the dates, or the events, that a filter finds.
func (c *Client) allDates(ctx context.Context, q ChangesQuery) iter.Seq2[Change, error] {
	search := Search{Filter: q.Filter, Paged: Paged{Limit: PageSize}}
	if q.Kind == Events {
		search.Group = "event"
	}
	return func(yield func(Change, error) bool) {
		for {
			page, err := read[struct {
				Events            []json.RawMessage
				LastEventStartAt  string `json:"last_event_start_at"`
				LastEventDateUUID string `json:"last_event_date_uuid"`
			}](ctx, c, request{path: "/api/events", query: values(search), body: search})
			if err != nil {
				yield(Change{}, err)
				return
			}
			for _, entry := range page.Events {
				if !yield(entered(q.Kind, entry)) {
					return
				}
			}
			if len(page.Events) < PageSize {
				return
			}
			search.LastEventStartAt, search.LastEventDateUUID = page.LastEventStartAt, page.LastEventDateUUID
		}
	}
}

// entered returns an entry of a search as the change feed shows it.
func entered(kind string, entry json.RawMessage) (change Change, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(entry, &fields); err != nil {
		return change, unexpected(http.StatusOK, err)
	}
	date, err := Change{Entry: entry}.Date()
	if err != nil {
		return change, unexpected(http.StatusOK, err)
	}
	change = Change{Change: Entered, UUID: date.UUID, DateCount: date.DateCount}
	if kind == "" || kind == Dates {
		change.UUID, change.EventUUID = date.DateUUID, date.UUID
	}
	delete(fields, "search_rank")
	delete(fields, "date_count")
	change.Entry, err = json.Marshal(fields)
	return change, err
}

// allVenues reads the venues that a filter finds. Their pages begin at numbers, which shift when a
// venue before them comes or goes: so each page begins with the last venue of the one before, and
// if that is another one, everything is read again.
func (c *Client) allVenues(ctx context.Context, q ChangesQuery) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		all, err := c.readVenues(ctx, q)
		for range 9 {
			if !errors.Is(err, ErrVenuesMove) {
				break
			}
			all, err = c.readVenues(ctx, q)
		}
		if err != nil {
			yield(Change{}, err)
			return
		}
		for _, entry := range all {
			if !yield(entered(Venues, entry)) {
				return
			}
		}
	}
}

func (c *Client) readVenues(ctx context.Context, q ChangesQuery) (all []json.RawMessage, err error) {
	query := values(q)
	query.Del("kind")
	query.Del("after")
	query.Set("limit", fmt.Sprint(PageSize))
	for {
		query.Set("offset", fmt.Sprint(max(0, len(all)-1)))
		page, err := read[struct{ Venues []json.RawMessage }](ctx, c, request{path: "/api/venues", query: query})
		if err != nil {
			return nil, err
		}
		next := page.Venues
		if len(all) > 0 {
			if len(next) == 0 || !sameVenue(next[0], all[len(all)-1]) {
				return nil, ErrVenuesMove
			}
			next = next[1:]
		}
		if all = append(all, next...); len(page.Venues) < PageSize {
			return all, nil
		}
	}
}

// sameVenue reports whether two venues are the same one, at the same place of the order.
func sameVenue(a, b json.RawMessage) bool {
	one, err := Change{Entry: a}.Venue()
	other, err2 := Change{Entry: b}.Venue()
	return err == nil && err2 == nil && one.UUID == other.UUID && one.Name == other.Name
}
