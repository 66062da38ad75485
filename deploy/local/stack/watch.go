package stack

import (
	"context"
	"path/filepath"
	"time"

	"litfass/deploy/local/build"
)

// sourceInterval is the interval of scans of the source.
const sourceInterval = 500 * time.Millisecond

// WatchSource rebuilds the services whenever their source changes, and restarts the ones whose
// program differs, until ctx ends. Engines and gateway keep running. A failed build is shown, and
// the services keep running. It needs Options.Watch, and Start must have returned.
func (s *Stack) WatchSource(ctx context.Context) {
	programs := build.Programs{
		Root: s.options.Root, Folder: s.binFolder(), Staging: s.binFolder() + "-watch",
		Flags: s.buildFlags(), Packages: packages(),
	}
	watcher := build.Watcher{
		Every: sourceInterval, Update: s.update(programs), Restart: s.restart, Report: s.report,
	}
	for _, folder := range []string{"services", "pkg", "migrations"} {
		watcher.Folders = append(watcher.Folders, filepath.Join(s.options.Root, folder))
	}
	watcher.Run(ctx)
}

// update returns a function that updates the programs, and the scripts and styles that some of them
// embed.
func (s *Stack) update(programs build.Programs) func(context.Context) (replaced []string, err error) {
	return func(ctx context.Context) ([]string, error) {
		if err := build.Bundle(ctx, s.options.Root); err != nil {
			return nil, err
		}
		return programs.Update(ctx)
	}
}

// restart ends the instances of a service, one after the other, and starts its present program.
// Admin first migrates the database; when that fails, the old one keeps running.
func (s *Stack) restart(ctx context.Context, name string) error {
	return s.step("restarting "+name, func() error {
		if name == Admin {
			if err := s.task(ctx, Admin, "migrate"); err != nil {
				return err
			}
		}
		row, _ := serviceNamed(name)
		for number := range row.count(s.options) {
			process := s.Process(numbered(name, number))
			if err := process.Stop(ctx); err != nil {
				return err
			}
			if err := process.Start(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// report shows an error that does not end the stack.
func (s *Stack) report(err error) { s.options.Console.Line("%s", err) }
