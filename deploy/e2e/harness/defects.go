package harness

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"litfass/deploy/local/stack"
)

// ended are the unexpected ends of processes, by the name of the test.
var ended sync.Map

// watch records an unexpected end of a process of the stack while the test runs.
func watch(t *testing.T, s *stack.Stack) {
	t.Helper()
	name, closed := wholeTest(t), make(chan struct{})
	t.Cleanup(func() {
		close(closed)
		ended.Delete(name)
	})
	go func() {
		select {
		case failure := <-s.Failed():
			ended.Store(name, failure)
		case <-closed:
		}
	}()
}

// wantRunning ends the test when a process of its stack has ended unexpectedly: the awaited
// condition cannot come true.
func wantRunning(t *testing.T) {
	t.Helper()
	if failure, found := ended.Load(wholeTest(t)); found {
		t.Fatalf("a process of the stack has ended by itself: %v", failure)
	}
}

// wholeTest returns the name of the test of which this may be a part.
func wholeTest(t *testing.T) string {
	name, _, _ := strings.Cut(t.Name(), "/")
	return name
}

// defect matches the reports of the Go runtime about defects of a program, and those of NATS about
// what its user may not do.
var defect = regexp.MustCompile(`(?m)^(WARNING: DATA RACE|panic: |fatal error: )|permissions violation`)

// wantNoDefects checks that no process has written to its log of a data race, of its own end, or of
// a subject of NATS that is not in deploy/natsusers.
func wantNoDefects(t *testing.T, s *stack.Stack) {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(s.LogFolder(), "*.log"))
	if err != nil || len(logs) == 0 {
		t.Errorf("%d logs, %v", len(logs), err)
	}
	for _, path := range logs {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if at := defect.FindIndex(content); at != nil {
			lines := strings.SplitN(string(content[at[0]:]), "\n", 80)
			t.Errorf("%s:\n%s", filepath.Base(path), strings.Join(lines[:len(lines)-1], "\n"))
		}
	}
}
