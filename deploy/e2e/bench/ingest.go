package main

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"

	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

// measureImport imports the catalogue and waits until the index has all of it.
func (b *bench) measureImport(ctx context.Context) error {
	b.catalogue = believable(b.dates, time.Now())
	path, err := catalogFile(b.catalogue)
	if err != nil {
		return err
	}
	defer os.Remove(path)

	started := time.Now()
	command := b.stack.Command(ctx, stack.Admin, "import", path)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("admin import: %w\n%s", err, output)
	}
	written := time.Since(started)
	if err := b.stack.AwaitReady(ctx); err != nil {
		return err
	}
	if err := b.awaitTotal(ctx, b.dates); err != nil {
		return err
	}
	whole := time.Since(started)
	b.report.add("import", "dates", float64(b.dates), "", "")
	b.report.add("import", "end to end", float64(b.dates)/whole.Seconds(), "dates/s", "3000")
	b.report.add("import", "until the index has all", whole.Seconds(), "s", "")
	b.report.add("import", "until PostgreSQL has all", written.Seconds(), "s", "")
	if usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage); ok {
		b.report.add("memory", "admin import, peak", float64(usage.Maxrss)/1024, "MB", "150")
	}
	return nil
}

// catalogFile writes the catalogue into a temporary file.
func catalogFile(c *reference.Catalogue) (path string, err error) {
	file, err := os.CreateTemp("", "litfass-bench-*.jsonl")
	if err != nil {
		return "", err
	}
	defer func() {
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
	}()
	return file.Name(), c.Write(file)
}

// awaitTotal waits until the public side counts so many dates.
func (b *bench) awaitTotal(ctx context.Context, dates int) error {
	for {
		summary, err := b.query.Summary(ctx, reference.Parameters{})
		if err == nil && *summary.Total == dates {
			return nil
		}
		if waitErr := pause(ctx, 20*time.Millisecond); waitErr != nil {
			return fmt.Errorf("the index does not get all %d dates: %w (last answer: %v, %v)", dates, waitErr, summary.Total, err)
		}
	}
}

// pause waits a moment, or returns the error of the context when it ends before.
func pause(ctx context.Context, moment time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(moment):
		return nil
	}
}
