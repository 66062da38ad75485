package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"litfass/deploy/e2e/stale"
)

// report adds the figures of all loads, and the aims that compare them.
func (r *reading) report(ctx context.Context) error {
	const part = "edits"
	for _, name := range r.order {
		r.reportSum(part, name, r.sums[name])
	}
	at := func(rate int) *hotSum { return r.sums[hotName(rate, "8 connections")] }
	still, raw, bare := at(0), r.sums["raw engine, 8 connections"], r.sums["bare Fiber handler, 8 connections"]
	r.bench.report.aimed(part, "without edits beside the raw engine", still.perSecond()/raw.perSecond(), "ratio", atLeast(25))
	r.bench.report.aimed(part, "without edits beside the bare handler", still.perSecond()/bare.perSecond(), "ratio", atLeast(0.75))
	r.bench.report.aimed(part, "without edits, p99", still.took.percentile(99), "ms", atMost(10))
	for _, rate := range hotEdits[1:] {
		limit := aim{}
		if rate == 20 {
			limit = r.byDates(atLeast(0.7), atLeast(0.4))
		}
		r.bench.report.judged(part, fmt.Sprintf("%d edits/s beside none", rate), at(rate).perSecond()/still.perSecond(), "ratio", limit)
	}
	mixed := r.sums[mixedName(20)]
	r.bench.report.aimed(part, "20 mixed edits/s beside none", mixed.perSecond()/r.sums[mixedName(0)].perSecond(), "ratio", r.byDates(atLeast(0.7), atLeast(0.4)))
	r.bench.report.aimed(part, "cached answers with 20 edits/s", at(20).hits/at(20).asks, "share", atLeast(0.99))
	r.bench.report.aimed(part, "cached answers with 20 mixed edits/s", mixed.hits/mixed.asks, "share", atLeast(0.99))
	r.reportFreshness(part)
	if err := r.reportCache(ctx, part); err != nil {
		return err
	}
	r.reportChecker(part, r.checker.Counts())
	return nil
}

// byDates returns the aim for a catalogue of the usual size, or for one of about a million dates.
func (b *bench) byDates(usual, large aim) aim {
	if b.dates > 500_000 {
		return large
	}
	return usual
}

// reportFreshness adds the times from the answer to an edit to the first public answer with it, by
// what else the machine did, and the CPU time of an edit by process.
func (r *reading) reportFreshness(part string) {
	for _, load := range []struct {
		name     string
		p50, p99 aim
	}{
		{fewReaders, aim{}, aim{}},
		{halfReaders, r.byDates(atMost(150), atMost(300)), r.byDates(atMost(500), atMost(900))},
		{ofTexts, r.byDates(atMost(150), atMost(300)), r.byDates(atMost(500), atMost(900))},
		{hotName(20, "8 connections"), aim{}, aim{}},
	} {
		public := r.sums[load.name].public
		r.bench.report.judged(part, load.name+", answer to public, p50", public.percentile(50), "ms", load.p50)
		r.bench.report.judged(part, load.name+", answer to public, p99", public.percentile(99), "ms", load.p99)
	}
	alone, busy := r.sums[fewReaders], r.sums[hotName(20, "8 connections")]
	for _, process := range processes {
		cpu := alone.cores[process] * 1000 / (alone.elapsed.Seconds() * 20)
		r.bench.report.add(part, "CPU of "+process+" for an edit", cpu, "ms")
		r.bench.report.add(part, "CPU of "+process+" with 20 edits/s", busy.cores[process]/busy.elapsed.Seconds(), "cores")
	}
}

// reportCache adds how often the query service patched a cached answer, and why it dropped others.
func (b *bench) reportCache(ctx context.Context, part string) error {
	answer, err := b.query.Get(ctx, "/metrics")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(answer.Body)) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		value, err := strconv.ParseFloat(text, 64)
		if err != nil || value == 0 {
			continue
		}
		if name == "litfass_query_cache_adjusted_total" {
			b.report.add(part, "cached answers patched", value, "")
		}
		if reason, found := strings.CutPrefix(name, `litfass_query_cache_dropped_total{reason="`); found {
			b.report.add(part, "cached answers dropped: "+strings.TrimSuffix(reason, `"}`), value, "")
		}
	}
	return nil
}

func (r *reading) reportSum(part, name string, sum *hotSum) {
	r.bench.report.add(part, name, sum.perSecond(), "requests/s")
	r.bench.report.add(part, name+", p50", sum.took.percentile(50), "ms")
	r.bench.report.add(part, name+", p99", sum.took.percentile(99), "ms")
	if sum.ofQuery && sum.asks > 0 {
		r.bench.report.add(part, name+", kept answers", sum.hits/sum.asks, "share")
	}
	if sum.rate > 0 {
		least := sum.made[0]
		for _, made := range sum.made {
			least = min(least, made)
		}
		r.bench.report.add(part, name+", edits made", least, "edits/s")
	}
	if sum.refused > 0 {
		r.bench.report.aimed(part, name+", refused", sum.share(sum.refused), "share", atMost(0))
	}
	if sum.compressed > 0 {
		r.bench.report.add(part, name+", compressed", sum.share(sum.compressed), "share")
	}
	if sum.unchanged > 0 {
		r.bench.report.add(part, name+", answered 304", sum.share(sum.unchanged), "share")
	}
}

// reportChecker adds what the checker has found.
func (b *bench) reportChecker(part string, counts stale.Counts) {
	for _, kind := range stale.Kinds {
		b.report.add(part, "answers checked: "+kind, float64(counts.Checked[kind]), "")
	}
	b.report.aimed(part, "answers checked", float64(counts.All()), "", atLeast(2000))
	b.report.none(part, "stale answers", counts.Stale, counts.First)
	b.report.none(part, "checks without an answer", counts.Failed, counts.Failure)
}

// cacheAnswers returns how many questions the query service has answered from what it keeps, and
// how many it could not.
func (b *bench) cacheAnswers(ctx context.Context) (hits, misses float64, err error) {
	answer, err := b.query.Get(ctx, "/metrics")
	if err == nil && answer.Status != http.StatusOK {
		err = fmt.Errorf("GET /metrics: %d", answer.Status)
	}
	if err != nil {
		return 0, 0, err
	}
	hits, misses = sumCacheAnswers(string(answer.Body))
	return hits, misses, nil
}

// sumCacheAnswers adds up the counter over all of its labels but the result.
func sumCacheAnswers(metrics string) (hits, misses float64) {
	lines := bufio.NewScanner(strings.NewReader(metrics))
	for lines.Scan() {
		line := lines.Text()
		if !strings.HasPrefix(line, "litfass_query_cache_answers_total{") {
			continue
		}
		value, err := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:], 64)
		switch {
		case err != nil:
		case strings.Contains(line, `result="miss"`):
			misses += value
		case strings.Contains(line, `result="hit"`):
			hits += value
		}
	}
	return hits, misses
}
