package stack

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// FindRoot returns the top of the source tree: the nearest folder at or above
// the current one that holds go.work.
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

// build compiles the services.
func (s *Stack) build(ctx context.Context) error {
	args := []string{"build", "-o", s.binFolder() + string(filepath.Separator)} // a folder: one program for each
	if s.options.Race {
		args = append(args, "-race")
	}
	names := make([]string, 0, len(services))
	for _, row := range services {
		names = append(names, row.name)
		args = append(args, "./services/"+row.name)
	}
	return s.step("building "+strings.Join(names, ", "), func() error {
		if err := os.MkdirAll(s.binFolder(), 0o755); err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = s.options.Root
		output, err := cmd.CombinedOutput()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return &BuildError{Output: strings.TrimSpace(string(output))}
		}
		return nil
	})
}

// BuildError is a failed build with what the compiler said, in several lines.
type BuildError struct{ Output string }

// Error returns the compiler's output.
func (e *BuildError) Error() string { return "the services do not build:\n" + e.Output }

// oneLine joins the lines of an error.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }
