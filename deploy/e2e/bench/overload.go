package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"

	"litfass/deploy/local/stack"
)

const (
	overloadFactor  = 5
	capacityLasting = 5 * time.Second
	overloadClients = 4000 // connections at most; what finds none free is not sent
	arrivalBeat     = 5 * time.Millisecond
	recoveryWithin  = 5.0 // seconds
)

// measureOverload sends searches at many times the capacity of the query service, on a fixed
// schedule rather than as answers arrive, together with repeated searches that are cached. The
// former are all distinct, so that none of them is cached.
func (b *bench) measureOverload(ctx context.Context) error {
	var asked atomic.Int64
	next := func() string { return b.distinct(asked.Add(1)) }
	capacity, err := b.drive(ctx, b.span(capacityLasting), func() request {
		return request{method: "GET", url: b.stack.ServiceURL(stack.Query) + next()}
	})
	if err != nil {
		return err
	}
	hotBefore, err := b.hotBeside(func() error { return pause(ctx, b.span(capacityLasting)) })
	if err != nil {
		return err
	}
	storm := &storm{base: b.stack.ServiceURL(stack.Query), next: next, rate: overloadFactor * capacity.perSecond()}
	watching, stopWatching := context.WithCancel(ctx)
	defer stopWatching()
	peak := b.watchMemory(watching)
	hotMeanwhile, err := b.hotBeside(func() error { return storm.blow(ctx, b.span(b.overload)) })
	if err != nil {
		return err
	}
	ended := time.Now()
	if err := b.awaitCalm(ctx, next); err != nil {
		return err
	}
	recovery := time.Since(ended)
	stopWatching()
	b.reportOverload(capacity, storm, hotBefore, hotMeanwhile, recovery, <-peak)
	return nil
}

// distinct returns one of many searches that all differ: question has 118,800 pairs of days.
func (b *bench) distinct(n int64) string {
	q := b.question(n)
	q.parameters.Set("limit", fmt.Sprint(20-n/118_800%10))
	return "/api/events?" + q.parameters.Encode()
}

func (b *bench) reportOverload(capacity round, s *storm, before, meanwhile hotRound, recovery time.Duration, peak float64) {
	const part = "overload"
	b.report.add(part, "capacity, 8 connections", capacity.perSecond(), "requests/s")
	b.report.add(part, "sent", float64(s.sent.Load())/s.lasted.Seconds(), "requests/s")
	b.report.add(part, "not sent, all connections busy", s.share(&s.unsent), "share")
	b.report.add(part, "accepted", float64(len(s.took))/s.lasted.Seconds(), "requests/s")
	if len(s.took) > 0 {
		b.report.add(part, "accepted, p50", s.took.percentile(50), "ms")
		b.report.add(part, "accepted, p99", s.took.percentile(99), "ms")
	}
	b.report.add(part, "answered 503", s.share(&s.refused), "share")
	b.report.none(part, "503 without Retry-After", int(s.bare.Load()), nil)
	b.report.aimed(part, "answered 408", s.share(&s.late), "share", atMost(0))
	b.report.none(part, "other failures", int(s.failed.Load()), s.failure.err())
	b.report.add(part, "kept answers before, p99", before.took.percentile(99), "ms")
	b.report.add(part, "kept answers meanwhile, p99", meanwhile.took.percentile(99), "ms")
	b.report.add(part, "kept answers meanwhile", float64(meanwhile.refused), "refused")
	b.report.aimed(part, "recovery", recovery.Seconds(), "s", atMost(recoveryWithin))
	b.report.add(part, "memory of query, most", peak, "MB")
}

// storm is an open load: requests arrive at a rate, whether those before are answered or not.
type storm struct {
	base string
	next func() string
	rate float64 // a second

	lasted                                    time.Duration
	sent, unsent, refused, bare, late, failed atomic.Int64
	mu                                        sync.Mutex
	took                                      durations // accepted requests
	failure                                   failure   // the first of failed
}

