package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"litfass/deploy/local/stack"
	"litfass/pkg/contracts/document"
)

// coldLasting is a round of reads that are each asked once: a catalogue has fewer events than it
// has searches.
const coldLasting = time.Second

// measureCold compares the query service with the engine, in turns, on details and lists that are
// each requested once, and compares cached type summaries with the engine's counts.
func (b *bench) measureCold(ctx context.Context, asked *atomic.Int64) error {
	if err := b.measureColdReads(ctx, "details of events", b.detail); err != nil {
		return err
	}
	if err := b.measureColdReads(ctx, "lists of venues", b.list); err != nil {
		return err
	}
	return b.measureSummaries(ctx, asked)
}

// measureColdReads compares one kind of reads with what the engine does for them.
func (b *bench) measureColdReads(ctx context.Context, name string, nth func(int) (query, raw request)) error {
	var cold, alone round
	var asked atomic.Int64
	for range rounds {
		for _, turn := range []struct {
			sum  *round
			next func() request
		}{
			{&alone, func() request { _, raw := nth(int(asked.Add(1))); return raw }},
			{&cold, func() request { query, _ := nth(int(asked.Add(1))); return query }},
		} {
			done, err := b.drive(ctx, b.span(coldLasting), turn.next)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			turn.sum.add(done)
		}
	}
	b.report.add("search", name+", raw engine", alone.perSecond(), "requests/s")
	b.report.add("search", name+", query service, cold", cold.perSecond(), "requests/s")
	b.report.aimed("search", name+", query service beside raw engine", cold.perSecond()/alone.perSecond(), "ratio", atLeast(0.9))
	return nil
}

// detail returns the details of an event, from the query service and from the engine.
func (b *bench) detail(n int) (query, raw request) {
	uuid := b.catalogue.Events[n%len(b.catalogue.Events)].UUID
	return request{method: "GET", url: b.stack.ServiceURL(stack.Query) + "/api/event/" + uuid},
		request{
			method: "GET", key: b.stack.ReadKey(),
			url: b.stack.MeiliURL() + "/indexes/" + document.Events + "/documents/" + uuid + "?fields=view",
		}
}

// list returns the venues of an organization, from the query service and from the engine. Each
// number is another limit, so that no list is asked for twice.
func (b *bench) list(n int) (query, raw request) {
	org := b.catalogue.Organizations[n%len(b.catalogue.Organizations)].UUID
	limit := 20 + n/len(b.catalogue.Organizations)%180
	body := encoded(map[string]any{
		"filter": `gone = false AND org_uuid = "` + org + `"`, "sort": []string{"name_sort:asc", "id:asc"}, "limit": limit,
		"attributesToRetrieve": []string{"view"},
	})
	return request{method: "GET", url: fmt.Sprintf("%s/api/venues?org_uuids=%s&limit=%d", b.stack.ServiceURL(stack.Query), org, limit)},
		request{method: "POST", url: b.stack.MeiliURL() + "/indexes/" + document.Venues + "/search", key: b.stack.ReadKey(), body: body}
}

// leastSummaries is how many kept type summaries are sent in the time of one that the engine
// counts, among a million dates.
const leastSummaries = 1000

// measureSummaries compares repeated type summaries with what the engine does for each.
func (b *bench) measureSummaries(ctx context.Context, asked *atomic.Int64) error {
	raw, err := b.drive(ctx, b.span(roundLasting), func() request { return b.question(asked.Add(1)).summaryOfEngine(b.stack) })
	if err != nil {
		return err
	}
	var repeated []question
	for i := range int64(50) {
		repeated = append(repeated, b.question(500_000+7*i))
	}
	kept := hot{
		base: b.stack.ServiceURL(stack.Query), requests: hotRequests(repeated, "/api/events/type-summary"),
		connections: connections, lasting: b.span(roundLasting),
	}
	if err := kept.once(); err != nil {
		return err
	}
	done, err := kept.run()
	if err != nil {
		return err
	}
	least := aim{}
	if b.dates >= 1_000_000 {
		least = atLeast(leastSummaries)
	}
	b.report.add("search", "type summary, raw engine", raw.perSecond(), "requests/s")
	b.report.add("search", "type summary, kept", done.perSecond(), "requests/s")
	b.report.judged("search", "type summary, kept beside raw engine", done.perSecond()/raw.perSecond(), "ratio", least)
	return nil
}

// summaryOfEngine returns the engine's search that counts what the type summary shows.
func (q question) summaryOfEngine(s *stack.Stack) request {
	body := encoded(map[string]any{
		"q": q.words, "filter": q.filter, "facets": []string{"type_ids", "genre_ids"}, "hitsPerPage": 0, "matchingStrategy": "all",
	})
	return request{method: "POST", url: s.MeiliURL() + "/indexes/" + document.Dates + "/search", key: s.ReadKey(), body: body}
}

func encoded(body map[string]any) []byte {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // plain values always encode
	}
	return text
}
