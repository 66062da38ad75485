package eventfile

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"litfass/pkg/contracts/value"
)

// Page is a further page of a file, to which an ItemList leads.
type Page struct {
	Address string
	Data    []byte
}

// Links returns the addresses of the pages that the ItemLists of a page lead to for their events:
// those of the same server, each once, and at most one more than most. A list that has its events
// itself leads nowhere.
func Links(ctx context.Context, data []byte, address string, most int) (links []string) {
	w := newWork(ctx, len(data))
	text, _, err := decode(data, w)
	base, wrong := url.Parse(address)
	if err != nil || wrong != nil || guessFormat(text) != FormatPage {
		return nil
	}
	l := newLinkedEvents(linkedData(text, w), "", w)
	var walk func(item any, depth int)
	walk = func(item any, depth int) {
		if o, is := item.(object); is && slices.Contains(typesOf(o), "ItemList") {
			for _, element := range listOf(o["itemListElement"]) {
				if len(links) > most {
					return
				}
				to, err := base.Parse(l.linkOf(element))
				if err != nil || value.Host(to.Host) != value.Host(base.Host) || to.Scheme != base.Scheme || to.User != nil || l.linkOf(element) == "" {
					continue
				}
				if to.Fragment = ""; to.String() != base.String() && !slices.Contains(links, to.String()) {
					links = append(links, to.String())
				}
			}
		}
		eachChild(item, depth, func(child any) { walk(child, depth+1) })
	}
	walk(l.items, 0)
	return links
}

// linkOf returns the page that an element of a list only refers to, "" for another element.
func (l *linkedEvents) linkOf(element any) string {
	o, is := element.(object)
	if !is {
		return textOf(element)
	}
	item := l.resolve(o["item"])
	switch {
	case item == nil && o["item"] != nil:
		return textOf(o["item"])
	case item == nil:
		return textOf(o["url"])
	case textOf(item["startDate"]) != "" || item["eventSchedule"] != nil || item["subEvent"] != nil:
		return ""
	}
	link := textOf(item["url"])
	if link == "" {
		link = textOf(item["@id"])
	}
	return link
}

// furtherEvents returns the events of further pages. An id that only its page knows gets its
// address. full means that there are more than most, of which not all were read.
func furtherEvents(options Options, most int) (found []linkedEvent, full bool) {
	for _, page := range options.Pages {
		if !options.work.begin(page.Address) {
			break
		}
		text, _, err := decode(page.Data, options.work)
		if err != nil {
			continue
		}
		events, more := newLinkedEvents(linkedData(text, options.work), options.Until, options.work).all()
		if more || len(found)+len(events) > most {
			return found, true
		}
		for _, e := range events {
			if id := e.values["@id"]; !strings.Contains(id, ":") {
				e.values["@id"] = page.Address + "#" + strings.TrimPrefix(id, "#")
			}
			if e.values["url"] == "" {
				e.values["url"] = page.Address
			}
			found = append(found, e)
		}
	}
	return found, false
}
