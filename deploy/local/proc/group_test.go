package proc

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// parent is a shell script: starts a process deaf to interrupts, writes the process id to the file
// of the first argument, and waits.
const parent = `trap '' INT; sleep 1000 & echo $! > "$0.new"; mv "$0.new" "$0"; trap - INT; wait`

// TestInterruptedGroup: a command is interrupted, and nothing of its group stays.
func TestInterruptedGroup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pid")
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- RunInGroup(exec.CommandContext(ctx, "sh", "-c", parent, path), time.Hour) }()
	awaitFile(t, path)
	interrupt()
	if err := <-ended; err == nil {
		t.Error("an interrupted command ended well")
	}
	awaitGone(t, readPID(t, path))
}

// TestPatienceWithGroups: a process deaf to interrupts is killed, children included.
func TestPatienceWithGroups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pid")
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- RunInGroup(exec.CommandContext(ctx, "sh", "-c", "trap '' INT; sleep 1000 & echo $! > $0.new; mv $0.new $0; wait", path), time.Millisecond)
	}()
	awaitFile(t, path)
	interrupt()
	if err := <-ended; err == nil {
		t.Error("a killed command ended well")
	}
	awaitGone(t, readPID(t, path))
}

// TestResultOfGroups: the command's own end is reported.
func TestResultOfGroups(t *testing.T) {
	if err := RunInGroup(exec.CommandContext(t.Context(), "true"), time.Minute); err != nil {
		t.Error(err)
	}
	var exit *exec.ExitError
	if err := RunInGroup(exec.CommandContext(t.Context(), "sh", "-c", "exit 3"), time.Minute); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("got %v", err)
	}
}

// awaitFile waits until a file exists.
func awaitFile(t *testing.T, path string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not appear", path)
		}
	}
}
