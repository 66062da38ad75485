// Package build compiles the services and the files that they embed, and repeats that when their
// source changes.
package build

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Error is a failed build with the compiler's output, in several lines.
type Error struct{ Output string }

// Error returns the compiler's output.
func (e *Error) Error() string { return "the services do not build:\n" + e.Output }

// Compile runs go build in root with the given flags and writes one program for each package into
// folder, which it creates. It returns an *Error when the compiler refuses the source.
func Compile(ctx context.Context, root, folder string, flags, packages []string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	args := append([]string{"build", "-o", folder + string(filepath.Separator)}, flags...)
	return run(ctx, root, append(args, packages...)...)
}

// collectLess has compilers collect garbage less often: a fifth less work for some more memory.
const collectLess = "GOGC=400"

// run runs the go command in root. It returns an *Error with the command's output when it fails.
func run(ctx context.Context, root string, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	cmd.Env = append([]string{collectLess}, os.Environ()...) // which takes precedence
	output, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return &Error{Output: strings.TrimSpace(string(output))}
	}
	return nil
}
