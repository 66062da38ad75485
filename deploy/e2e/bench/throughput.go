package main

import (
	"context"
	"fmt"
	"net/url"
	"sync/atomic"
	"time"

	"litfass/deploy/local/stack"
	"litfass/pkg/contracts/document"
)

const (
	rounds       = 5
	roundLasting = 3 * time.Second
)

// measureThroughput alternates between the query service and the engine with the same distinct
// queries, so that neither can answer from memory and both run under the same conditions; then it
// repeats queries to the query service.
func (b *bench) measureThroughput(ctx context.Context) error {
	var cold, raw round
	var asked atomic.Int64
	for range rounds {
		for _, turn := range []struct {
			sum  *round
			next func() request
		}{
			{&raw, func() request { return b.question(asked.Add(1)).ofEngine(b.stack) }},
			{&cold, func() request { return b.question(asked.Add(1)).ofQuery(b.stack) }},
		} {
			done, err := b.drive(ctx, b.span(roundLasting), turn.next)
			if err != nil {
				return err
			}
			turn.sum.add(done)
		}
	}
	b.report.add("search", "raw engine, cold", raw.perSecond(), "requests/s")
	b.report.add("search", "query service, cold", cold.perSecond(), "requests/s")
	b.report.aimed("search", "query service beside raw engine", cold.perSecond()/raw.perSecond(), "ratio", atLeast(0.9))
	b.report.add("search", "CPU of the engine, asked raw", raw.cpu(raw.engine), "ms/request")
	b.report.add("search", "CPU of the engine, asked by the query service", cold.cpu(cold.engine), "ms/request")
	b.report.add("search", "CPU of the query service", cold.cpu(cold.query), "ms/request")
	if err := b.measureWarm(ctx, &asked); err != nil {
		return err
	}
	return b.measureCold(ctx, &asked)
}

// measureWarm repeats a few queries; the type summary is requested without and with a kept answer.
func (b *bench) measureWarm(ctx context.Context, asked *atomic.Int64) error {
	few := asked.Load()
	repeated := func(path string) func() request {
		return func() request { return b.question(few+asked.Add(1)%50).at(b.stack, path) }
	}
	for _, load := range []struct {
		name string
		next func() request
	}{
		{"query service, 50 repeated questions", repeated("/api/events")},
		{"type summary, cold", func() request { return b.question(asked.Add(1)).at(b.stack, "/api/events/type-summary") }},
		{"type summary, 50 repeated questions", repeated("/api/events/type-summary")},
	} {
		done, err := b.drive(ctx, b.span(roundLasting), load.next)
		if err != nil {
			return err
		}
		b.report.add("search", load.name, done.perSecond(), "requests/s")
	}
	return nil
}

// question is one search, in the syntax of the interface and in that of the engine.
type question struct {
	parameters url.Values
	words      string
	filter     []string
}

// question returns the n-th of many distinct queries: two days, and one of four other conditions.
func (b *bench) question(n int64) question {
	start := time.Now().AddDate(0, 0, int(n%360)-170)
	end := start.AddDate(0, 0, 30+int(n/360%330))
	q := question{
		parameters: url.Values{"start": {start.Format(time.DateOnly)}, "end": {end.Format(time.DateOnly)}},
		filter:     []string{"start_day >= " + start.Format("20060102"), "end_day <= " + end.Format("20060102")},
	}
	switch n % 4 {
	case 0:
		city := cities[n/4%int64(len(cities))]
		q.also("city", city, `city_key = "`+document.ExactKey(city)+`"`)
	case 1:
		id := fmt.Sprint(15 + n/4%40)
		q.also("event_types", id, "type_ids = "+id)
	case 2:
		tag := keywords[n/4%int64(len(keywords))]
		q.also("tags", tag, `tag_keys = "`+document.ExactKey(tag)+`"`)
	case 3:
		q.words = nouns[n/4%int64(len(nouns))]
		q.parameters.Set("search", q.words)
		q.parameters.Set("sort", "start")
	}
	return q
}

func (q *question) also(parameter, value, filter string) {
	q.parameters.Set(parameter, value)
	q.filter = append(q.filter, filter)
}

func (q question) ofQuery(s *stack.Stack) request { return q.at(s, "/api/events") }

// at returns the query for one operation of the query service.
func (q question) at(s *stack.Stack, path string) request {
	return request{method: "GET", url: s.ServiceURL(stack.Query) + path + "?" + q.parameters.Encode()}
}

// ofEngine returns the query for the engine, for the same page of the same attributes in the same
// order.
func (q question) ofEngine(s *stack.Stack) request {
	body := encoded(map[string]any{
		"q": q.words, "filter": q.filter, "sort": []string{"start_key:asc", "date_uuid:asc"}, "limit": 20,
		"attributesToRetrieve": document.EntryAttributes, "matchingStrategy": "all",
	})
	return request{method: "POST", url: s.MeiliURL() + "/indexes/" + document.Dates + "/search", key: s.ReadKey(), body: body}
}
