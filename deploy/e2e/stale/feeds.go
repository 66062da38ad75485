package stale

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"litfass/deploy/e2e/client"
)

// jsonFeed is the part of a JSON Feed that is compared.
type jsonFeed struct {
	Items []struct{ ID, Title string }
}

// askFeed asks for a question as a feed.
func (k *Checker) askFeed(ctx context.Context, q *question) {
	path := "/api/events.json?" + q.query
	if q.asked["limit"] == "" {
		path += "&limit=" + strconv.Itoa(q.limit)
	}
	k.compare(ctx, "feeds", path, func(a client.Answer, position uint64) error {
		var feed jsonFeed
		if err := json.Unmarshal(a.Body, &feed); err != nil {
			return fmt.Errorf("%w: %w", errFailed, err)
		}
		return q.checkFeed(feed, position)
	})
}

// checkFeed compares the dates of a feed of a position, and their titles, with the book. The
// question has no words.
func (q *question) checkFeed(feed jsonFeed, position uint64) error {
	q.book.mu.Lock()
	defer q.book.mu.Unlock()
	shown := map[int]bool{}
	last := -1
	for n, item := range feed.Items {
		date, known := q.book.index[strings.TrimPrefix(item.ID, "urn:uuid:")]
		switch {
		case !known:
			return fmt.Errorf("item %d is of no public date: %s", n+1, item.ID)
		case date <= last:
			return fmt.Errorf("item %d does not start after the one before", n+1)
		case q.book.isEdited[date] && q.belongs(date, position) == out, !q.book.isEdited[date] && !q.isFound[date]:
			return fmt.Errorf("item %d does not belong to %s", n+1, q.query)
		case !q.book.mayBeCalled(date, item.Title, position):
			return fmt.Errorf("item %d is called %q", n+1, item.Title)
		}
		last, shown[date] = date, true
	}
	if len(feed.Items) < q.limit {
		last = len(q.book.dates)
	}
	return q.checkComplete(shown, last, position)
}

// mayBeCalled reports whether a feed of a position may show a date with a title, which says more
// than that of the event. Titles of the catalogue, which feeds clean, are not compared.
func (b *Book) mayBeCalled(date int, title string, position uint64) bool {
	for _, e := range b.eventsAt(date, position) {
		if e.Title == b.dates[date].Event.Title || strings.Contains(title, e.Title) {
			return true
		}
	}
	return false
}
