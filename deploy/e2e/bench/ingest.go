package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"

	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

// measureImport imports the catalogue and waits until the index has all of it.
func (b *bench) measureImport(ctx context.Context) error {
	var err error
	if b.catalogue, err = believable(b.dates, time.Now(), b.full); err != nil {
		return err
	}
	path, err := catalogFile(b.catalogue)
	if err != nil {
		return err
	}
	defer os.Remove(path)

	before, err := b.usage()
	if err != nil {
		return err
	}
	started := time.Now()
	command := b.stack.Command(ctx, stack.Admin, "import", path)
	peak, output, err := runMeasured(ctx, command)
	if err != nil {
		return fmt.Errorf("admin import: %w\n%s", err, output)
	}
	written := time.Since(started)
	if err := b.stack.AwaitReady(ctx); err != nil {
		return err
	}
	if err := b.awaitTotal(ctx, reference.Parameters{}, b.dates); err != nil {
		return err
	}
	whole := time.Since(started)
	after, err := b.usage()
	if err != nil {
		return err
	}
	b.report.add("import", "dates", float64(b.dates), "")
	b.report.aimed("import", "end to end", float64(b.dates)/whole.Seconds(), "dates/s", atLeast(3000))
	b.report.add("import", "until the index has all", whole.Seconds(), "s")
	b.report.add("import", "until PostgreSQL has all", written.Seconds(), "s")
	all := command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	b.report.add("import", "CPU of admin import", all.Seconds(), "s")
	for _, name := range processes {
		spent := after.each[name] - before.each[name]
		b.report.add("import", "CPU of "+name, spent.Seconds(), "s")
		all += spent
	}
	b.report.add("import", "CPU of all", all.Seconds()*1000/float64(b.dates), "ms/date")
	b.report.aimed("memory", "admin import, peak", peak, "MB", atMost(150))
	peak, err = peakMB(b.stack.Process(stack.Projector).PID())
	if err != nil {
		return err
	}
	b.report.add("memory", "projector, peak until the import's end", peak, "MB")
	return nil
}

// runMeasured runs a command and returns its greatest memory in MB, and its output. The kernel's
// figure for an ended child is at least the memory of the process that has started it.
func runMeasured(ctx context.Context, command *exec.Cmd) (peak float64, output []byte, err error) {
	watching, stop := context.WithCancel(ctx)
	var watch sync.WaitGroup
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	if err := command.Start(); err != nil {
		stop()
		return 0, nil, err
	}
	watch.Go(func() {
		for pause(watching, 20*time.Millisecond) == nil {
			if seen, err := peakMB(command.Process.Pid); err == nil {
				peak = max(peak, seen)
			}
		}
	})
	err = command.Wait()
	stop()
	watch.Wait()
	return peak, out.Bytes(), err
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

// awaitTotal waits until the public side counts this many dates under a filter.
func (b *bench) awaitTotal(ctx context.Context, filter reference.Parameters, dates int) error {
	for {
		summary, err := b.query.Summary(ctx, filter)
		if err == nil && *summary.Total == dates {
			return nil
		}
		if err == nil {
			err = fmt.Errorf("it counts %d of %d dates", *summary.Total, dates)
		}
		if waited := pause(ctx, 50*time.Millisecond); waited != nil {
			return fmt.Errorf("the public side does not count the dates: %w", errors.Join(waited, err))
		}
	}
}

// pause waits, or returns the error of the context when it ends first.
func pause(ctx context.Context, moment time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(moment):
		return nil
	}
}
