package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// failingGo is a shell script in place of the go command. A build makes a copy of the
// script; every other call is written to the file LOG, and fails.
const failingGo = `#!/bin/sh
if test "$1" = build; then
  while test "$1" != -o; do shift; done
  mkdir -p "$(dirname "$2")" && exec cp "$0" "$2"
fi
echo "seed=$LITFASS_E2E_SEED $*" >> "$LOG"
exit 1
`

// runMake runs make in the source tree, with an own folder for programs and a failing go command,
// and returns the calls of programs.
func runMake(t *testing.T, args ...string) (calls, output string, err error) {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "go"), []byte(failingGo), 0o700); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(folder, "log")
	command := exec.CommandContext(t.Context(), "make", append([]string{"BIN=" + filepath.Join(folder, "bin")}, args...)...)
	command.Dir = filepath.Join("..", "..")
	command.Env = append(os.Environ(), "MAKEFLAGS=", "LITFASS_E2E_SEED=", "LOG="+log, "PATH="+folder+":"+os.Getenv("PATH"))
	said, err := command.CombinedOutput()
	called, readErr := os.ReadFile(log)
	if readErr != nil && !os.IsNotExist(readErr) {
		t.Fatal(readErr)
	}
	return string(called), string(said), err
}

// TestLongLaneRunsToItsEnd: a part that fails does not keep the further parts of make test-long
// from running, and the whole fails.
func TestLongLaneRunsToItsEnd(t *testing.T) {
	calls, output, err := runMake(t, "test-long", "SEEDS=2 3", "SHIFTS=3d 40d")
	if err == nil {
		t.Error("make succeeds")
	}
	for _, want := range []string{
		"seed= test --long", "seed=2 test --long", "seed=3 test --long", "-shift 3d", "-shift 40d",
		"bench -small", "-parts drill -out .local/drill.json -small", "screenshots", "-tags wordpress",
	} {
		if strings.Count(calls, want) != 1 {
			t.Errorf("%q is called %d times in\n%s%s", want, strings.Count(calls, want), calls, output)
		}
	}
}

// TestRunNeedsPackages: make test with the name of a test, and without its package, does not run
// everything.
func TestRunNeedsPackages(t *testing.T) {
	for _, argument := range []string{"RUN=TestX", "FLAGS=-race"} {
		calls, output, err := runMake(t, "--silent", "test", argument)
		if err == nil || calls != "" || !strings.Contains(output, "make test PKG=") || strings.Count(output, "\n") != 1 {
			t.Errorf("%s: %v, calls %q, says %q", argument, err, calls, output)
		}
	}
}
