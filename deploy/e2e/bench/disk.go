package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"litfass/deploy/local/stack"
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
	fresh, err := b.engineFiles(ctx)
	if err != nil {
		return err
	}
	b.report.add("disk", "the engine's files, fresh", fresh.whole, "MB")
	b.report.add("disk", "in use", fresh.used, "MB")
	for step := 1; step <= diskSteps; step++ {
		edits := int64(b.growth * step / diskSteps)
		began, before := time.Now(), w.sent.Load()
		if _, err := w.during(ctx, fastest, func() error { return w.reach(ctx, edits) }); err != nil {
			return err
		}
		w.taken()
		if err := b.stack.AwaitReady(ctx); err != nil {
			return err
		}
		after, err := b.engineFiles(ctx)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("after %d edits", edits)
		b.report.add("disk", name+", a second", float64(w.sent.Load()-before)/time.Since(began).Seconds(), "")
		b.report.aimed("disk", name+", the engine's files", after.whole, "MB", atMost(1.5*fresh.whole))
		b.report.add("disk", name+", in use", after.used, "MB")
	}
	return b.measureDiskOfRebuilt(ctx)
}

// measureDiskOfRebuilt rebuilds the index and deletes the former one.
func (b *bench) measureDiskOfRebuilt(ctx context.Context) error {
	for _, command := range []string{"rebuild", "prune"} {
		if output, err := b.stack.Command(ctx, stack.Projector, command).CombinedOutput(); err != nil {
			return fmt.Errorf("projector %s: %w\n%s", command, err, output)
		}
	}
	rebuilt, err := b.engineFiles(ctx)
	if err != nil {
		return err
	}
	b.report.add("disk", "rebuilt, the engine's files", rebuilt.whole, "MB")
	b.report.add("disk", "rebuilt, in use", rebuilt.used, "MB")
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

// engineFiles are the sizes of the engine's files in MB, and of the pages in use.
type engineFiles struct{ whole, used float64 }

func (b *bench) engineFiles(ctx context.Context) (engineFiles, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.stack.MeiliURL()+"/stats", nil)
	if err != nil {
		return engineFiles{}, err
	}
	request.Header.Set("Authorization", "Bearer "+b.stack.MeiliKey())
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return engineFiles{}, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return engineFiles{}, err
	}
	var stats struct{ DatabaseSize, UsedDatabaseSize float64 }
	if err := json.Unmarshal(content, &stats); err != nil || response.StatusCode != http.StatusOK {
		return engineFiles{}, fmt.Errorf("the engine's statistics: %s: %w", response.Status, err)
	}
	return engineFiles{whole: stats.DatabaseSize / 1e6, used: stats.UsedDatabaseSize / 1e6}, nil
}
