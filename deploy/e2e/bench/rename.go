package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

const (
	readers  = 4
	readRest = 10 * time.Millisecond // between two reads of a reader
)

// measureRename renames a venue that a tenth of all dates are in, and measures the time until all
// of them are found under the new name, and how long reads take meanwhile and just before.
func (b *bench) measureRename(ctx context.Context, o *organizer) error {
	venue, err := o.addVenue(ctx, "Haus zqxkvorher")
	if err != nil {
		return err
	}
	dates := max(1, b.dates/10)
	if err := b.fillVenue(ctx, o.org, venue, dates); err != nil {
		return err
	}
	if err := b.awaitTotal(ctx, reference.Parameters{"venue": "Haus zqxkvorher"}, dates); err != nil {
		return err
	}
	var asked atomic.Int64
	asked.Store(60_000) // questions that the search was not asked yet
	before, err := b.readDuring(ctx, &asked, func(ctx context.Context) error { return pause(ctx, b.span(loadLasting)) })
	if err != nil {
		return err
	}
	var answered, whole time.Duration
	meanwhile, err := b.readDuring(ctx, &asked, func(ctx context.Context) error {
		started := time.Now()
		if err := o.write(ctx, http.MethodPut, "/api/admin/venue/"+venue, map[string]any{"name": "Haus zqxknachher"}, nil); err != nil {
			return err
		}
		answered = time.Since(started)
		err := b.awaitTotal(ctx, reference.Parameters{"venue": "Haus zqxknachher"}, dates)
		whole = time.Since(started)
		return err
	})
	if err != nil {
		return err
	}
	name := fmt.Sprintf("rename of a venue with %d dates", dates)
	b.report.add("editing", name+", answer", float64(answered.Microseconds())/1000, "ms")
	b.report.add("editing", name+", until all are found", whole.Seconds(), "s")
	b.report.add("editing", "reads just before, p50", before.percentile(50), "ms")
	b.report.add("editing", "reads just before, p99", before.percentile(99), "ms")
	b.report.add("editing", "reads meanwhile", float64(len(meanwhile)), "")
	b.report.add("editing", "reads meanwhile, p50", meanwhile.percentile(50), "ms")
	b.report.add("editing", "reads meanwhile, p99", meanwhile.percentile(99), "ms")
	b.report.add("editing", "reads meanwhile beside just before, p99", meanwhile.percentile(99)/before.percentile(99), "ratio")
	return b.awaitTotal(ctx, reference.Parameters{"venue": "Haus zqxkvorher"}, 0)
}

// fillVenue imports released events with four dates each in the venue.
func (b *bench) fillVenue(ctx context.Context, org, venue string, dates int) error {
	m := &maker{Rand: rand.New(rand.NewPCG(5, 6)), today: time.Now()}
	for made := 0; made < dates; {
		e := m.eventAt(org, venue, "", min(4, dates-made))
		m.Events = append(m.Events, e)
		made += len(e.Dates)
	}
	path, err := catalogFile(&m.Catalogue)
	if err != nil {
		return err
	}
	defer os.Remove(path)
	if output, err := b.stack.Command(ctx, stack.Admin, "import", path).CombinedOutput(); err != nil {
		return fmt.Errorf("admin import: %w\n%s", err, output)
	}
	return b.stack.AwaitReady(ctx)
}

// readDuring sends a steady stream of distinct searches until work is done, and returns how long
// each took.
func (b *bench) readDuring(ctx context.Context, asked *atomic.Int64, work func(context.Context) error) (durations, error) {
	var over atomic.Bool
	worked := make(chan error, 1)
	go func() {
		worked <- work(ctx)
		over.Store(true)
	}()
	reads, err := repeat(ctx, load{
		clients: readers, rest: readRest, going: func() bool { return !over.Load() },
		work: func(ctx context.Context) error { return b.send(ctx, b.question(asked.Add(1)).ofQuery(b.stack)) },
	})
	return reads.took, errors.Join(err, <-worked)
}
