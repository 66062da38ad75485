package main

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/local/stack"
)

// pageQuestions is how many filters the pages are repeated with.
const pageQuestions = 200

// pageEdits are the rates of edits per second during which pages are repeated.
var pageEdits = []int{0, 20}

// commonPages are pages that visitors open without a search of their own.
var commonPages = []string{
	"/", "/map", "/month", "/?on=today", "/?on=weekend", "/?city=Kiel", "/?city=Hamburg&categories=2", "/?search=konzert",
}

// measurePages compares the pages of the list with the API's answers to the same filters: cached
// and repeated, also while organizers write, and requested for the first time. During the edits it
// looks for pages that are older than the position that they claim.
func (b *bench) measurePages(ctx context.Context) error {
	r := &reading{bench: b, sums: map[string]*hotSum{}}
	for i := range int64(b.some(pageQuestions)) {
		r.questions = append(r.questions, b.question(400_000+7*i))
	}
	edited := b.beside
	if edited == nil {
		var err error
		if edited, err = b.newReading(ctx); err != nil {
			return err
		}
	}
	r.writes, r.checker = edited.writes, edited.checker.At(client.New(b.stack.ServiceURL(stack.Site), connections))
	r.ask = r.checker.AskPage
	if err := r.firstPages(ctx); err != nil {
		return err
	}
	if err := r.checked(ctx, checksBeside, func() error { return r.pageLoads(ctx) }); err != nil {
		return err
	}
	if err := r.askUntilChecked(ctx, "pages"); err != nil {
		return err
	}
	if err := r.coldPages(ctx); err != nil {
		return err
	}
	if err := r.suggestions(ctx); err != nil {
		return err
	}
	r.reportPages()
	return nil
}

// firstPages asks for the pages without a filter, whose counts are of the whole catalogue, for the
// first time.
func (r *reading) firstPages(ctx context.Context) error {
	for _, page := range []struct {
		name, path string
		most       float64
	}{{"list", "/", 150}, {"map", "/map", 250}} {
		began := time.Now()
		if err := r.send(ctx, request{method: "GET", url: r.stack.ServiceURL(stack.Site) + page.path}); err != nil {
			return err
		}
		r.bench.report.aimed("pages", page.name+" without a filter, for the first time", float64(time.Since(began).Microseconds())/1000, "ms", atMost(page.most))
	}
	return nil
}

// listing asks the API for what a page of the list shows of a question.
func (q question) listing() url.Values {
	parameters := url.Values{"group": {"event"}, "limit": {"24"}}
	for name, values := range q.parameters {
		parameters[name] = values
	}
	return parameters
}

// pageLoads repeats pages and answers in turns.
func (r *reading) pageLoads(ctx context.Context) error {
	pages, answers := hotRequests(r.questions, "/"), hotRequests(r.questions, "/api/events")
	common := make([]hotRequest, len(commonPages))
	for i, path := range commonPages {
		common[i] = hotRequest{method: "GET", uri: path, tag: new(atomic.Pointer[string])}
	}
	for i, q := range r.questions {
		answers[i].uri = "/api/events?" + q.listing().Encode()
	}
	for range hotTurns {
		for _, rate := range pageEdits {
			for _, load := range []struct {
				what string
				hot
			}{
				{"answers of the API", hot{base: r.stack.ServiceURL(stack.Query), requests: answers, connections: connections}},
				{"pages", hot{base: r.stack.ServiceURL(stack.Site), requests: pages, connections: connections}},
				{"common pages", hot{base: r.stack.ServiceURL(stack.Site), requests: common, connections: connections}},
				{"pages, gzip", hot{base: r.stack.ServiceURL(stack.Site), requests: pages, connections: connections, encoding: "gzip"}},
			} {
				if err := r.measure(ctx, hotName(rate, load.what), rate, r.writes, load.hot); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// coldPages asks for pages and answers that were not asked for before, in turns.
func (r *reading) coldPages(ctx context.Context) error {
	var pages, answers round
	var asked atomic.Int64
	asked.Store(500_000)
	at := func(service, path string, parameters url.Values) request {
		return request{method: "GET", url: r.stack.ServiceURL(service) + path + "?" + parameters.Encode()}
	}
	for range rounds {
		for _, turn := range []struct {
			sum  *round
			next func() request
		}{
			{&answers, func() request { return at(stack.Query, "/api/events", r.question(asked.Add(1)).listing()) }},
			{&pages, func() request { return at(stack.Site, "/", r.question(asked.Add(1)).parameters) }},
		} {
			done, err := r.drive(ctx, r.span(roundLasting), turn.next)
			if err != nil {
				return err
			}
			turn.sum.add(done)
		}
	}
	r.bench.report.add("pages", "answers of the API, cold", answers.perSecond(), "requests/s")
	r.bench.report.add("pages", "pages, cold", pages.perSecond(), "requests/s")
	r.bench.report.add("pages", "pages beside answers, cold", pages.perSecond()/answers.perSecond(), "ratio")
	return nil
}

// suggestions types the words of the catalogue letter by letter, as a visitor does: one question
// after the other, each for the first time.
func (r *reading) suggestions(ctx context.Context) error {
	var typed []string
	for _, word := range slices.Concat(nouns, cities) {
		for n := 3; n <= len(word); n++ {
			typed = append(typed, strings.ToValidUTF8(word[:n], ""))
		}
	}
	var next atomic.Int64
	done, err := repeat(ctx, load{
		clients: 1, going: func() bool { return int(next.Load()) < len(typed) },
		work: func(ctx context.Context) error {
			path := "/api/suggest?q=" + url.QueryEscape(typed[next.Add(1)-1])
			return r.send(ctx, request{method: "GET", url: r.stack.ServiceURL(stack.Query) + path})
		},
	})
	if err != nil {
		return err
	}
	r.bench.report.aimed("pages", "suggestion, p50", done.took.percentile(50), "ms", atMost(20))
	r.bench.report.add("pages", "suggestion, p99", done.took.percentile(99), "ms")
	return nil
}

// reportPages adds the figures of all loads, and the aims that compare them.
func (r *reading) reportPages() {
	for _, name := range r.order {
		r.reportSum("pages", name, r.sums[name])
	}
	for _, rate := range pageEdits {
		limit := aim{}
		if rate == 0 {
			limit = atLeast(0.5)
		}
		ratio := r.sums[hotName(rate, "pages")].perSecond() / r.sums[hotName(rate, "answers of the API")].perSecond()
		r.bench.report.judged("pages", fmt.Sprintf("pages beside answers, %d edits/s", rate), ratio, "ratio", limit)
	}
	for _, what := range []string{"pages", "common pages"} {
		ratio := r.sums[hotName(20, what)].perSecond() / r.sums[hotName(0, what)].perSecond()
		r.bench.report.aimed("pages", what+", 20 edits/s beside none", ratio, "ratio", r.byDates(atLeast(0.5), atLeast(0.3)))
	}
	counts := r.checker.Counts()
	r.bench.report.aimed("pages", "pages checked", float64(counts.Checked["pages"]), "", atLeast(200))
	r.bench.report.none("pages", "stale pages", counts.Stale, counts.First)
	r.bench.report.none("pages", "checks without a page", counts.Failed, counts.Failure)
}
