package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

// measureRebuild rebuilds the whole index while reads send queries that always have results, and
// counts every failed or empty read: each city of the catalogue has a venue with about 50 dates.
func (b *bench) measureRebuild(ctx context.Context) error {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	var reads, failed, empty atomic.Int64
	var first failure
	var readers sync.WaitGroup
	for n := range 4 {
		readers.Go(func() {
			for i := n; reading.Err() == nil; i += 4 {
				city := b.catalogue.Venues[i%len(b.catalogue.Venues)].City
				q := generate.Query{Parameters: reference.Parameters{"start": "today", "city": string(city), "offset": fmt.Sprint(i % 10)}}
				page, err := b.query.Search(ctx, q)
				reads.Add(1)
				switch {
				case err != nil:
					failed.Add(1)
					first.note(err)
				case len(page.Events) == 0:
					empty.Add(1)
				}
				_ = pause(reading, 10*time.Millisecond) // a steady stream of reads, not a load
			}
		})
	}
	started := time.Now()
	output, err := b.stack.Command(ctx, stack.Projector, "rebuild").CombinedOutput()
	elapsed := time.Since(started)
	stop()
	readers.Wait()
	if err != nil {
		return fmt.Errorf("projector rebuild: %w\n%s", err, output)
	}
	b.report.add("rebuild", "with reads running", float64(b.dates)/elapsed.Seconds(), "dates/s")
	b.report.add("rebuild", "duration", elapsed.Seconds(), "s")
	b.report.add("rebuild", "reads meanwhile", float64(reads.Load()), "")
	b.report.none("rebuild", "failed reads", int(failed.Load()), first.err())
	b.report.none("rebuild", "empty reads", int(empty.Load()), nil)
	return nil
}