func (s *storm) share(of *atomic.Int64) float64 {
	return float64(of.Load()) / float64(max(1, s.sent.Load()+s.unsent.Load()))
}

// blow sends for the given time and waits for the answers.
func (s *storm) blow(ctx context.Context, lasting time.Duration) error {
	client := &fasthttp.HostClient{
		Addr: strings.TrimPrefix(s.base, "http://"), MaxConns: overloadClients, ReadTimeout: 30 * time.Second,
		MaxIdemponentCallAttempts: 1,
	}
	defer client.CloseIdleConnections()
	var group sync.WaitGroup
	began := time.Now()
	due := 0.0
	for time.Since(began) < lasting && ctx.Err() == nil {
		for arrived := s.rate * time.Since(began).Seconds(); due < arrived; due++ {
			group.Go(func() { s.send(client) })
		}
		_ = pause(ctx, arrivalBeat) // the loop ends with ctx
	}
	s.lasted = time.Since(began)
	group.Wait()
	return ctx.Err()
}

func (s *storm) send(client *fasthttp.HostClient) {
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	request.SetRequestURI(s.base + s.next())
	begun := time.Now()
	err := client.Do(request, response)
	took := time.Since(begun)
	if errors.Is(err, fasthttp.ErrNoFreeConns) {
		s.unsent.Add(1)
		return
	}
	s.sent.Add(1)
	switch {
	case err != nil:
		s.fail(err)
	case response.StatusCode() == fasthttp.StatusOK:
		s.mu.Lock()
		s.took = append(s.took, took)
		s.mu.Unlock()
	case response.StatusCode() == fasthttp.StatusServiceUnavailable:
		s.refused.Add(1)
		if len(response.Header.Peek("Retry-After")) == 0 {
			s.bare.Add(1)
		}
	case response.StatusCode() == fasthttp.StatusRequestTimeout: // on a busy machine, this process is slow to send
		s.late.Add(1)
	default:
		s.fail(fmt.Errorf("status %d: %.200s", response.StatusCode(), response.Body()))
	}
}

func (s *storm) fail(err error) {
	s.failed.Add(1)
	s.failure.note(err)
}

// hotBeside repeats few searches over two connections, at leisure, until work returns.
func (b *bench) hotBeside(work func() error) (hotRound, error) {
	var questions []question
	for i := range int64(20) {
		questions = append(questions, b.question(300_000+i))
	}
	h := hot{
		base: b.stack.ServiceURL(stack.Query), requests: hotRequests(questions, "/api/events"), connections: 2,
		lasting: time.Hour, rest: 5 * time.Millisecond, refusals: true, over: &atomic.Bool{},
	}
	if err := h.once(); err != nil {
		return hotRound{}, err
	}
	worked := make(chan error, 1)
	go func() {
		worked <- work()
		h.over.Store(true)
	}()
	done, err := h.run()
	return done, errors.Join(err, <-worked)
}

// watchMemory looks at the memory of the query service until ctx ends, and returns the most.
func (b *bench) watchMemory(ctx context.Context) <-chan float64 {
	most := make(chan float64, 1)
	go func() {
		peak := 0.0
		for ctx.Err() == nil {
			if now, err := shareMB(b.stack.Process(stack.Query).PID()); err == nil {
				peak = max(peak, now)
			}
			_ = pause(ctx, 200*time.Millisecond) // the loop ends with ctx
		}
		most <- peak
	}()
	return most
}

// calm is how many distinct searches in a row are answered at once after an overload.
const calm = 20

// awaitCalm waits until as many distinct searches in a row are answered, each within a second.
func (b *bench) awaitCalm(ctx context.Context, next func() string) error {
	for inARow := 0; inARow < calm; {
		begun := time.Now()
		answer, err := b.query.Get(ctx, next())
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if inARow++; err != nil || answer.Status != fasthttp.StatusOK || time.Since(begun) > time.Second {
			inARow = 0
		}
	}
	return nil
}
