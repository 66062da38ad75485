package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"litfass/deploy/local/stack"
)

// connections is the number of concurrent requests.
const connections = 8

// request is one request of a load.
type request struct {
	method, url, key string
	body             []byte
}

// round is the result of one round of a load.
type round struct {
	requests int
	elapsed  time.Duration
	query    time.Duration // CPU of the query service
	engine   time.Duration // CPU of Meilisearch
}

func (r *round) add(other round) {
	r.requests += other.requests
	r.elapsed += other.elapsed
	r.query += other.query
	r.engine += other.engine
}

func (r round) perSecond() float64 { return float64(r.requests) / r.elapsed.Seconds() }

// cpu returns milliseconds per request.
func (r round) cpu(of time.Duration) float64 {
	return float64(of.Microseconds()) / 1000 / float64(r.requests)
}

// drive sends the requests of next for the given time, and fails at the first answer that is not
// 200.
func (b *bench) drive(ctx context.Context, lasting time.Duration, next func() request) (round, error) {
	before, err := b.cpu()
	if err != nil {
		return round{}, err
	}
	var sent atomic.Int64
	var first failure
	var workers sync.WaitGroup
	started := time.Now()
	for range connections {
		workers.Go(func() {
			for time.Since(started) < lasting && !first.happened() {
				if err := b.send(ctx, next()); err != nil {
					first.note(err)
					return
				}
				sent.Add(1)
			}
		})
	}
	workers.Wait()
	elapsed := time.Since(started)
	after, err := b.cpu()
	if err != nil {
		return round{}, err
	}
	return round{int(sent.Load()), elapsed, after.query - before.query, after.engine - before.engine}, first.err()
}

// send sends one request and reads the whole answer.
func (b *bench) send(ctx context.Context, r request) error {
	message, err := http.NewRequestWithContext(ctx, r.method, r.url, bytes.NewReader(r.body))
	if err != nil {
		return err
	}
	if r.key != "" {
		message.Header.Set("Authorization", "Bearer "+r.key)
		message.Header.Set("Content-Type", "application/json")
	}
	response, err := b.query.HTTP.Do(message)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		complaint, _ := io.ReadAll(io.LimitReader(response.Body, 500)) // the status is reported in any case
		return fmt.Errorf("%s %s: %s: %s", r.method, r.url, response.Status, complaint)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

// cpu returns the CPU time of the query service and the engine so far.
func (b *bench) cpu() (r round, err error) {
	if r.query, err = cpuTime(b.stack.Process(stack.Query).PID()); err != nil {
		return r, err
	}
	r.engine, err = cpuTime(b.stack.Process(stack.Meili).PID())
	return r, err
}

// load is work that clients do again and again, each as soon as it has rested after the last time.
type load struct {
	clients int
	rest    time.Duration
	going   func() bool // whether a client begins again
	work    func(context.Context) error
}

// lasting returns a load's going that ends after some time, counted from now.
func lasting(moment time.Duration) func() bool {
	end := time.Now().Add(moment)
	return func() bool { return time.Now().Before(end) }
}

// timed is the result of a load: how long the work took each time, and all of it.
type timed struct {
	took    durations
	elapsed time.Duration
}

func (t timed) perSecond() float64 { return float64(len(t.took)) / t.elapsed.Seconds() }

// repeat runs a load until it ends, or work fails for the first time.
func repeat(ctx context.Context, l load) (timed, error) {
	took := make([]durations, l.clients)
	var first failure
	started := time.Now()
	atOnce(l.clients, func(n int) {
		for l.going() && !first.happened() {
			begun := time.Now()
			err := l.work(ctx)
			took[n] = append(took[n], time.Since(begun))
			if err == nil && l.rest > 0 {
				err = pause(ctx, l.rest)
			}
			if err != nil {
				first.note(err)
			}
		}
	})
	return timed{slices.Concat(took...), time.Since(started)}, first.err()
}

// atOnce runs work n times concurrently and waits for all.
func atOnce(times int, work func(n int)) {
	var group sync.WaitGroup
	for n := range times {
		group.Go(func() { work(n) })
	}
	group.Wait()
}

// failure keeps the first error of several goroutines.
type failure struct {
	mutex sync.Mutex
	first error
}

func (f *failure) note(err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.first == nil {
		f.first = err
	}
}

func (f *failure) err() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.first
}

func (f *failure) happened() bool { return f.err() != nil }
