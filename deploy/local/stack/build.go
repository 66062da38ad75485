package stack

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"litfass/deploy/local/build"
	"litfass/deploy/local/proc"
)

// FindRoot returns the top of the source tree: the nearest folder at or above the current one with
// a go.work.
func FindRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("no go.work here or above: run this inside the Litfass source tree")
		}
		dir = filepath.Dir(dir)
	}
}

// binFolder is where the services' programs are kept.
func (s *Stack) binFolder() string {
	folder := "bin"
	if s.options.Race {
		folder = "bin-race"
	}
	return filepath.Join(s.options.Root, ".local", folder)
}

// binary returns the path of a service's program.
func (s *Stack) binary(name string) string { return filepath.Join(s.binFolder(), name) }

// packages returns the packages of the services, in the order of the table.
func packages() []string {
	var all []string
	for _, row := range services {
		all = append(all, "./services/"+row.name)
	}
	return all
}

// buildFlags returns the flags of go build.
func (s *Stack) buildFlags() []string {
	var flags []string
	if s.options.Race {
		flags = build.RaceFlags()
	}
	if s.options.Watch { // else the first edit, which changes the state of the repository, changes every program
		flags = append(flags, "-buildvcs=false")
	}
	return flags
}

// built are the folders whose programs a stack of this process has compiled for a test.
var built = struct {
	sync.Mutex
	folders map[string]bool
}{folders: map[string]bool{}}

// build compiles the services, those of tests once for all stacks of this process. Concurrent tests
// of other processes wait, and find the programs up to date.
func (s *Stack) build(ctx context.Context) error {
	built.Lock()
	defer built.Unlock()
	if s.options.Scratch && built.folders[s.binFolder()] {
		return nil
	}
	if err := os.MkdirAll(s.binFolder(), 0o755); err != nil {
		return err
	}
	release, err := proc.Exclusive(filepath.Join(s.binFolder(), ".lock"))
	if err != nil {
		return err
	}
	defer release()
	var names []string
	for _, row := range services {
		names = append(names, row.name)
	}
	err = s.step("building "+strings.Join(names, ", "), func() error {
		if err := build.Bundle(ctx, s.options.Root); err != nil {
			return err
		}
		return build.Compile(ctx, s.options.Root, s.binFolder(), s.buildFlags(), packages())
	})
	built.folders[s.binFolder()] = err == nil
	return err
}

// oneLine joins the lines of an error.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }
