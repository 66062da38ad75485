package main

import (
	"context"
	"fmt"
	"time"

	"litfass/deploy/local/stack"
	"litfass/pkg/chassis/index"
)

// diskSteps is how often the engine's files are measured while edits are made.
const diskSteps = 4

// measureDisk edits texts as fast as the services take them, and compares the engine's files with
// those of the fresh index and of one that is rebuilt.
func (b *bench) measureDisk(ctx context.Context) error {
	w, _, err := b.newWrites(ctx, "growing@example.org", 0, nil)
	if err != nil {
		return err
	}
	w.probe = b.stack.ServiceURL(stack.Query) + "/api/events?start=1999-01-01&end=1999-01-01"
	engine := index.Connect(index.Config{URL: b.stack.MeiliURL(), Key: b.stack.MeiliKey()})
	fresh, err := engine.Size(ctx)
	if err != nil {
		return err
	}
	b.report.add("disk", "the engine's files, fresh", megabytes(fresh.Whole), "MB")
	b.report.add("disk", "in use", megabytes(fresh.Used), "MB")
	for step := 1; step <= diskSteps; step++ {
		edits := int64(b.some(b.growth) * step / diskSteps)
		began, before := time.Now(), w.sent.Load()
		if _, err := w.during(ctx, fastest, func() error { return w.reach(ctx, edits) }); err != nil {
			return err
		}
		w.taken()
		if err := b.stack.AwaitReady(ctx); err != nil {
			return err
		}
		after, err := engine.Size(ctx)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("after %d edits", edits)
		b.report.add("disk", name+", a second", float64(w.sent.Load()-before)/time.Since(began).Seconds(), "")
		b.report.aimed("disk", name+", the engine's files", megabytes(after.Whole), "MB", atMost(1.5*megabytes(fresh.Whole)))
		b.report.add("disk", name+", in use", megabytes(after.Used), "MB")
	}
	return b.measureDiskOfRebuilt(ctx, engine)
}

// measureDiskOfRebuilt rebuilds the index and deletes the former one.
func (b *bench) measureDiskOfRebuilt(ctx context.Context, engine *index.Client) error {
	for _, command := range []string{"rebuild", "prune"} {
		if output, err := b.stack.Command(ctx, stack.Projector, command).CombinedOutput(); err != nil {
			return fmt.Errorf("projector %s: %w\n%s", command, err, output)
		}
	}
	rebuilt, err := engine.Size(ctx)
	if err != nil {
		return err
	}
	b.report.add("disk", "rebuilt, the engine's files", megabytes(rebuilt.Whole), "MB")
	b.report.add("disk", "rebuilt, in use", megabytes(rebuilt.Used), "MB")
	return nil
}

// fastest is a rate of edits per second that no machine reaches.
const fastest = 10_000

// reach waits until so many edits were made.
func (w *writes) reach(ctx context.Context, edits int64) error {
	for w.sent.Load() < edits {
		if err := pause(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// megabytes returns bytes in MB, as the figures have them.
func megabytes(bytes int64) float64 { return float64(bytes) / 1e6 }
