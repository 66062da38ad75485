package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

// measureFreshness edits one event after the other and takes the time from the commit in PostgreSQL until a search by a
// word that only the new title has finds it.
func (b *bench) measureFreshness(ctx context.Context) error {
	commits, err := b.watchCommits(ctx)
	if err != nil {
		return err
	}
	defer commits.Close(context.WithoutCancel(ctx))
	times := make([]time.Duration, 0, b.edits)
	for n := range b.edits {
		took, err := b.follow(ctx, commits, n)
		if err != nil {
			return fmt.Errorf("edit %d: %w", n, err)
		}
		times = append(times, took)
	}
	slices.Sort(times)
	at := func(percent int) float64 { return float64(times[(len(times)-1)*percent/100].Microseconds()) / 1000 }
	b.report.add("freshness", "edits", float64(len(times)), "", "")
	b.report.add("freshness", "commit to search, p50", at(50), "ms", "150")
	b.report.add("freshness", "commit to search, p99", at(99), "ms", "600")
	b.report.add("freshness", "commit to search, most", at(100), "ms", "")
	return nil
}

// watchCommits returns a connection that PostgreSQL tells of every commit with something to publish, as it tells the relay.
func (b *bench) watchCommits(ctx context.Context) (*pgx.Conn, error) {
	conn, err := pgx.Connect(ctx, b.stack.DatabaseURL())
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "LISTEN catalog_outbox"); err != nil {
		return nil, err
	}
	return conn, nil
}

// follow makes one edit and asks until it is found.
func (b *bench) follow(ctx context.Context, commits *pgx.Conn, n int) (time.Duration, error) {
	event := b.catalogue.Events[n*len(b.catalogue.Events)/b.edits]
	event.Title = fmt.Sprintf("Neufassung zqxk%dvwj", n)
	path, err := catalogFile(&reference.Catalogue{Events: []*reference.Event{event}})
	if err != nil {
		return 0, err
	}
	defer os.Remove(path)
	imported := make(chan error, 1)
	go func() {
		output, err := b.stack.Command(ctx, stack.Admin, "import", path).CombinedOutput()
		if err != nil {
			err = fmt.Errorf("admin import: %w\n%s", err, output)
		}
		imported <- err
	}()
	if _, err := commits.WaitForNotification(ctx); err != nil {
		return 0, fmt.Errorf("no commit was seen: %w", err)
	}
	committed := time.Now()
	q := generate.Query{Parameters: reference.Parameters{"search": event.Title, "event_uuids": event.UUID}}
	for {
		page, err := b.query.Search(ctx, q)
		if err != nil {
			return 0, err
		}
		if len(page.Events) > 0 {
			return time.Since(committed), <-imported
		}
		if err := pause(ctx, time.Millisecond); err != nil {
			return 0, err
		}
	}
}
