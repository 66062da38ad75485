package build

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Watcher updates programs when their source changes and restarts their processes.
type Watcher struct {
	Folders []string // watched with everything below them
	Every   time.Duration
	// Update compiles and returns the names of the programs that changed.
	Update func(ctx context.Context) (replaced []string, err error)
	// Restart ends the process of a program and starts the new one.
	Restart func(ctx context.Context, name string) error
	// Report shows an error to the developer. It may have several lines.
	Report func(err error)
}

// Run watches until ctx ends. The first round compiles at once: the source may have changed since
// the programs were built. A failed build is reported and changes nothing; a program that could not
// be restarted is tried again after the next change.
func (w Watcher) Run(ctx context.Context) {
	ticker := time.NewTicker(w.Every)
	defer ticker.Stop()
	var due []string
	var built, before map[string]stamp
	for {
		now := scan(w.Folders)
		// An editor may write several files: wait until a whole interval brought nothing new.
		if settled := before != nil && maps.Equal(now, before); settled && !maps.Equal(now, built) {
			built = now
			due = w.round(ctx, due)
		}
		before = now
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// round compiles, and restarts the replaced programs and those still due. It returns the programs
// that could not be restarted.
func (w Watcher) round(ctx context.Context, due []string) (left []string) {
	replaced, err := w.Update(ctx)
	for _, name := range replaced {
		if !slices.Contains(due, name) {
			due = append(due, name)
		}
	}
	if err != nil {
		w.report(ctx, err)
		return due
	}
	for _, name := range due {
		if err := w.Restart(ctx, name); err != nil {
			w.report(ctx, err)
			left = append(left, name)
		}
	}
	return left
}

// report shows an error unless it comes from the end of ctx.
func (w Watcher) report(ctx context.Context, err error) {
	if ctx.Err() == nil {
		w.Report(err)
	}
}

// stamp changes when a file is written.
type stamp struct {
	size     int64
	modified time.Time
}

// scan returns the stamp of every file that can be part of a program. A file that disappears during
// the scan is left out.
func scan(folders []string) map[string]stamp {
	found := map[string]stamp{}
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil //nolint:nilerr // deleted during the scan; the next one is complete
			case entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata"):
				return filepath.SkipDir
			case entry.IsDir() || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(entry.Name(), "."):
				return nil
			}
			if info, err := os.Stat(path); err == nil {
				found[path] = stamp{info.Size(), info.ModTime()}
			}
			return nil
		})
	}
	return found
}
