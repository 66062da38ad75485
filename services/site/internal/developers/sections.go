package developers

import (
	"encoding/json"
	"slices"
)

// section is a part of the page: its texts are developers.<id> and developers.<id>.about.
type section struct {
	id       string
	examples []example
	links    []link
}

// link leads on to a page of this website, or to what it offers.
type link struct{ message, address string }

// sections returns the parts of the page in their order.
func (of subject) sections() []section {
	return slices.Concat([]section{
		{id: "search", examples: []example{of.dates("search", "/api/events", "group", "event", "limit", "3")}},
		{id: "facets", examples: []example{of.dates("facets", "/api/events/facets", "by", "city,categories,day", "group", "event")}},
	}, of.entities(), []section{
		{id: "paging", examples: []example{
			of.dates("paging", "/api/events", "limit", "5").next("last_event_start_at", "last_event_start_at", "last_event_date_uuid", "last_event_date_uuid"),
		}},
		{id: "changes", examples: []example{get("changes", "/api/changes", "city", of.city, "wait", "").next("after", "position")}},
		{id: "feeds", examples: []example{
			of.dates("ics", "/api/events.ics", "limit", "2"), of.dates("csv", "/api/events.csv", "limit", "2"),
		}, links: []link{{"developers.xlsx", "/api/events.xlsx?start=today"}, {"developers.jsonld", "/api/events.jsonld?start=today&limit=10"}}},
		{id: "embed", links: []link{{"footer.embed", "/embed/builder"}}},
		of.portals(),
		{id: "webhooks", examples: []example{get("webhooks", "/api/webhooks/event-types")}, links: []link{{"developers.console", "/console/"}}},
		of.open(),
		{id: "mcp", examples: []example{{id: "mcp", path: "/mcp", body: of.call()}}, links: []link{{"developers.llms", "/llms.txt"}}},
		{id: "clients", links: []link{{"developers.description", "/api/openapi.json"}, {"developers.reference", "/api/docs"}}},
	})
}

// dates returns an example with the dates to come in the city, or portal, of the examples.
func (of subject) dates(id, path string, parameters ...string) example {
	all := []string{"city", of.city, "start", "today"}
	if of.portal != "" {
		all = append(all, "portal", of.portal)
	}
	return get(id, path, append(all, parameters...)...)
}

// entities is the part about whole events and venues; none in an empty catalogue.
func (of subject) entities() []section {
	if of.event == "" {
		return nil
	}
	s := section{id: "entities", examples: []example{get("event", "/api/event/"+of.event, "lang", "en")}}
	if of.venue != "" {
		s.examples = append(s.examples, get("venue", "/api/venue/"+of.venue))
	}
	return []section{s}
}

// portals is the part about portals, with the one that the page is shown in.
func (of subject) portals() section {
	s := section{id: "portals", links: []link{{"developers.console", "/console/"}}}
	if of.portal != "" {
		s.examples = []example{get("portal", "/api/portal/"+of.portal)}
	}
	return s
}

// open is the part about the files with the whole catalogue, if there are some.
func (of subject) open() section {
	if !of.dumps {
		return section{id: "dumps"}
	}
	return section{
		id: "dumps", examples: []example{get("catalog", "/api/catalog.jsonld")},
		links: []link{{"events.jsonl.gz", "/api/dumps/events.jsonl.gz"}, {"events.csv", "/api/dumps/events.csv"}, {"events.xlsx", "/api/dumps/events.xlsx"}},
	}
}

// call returns the message by which a language model searches.
func (of subject) call() string {
	where := ""
	if of.city != "" {
		city, err := json.Marshal(of.city)
		if err != nil { // of a text
			panic(err)
		}
		where = `"city": ` + string(city) + `, `
	}
	return `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {` + "\n" +
		`  "name": "search_events", "arguments": {` + where + `"start": "today", "limit": 3}}}`
}
