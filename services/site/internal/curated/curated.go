// Package curated is the page of a list: a selection of events in the order of its editor.
package curated

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/detail"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

const (
	prefix = "/list/"
	// gone is the code of a list that is not there.
	gone = "list_gone"
	// maxEvents is the number of events in one answer of the API, which a list has at most.
	maxEvents = 200
)

// Mount adds the page of a list, and the page of all lists.
func Mount(r page.Router) {
	r.Page(allPath, showAll)
	r.Page(prefix+":slug", show)
}

// data is the data of the page of a list.
type data struct {
	publicapi.List
	Title string // in the language of the page, as the text
	Text  string
	Picks []pick
}

// pick is an event of a list with the notes of its editor.
type pick struct {
	publicapi.Listed
	Notes []string
}

// show answers the page of a list with its events that are not over.
func show(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	slug, err := url.PathUnescape(strings.TrimPrefix(r.Path, prefix))
	if err != nil {
		return view.Page{}, detail.Missing(gone)
	}
	var list publicapi.ListedEntries
	var events publicapi.Events
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() error { return api.Data(reading, "/api/list/"+url.PathEscape(slug), nil, &list) })
	reads.Go(func() error {
		err := api.Data(reading, "/api/events", url.Values{
			"list": {slug}, page.NotOver: {"true"}, "group": {"event"}, "limit": {strconv.Itoa(maxEvents)},
		}, &events)
		if fault.Is(err, fault.Invalid) { // the list is unknown, which is for the other read to say
			return nil
		}
		return err
	})
	err = reads.Wait()
	if fault.Is(err, fault.NotFound) {
		return view.Page{}, detail.Missing(gone)
	}
	if err != nil {
		return view.Page{}, err
	}
	s, err := detail.Scope(ctx, api, r, events.Events)
	if err != nil {
		return view.Page{}, err
	}
	return pageOf(s, dataOf(r.Text.Code, list, events.Events))
}

// dataOf joins a list with its events.
func dataOf(lang string, list publicapi.ListedEntries, events []publicapi.Listed) data {
	d := data{
		List: list.List, Title: cmp.Or(list.Titles[lang], list.Name),
		Text: cmp.Or(list.Descriptions[lang], string(list.Description)),
	}
	for _, event := range events {
		one := pick{Listed: event}
		for _, entry := range list.Entries {
			if note := string(entry.Note); entry.EventUUID == event.UUID && note != "" && !slices.Contains(one.Notes, note) {
				one.Notes = append(one.Notes, note)
			}
		}
		d.Picks = append(d.Picks, one)
	}
	return d
}

func pathOf(slug string) string { return prefix + url.PathEscape(slug) }

// filter returns the parameters that find the events of the list.
func (d data) filter() url.Values { return url.Values{"list": {d.Slug}} }

// feed returns the query of the feeds of the list.
func (d data) feed() string {
	return "?" + url.Values{"list": {d.Slug}, page.NotOver: {"true"}}.Encode()
}

func pageOf(s view.Scope, d data) (view.Page, error) {
	structured, err := structured(s, d)
	if err != nil {
		return view.Page{}, err
	}
	events := make([]publicapi.Listed, len(d.Picks))
	for i, one := range d.Picks {
		events[i] = one.Listed
	}
	return view.Page{
		Title: d.Title, Description: cmp.Or(view.Describe(d.Text), s.Text.With("curated.describe", "Title", d.Title)),
		Canonical: pathOf(d.Slug), Image: detail.ShareImageOf(events), HasFeed: true, Feed: d.feed(),
		Structured: structured, NoIndex: len(d.Picks) == 0, Content: list(s, d),
	}, nil
}

// structured describes the list to search engines (schema.org, ItemList).
func structured(s view.Scope, d data) ([]byte, error) {
	type element struct {
		Type     string `json:"@type"`
		Position int    `json:"position"`
		URL      string `json:"url"`
		Name     string `json:"name"`
	}
	items := make([]element, len(d.Picks))
	for i, one := range d.Picks {
		path, _ := view.EventPath(one.UUID, "")
		items[i] = element{Type: "ListItem", Position: i + 1, URL: s.Public + path, Name: one.Title}
	}
	text, err := json.Marshal(struct {
		Context     string    `json:"@context"`
		Type        string    `json:"@type"`
		Name        string    `json:"name"`
		Description string    `json:"description,omitempty"`
		URL         string    `json:"url"`
		Order       string    `json:"itemListOrder"`
		Number      int       `json:"numberOfItems"`
		Elements    []element `json:"itemListElement"`
	}{
		"https://schema.org", "ItemList", d.Title, view.Describe(d.Text), s.Public + pathOf(d.Slug),
		"https://schema.org/ItemListOrderAscending", len(items), items,
	})
	if err != nil {
		return nil, fmt.Errorf("describe a list: %w", err)
	}
	return text, nil
}
