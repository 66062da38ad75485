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

// measureRebuild rebuilds the whole index while reads send a query that always has results, and
// counts every failed or empty read.
func (b *bench) measureRebuild(ctx context.Context) error {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	var reads, failed, empty atomic.Int64
	var readers sync.WaitGroup
	for n := range 4 {
		readers.Go(func() {
			for i := n; reading.Err() == nil; i += 4 {
				q := generate.Query{Parameters: reference.Parameters{"start": "today", "city": cities[i%len(cities)], "offset": fmt.Sprint(i % 50)}}
				page, err := b.query.Search(ctx, q)
				reads.Add(1)
				switch {
				case err != nil:
					failed.Add(1)
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
	b.report.aimed("rebuild", "failed reads", float64(failed.Load()), "", atMost(0))
	b.report.aimed("rebuild", "empty reads", float64(empty.Load()), "", atMost(0))
	return nil
}
