package stack

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
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

// packages returns the packages of all services, in the order of the table.
func packages() []string {
	var names []string
	for _, row := range services {
		names = append(names, row.name)
	}
	return packagesOf(names)
}

func packagesOf(names []string) []string {
	var all []string
	for _, name := range names {
		all = append(all, "./services/"+name)
	}
	return all
}

// buildFlags returns the flags of go build.
func (s *Stack) buildFlags() []string {
	flags := []string{"-ldflags=-s -w"} // without the tables of debuggers, linking takes half as long
	if s.options.Race {
		flags = append(flags, build.RaceFlags()...)
	}
	if s.options.Watch { // else the first edit, which changes the state of the repository, changes every program
		flags = append(flags, "-buildvcs=false")
	}
	return flags
}

// built are the programs that a stack of this process has compiled for a test, by path.
var built = struct {
	sync.Mutex
	programs map[string]bool
}{programs: map[string]bool{}}

// build compiles services. The services of tests are compiled once for all stacks of this process;
// concurrent tests of other processes wait, and find the programs up to date.
func (s *Stack) build(ctx context.Context, names ...string) error {
	built.Lock()
	defer built.Unlock()
	compiled := func(name string) bool { return built.programs[s.binary(name)] }
	if s.options.Scratch && !slices.ContainsFunc(names, func(name string) bool { return !compiled(name) }) {
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
	err = s.step("building "+strings.Join(names, ", "), func() error {
		return build.Compile(ctx, s.options.Root, s.binFolder(), s.buildFlags(), packagesOf(names))
	})
	for _, name := range names {
		built.programs[s.binary(name)] = err == nil
	}
	return err
}

// pages is the build of the services that are needed last. The engines start and the demo is
// written meanwhile.
type pages struct {
	built chan struct{} // closed at the end
	err   error         // valid once built is closed
	stop  context.CancelFunc
}

// buildPages bundles the embedded files of site and console, and compiles both after the others. It
// does not wait.
func (s *Stack) buildPages(ctx context.Context, others <-chan struct{}) {
	ctx, stop := context.WithCancel(ctx)
	s.pages = &pages{built: make(chan struct{}), stop: stop}
	go func() {
		defer close(s.pages.built)
		s.pages.err = s.bundle(ctx)
		<-others
		if s.pages.err == nil {
			s.pages.err = s.build(ctx, Site, Console)
		}
	}()
}

// bundle does nothing in a test whose process has done it before.
func (s *Stack) bundle(ctx context.Context) error {
	built.Lock()
	done := s.options.Scratch && built.programs[s.binary(Site)]
	built.Unlock()
	if done {
		return nil
	}
	return s.step("bundling the pages' scripts and styles", func() error { return build.Bundle(ctx, s.options.Root) })
}

// awaitsPages reports whether site and console are still being built.
func (s *Stack) awaitsPages() bool {
	select {
	case <-s.pages.built:
		return false
	default:
		return true
	}
}

// awaitPages waits until site and console are built.
func (s *Stack) awaitPages() error {
	<-s.pages.built
	return s.pages.err
}

// oneLine joins the lines of an error.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }
