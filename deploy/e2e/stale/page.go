package stale

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"litfass/deploy/e2e/client"
)

// heading is the title of an event's page of the site.
var heading = regexp.MustCompile(`(?s)<h1[^>]*>(.*?)</h1>`)

// AskPage asks a site for the page of an event that was edited lately, and compares its title with
// the book at the position that the page names. The checker's client asks the site then.
func (k *Checker) AskPage(ctx context.Context) {
	k.mu.Lock()
	about, found := k.book.lately(k.draw)
	k.mu.Unlock()
	if !found || about.kind != event {
		return
	}
	k.compare(ctx, "pages", "/event/"+about.uuid, func(a client.Answer, position uint64) error {
		if a.Status == http.StatusNotFound {
			return k.book.checkEntity(about, nil, position)
		}
		match := heading.FindSubmatch(a.Body)
		if match == nil {
			return fmt.Errorf("%w: the page has no heading", errFailed)
		}
		return k.book.checkTitle(about.uuid, strings.TrimSpace(html.UnescapeString(string(match[1]))), position)
	})
}

// checkTitle: a page of a position shows an event, by this title.
func (b *Book) checkTitle(uuid, title string, position uint64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var titles []string
	for _, is := range b.events[uuid].at(position) {
		if b.isPublic(is) {
			titles = append(titles, is.Title)
		}
	}
	if !slices.Contains(titles, title) {
		return fmt.Errorf("the page of event %s shows the title %q, want one of %q", uuid, title, titles)
	}
	return nil
}
