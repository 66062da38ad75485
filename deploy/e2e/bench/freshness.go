package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/meilisearch/meilisearch-go"

	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
	"litfass/pkg/chassis/index"
	"litfass/pkg/contracts/document"
)

// measureFreshness edits one event after the other and measures the time from the commit in
// PostgreSQL until a search finds a word of the new title. In turns with that, it measures the time
// that the bare engine takes for an edit of that size.
func (b *bench) measureFreshness(ctx context.Context) error {
	commits, err := b.watchCommits(ctx)
	if err != nil {
		return err
	}
	defer commits.Close(context.WithoutCancel(ctx))
	var whole, alone durations
	for n := range b.some(b.edits) {
		committed, found, err := b.follow(ctx, commits, b.edited(n), fmt.Sprintf("Neufassung zqxk%dvwj", n))
		if err != nil {
			return fmt.Errorf("edit %d: %w", n, err)
		}
		whole = append(whole, found.Sub(committed))
		took, err := b.engineAlone(ctx, n)
		if err != nil {
			return fmt.Errorf("edit %d by the engine alone: %w", n, err)
		}
		alone = append(alone, took)
	}
	b.report.add("freshness", "edits", float64(len(whole)), "")
	b.report.aimed("freshness", "commit to search, p50", whole.percentile(50), "ms", atMost(150))
	b.report.aimed("freshness", "commit to search, p99", whole.percentile(99), "ms", atMost(600))
	b.report.add("freshness", "commit to search, most", whole.percentile(100), "ms")
	b.report.add("freshness", "the engine alone, p50", alone.percentile(50), "ms")
	b.report.add("freshness", "the engine alone, p99", alone.percentile(99), "ms")
	return nil
}

type durations []time.Duration

// percentile returns a percentile in milliseconds, 0 of none.
func (d durations) percentile(percent int) float64 {
	if len(d) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(d))
	return float64(sorted[(len(sorted)-1)*percent/100].Microseconds()) / 1000
}

// engineAlone writes an edited event and its dates to the index again, and returns the time
// reported by the engine: from the start of the first of two tasks to the end of both. It writes
// the documents that the index holds with another word, and then with the original one, so that the
// index equals the stream again.
func (b *bench) engineAlone(ctx context.Context, n int) (time.Duration, error) {
	engine := index.Connect(index.Config{URL: b.stack.MeiliURL(), Key: b.stack.MeiliKey()})
	event := b.edited(n)
	var dates, entities []index.Document
	err := errors.Join(
		engine.Each(ctx, document.Dates, `uuid = "`+event.UUID+`"`, nil, keepIn(&dates)),
		engine.ByID(ctx, document.Events, []string{event.UUID}, nil, keepIn(&entities)),
	)
	if err != nil {
		return 0, err
	}
	words := dates[0]["title_words"]
	took, err := engineWrites(ctx, engine, dates, entities, "title_words", json.RawMessage(`"zwischenfassung"`))
	if err != nil {
		return 0, err
	}
	_, err = engineWrites(ctx, engine, dates, entities, "title_words", words)
	return took, err
}

func keepIn(list *[]index.Document) func(index.Document) error {
	return func(d index.Document) error {
		*list = append(*list, d)
		return nil
	}
}

// engineWrites writes an event's documents with another value of an attribute of its dates, and
// returns how long the engine took.
func engineWrites(
	ctx context.Context, engine *index.Client, dates, entities []index.Document, key string, value json.RawMessage,
) (time.Duration, error) {
	var tasks []int64
	for _, part := range []struct {
		index     string
		documents []index.Document
	}{{document.Dates, dates}, {document.Events, entities}} {
		var lines [][]byte
		for _, d := range part.documents {
			if part.index == document.Dates {
				d[key] = value
			}
			line, err := json.Marshal(d)
			if err != nil {
				return 0, err
			}
			lines = append(lines, line)
		}
		started, err := engine.Add(ctx, part.index, lines)
		if err != nil {
			return 0, err
		}
		tasks = append(tasks, started...)
	}
	if err := engine.Wait(ctx, tasks...); err != nil {
		return 0, err
	}
	answer, err := engine.Engine().GetTasksWithContext(ctx, &meilisearch.TasksQuery{UIDS: tasks})
	if err != nil {
		return 0, err
	}
	var first, last time.Time
	for _, task := range answer.Results {
		if first.IsZero() || task.EnqueuedAt.Before(first) {
			first = task.EnqueuedAt
		}
		if task.FinishedAt.After(last) {
			last = task.FinishedAt
		}
	}
	return last.Sub(first), nil
}

// watchCommits returns a connection that PostgreSQL notifies of every commit with something to
// publish, like the relay.
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

// edited returns the event that the n-th edit is about.
func (b *bench) edited(n int) *reference.Event {
	return b.catalogue.Events[n*len(b.catalogue.Events)/b.some(b.edits)]
}

// follow gives an event a title, and returns when that was committed and when a search found it.
func (b *bench) follow(ctx context.Context, commits *pgx.Conn, event *reference.Event, title string) (committed, found time.Time, err error) {
	event.Title = title
	path, err := catalogFile(&reference.Catalogue{Events: []*reference.Event{event}})
	if err != nil {
		return committed, found, err
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
		return committed, found, fmt.Errorf("no commit was seen: %w", err)
	}
	committed = time.Now()
	q := generate.Query{Parameters: reference.Parameters{"search": event.Title, "event_uuids": event.UUID}}
	for {
		page, err := b.query.Search(ctx, q)
		if err != nil {
			return committed, found, err
		}
		if len(page.Events) > 0 {
			found = time.Now()
			return committed, found, <-imported
		}
		if err := pause(ctx, time.Millisecond); err != nil {
			return committed, found, err
		}
	}
}
