package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/stale"
)

// writes makes edits at a steady rate during a load, and measures the time from the response to
// each edit until public answers have its position.
type writes struct {
	editor interface{ Next() stale.Edit }
	client *client.Client
	token  string
	probe  string // a search that is asked for the position

	sent    atomic.Int64
	retries atomic.Int64 // requests that were repeated because they got no answer or a 5xx

	mu      sync.Mutex
	waiting map[*written]bool
	took    durations
}

// by returns writes of another editor with the rights of w.
func (w *writes) by(editor interface{ Next() stale.Edit }) *writes {
	return &writes{editor: editor, client: w.client, token: w.token, probe: w.probe, waiting: map[*written]bool{}}
}

// written is an edit that is answered.
type written struct {
	position uint64
	at       time.Time
}

// during makes edits at a rate per second until work returns. It returns how many a second it made.
func (w *writes) during(ctx context.Context, rate int, work func() error) (perSecond float64, err error) {
	if rate == 0 {
		return 0, work()
	}
	ctx, stop := context.WithCancel(ctx)
	due := make(chan struct{}, rate) // at most one second's worth of edits waits
	began, before := time.Now(), w.sent.Load()
	var first failure
	var group sync.WaitGroup
	group.Go(func() { beat(ctx, time.Second/time.Duration(rate), due) })
	for range editors {
		group.Go(func() {
			for range due {
				if err := w.make(ctx); err != nil && ctx.Err() == nil {
					first.note(err)
				}
			}
		})
	}
	watching, stopWatching := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWatching()
	go w.watch(watching)
	err = work()
	elapsed := time.Since(began)
	made := w.sent.Load() - before
	stop()
	group.Wait()
	w.settle(context.WithoutCancel(ctx))
	return float64(made) / elapsed.Seconds(), errors.Join(err, first.err())
}

// longestSettle is how long public answers are waited for after the last edit.
const longestSettle = 10 * time.Second

// settle waits until public answers name the positions of all edits. An edit that is not public by
// then counts with the time that it has taken so far.
func (w *writes) settle(ctx context.Context) {
	left := func() int {
		w.mu.Lock()
		defer w.mu.Unlock()
		return len(w.waiting)
	}
	for end := time.Now().Add(longestSettle); left() > 0 && time.Now().Before(end); {
		_ = pause(ctx, 10*time.Millisecond) // ctx does not end
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for edit := range w.waiting {
		w.took = append(w.took, time.Since(edit.at))
		delete(w.waiting, edit)
	}
}

// beat sends at each interval, also when the receivers are late, until ctx ends.
func beat(ctx context.Context, interval time.Duration, due chan<- struct{}) {
	defer close(due)
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		select {
		case due <- struct{}{}:
		default: // the write side is behind by a second: the report shows the rate that was reached
		}
	}
}

// make makes one edit. Once begun it is made, also when ctx ends.
func (w *writes) make(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	edit := w.editor.Next()
	position, err := w.send(context.WithoutCancel(ctx), edit)
	if err != nil {
		return err
	}
	edit.Done(position)
	w.sent.Add(1)
	w.wait(position)
	return nil
}

// wait measures from now on until public answers have the position.
func (w *writes) wait(position uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting[&written{position, time.Now()}] = true
}

// mostRetries bounds how often an edit is sent, with retryRest between two times.
const (
	mostRetries = 1200
	retryRest   = 100 * time.Millisecond
)

// send sends an edit until it is answered with success. A refusal is an error.
func (w *writes) send(ctx context.Context, edit stale.Edit) (position uint64, err error) {
	body, err := json.Marshal(edit.Body)
	if err != nil {
		return 0, err
	}
	header := http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + w.token}}
	for range mostRetries {
		answer, err := w.client.Do(ctx, edit.Method, edit.Path, header, body)
		switch {
		case err == nil && (answer.Status == http.StatusOK || answer.Status == http.StatusCreated):
			return client.Position(answer.Header), nil
		case err == nil && answer.Status < http.StatusInternalServerError:
			return 0, fmt.Errorf("%s %s: %d %.300s", edit.Method, edit.Path, answer.Status, answer.Body)
		}
		w.retries.Add(1)
		if err := pause(ctx, retryRest); err != nil {
			return 0, err
		}
	}
	return 0, fmt.Errorf("%s %s: no success after %d times", edit.Method, edit.Path, mostRetries)
}

// watch looks for the position of the public answers every few milliseconds.
func (w *writes) watch(ctx context.Context) {
	request, response := &fasthttp.Request{}, &fasthttp.Response{}
	request.SetRequestURI(w.probe)
	for ctx.Err() == nil {
		if err := fasthttp.DoTimeout(request, response, 5*time.Second); err == nil {
			w.reached(response)
		}
		_ = pause(ctx, 10*time.Millisecond) // the loop looks whether ctx has ended
	}
}

func (w *writes) reached(response *fasthttp.Response) {
	now := time.Now()
	header := http.Header{client.PositionHeader: {string(response.Header.Peek(client.PositionHeader))}}
	position := client.Position(header)
	w.mu.Lock()
	defer w.mu.Unlock()
	for edit := range w.waiting {
		if edit.position <= position {
			w.took = append(w.took, now.Sub(edit.at))
			delete(w.waiting, edit)
		}
	}
}

// taken returns the times since the last call.
func (w *writes) taken() durations {
	w.mu.Lock()
	defer w.mu.Unlock()
	took := w.took
	w.took = nil
	return took
}
