package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scratchVariable makes the test program a run of tests in the named parent, which writes the name
// of its folder.
const scratchVariable = "LOCAL_TEST_SCRATCH"

// TestScratchOfKilledRuns: a run removes the data of killed runs wherever they are, and keeps the
// data of others.
func TestScratchOfKilledRuns(t *testing.T) {
	if parent := os.Getenv(scratchVariable); parent != "" {
		useScratch(parent)
	}
	t.Setenv("TMPDIR", t.TempDir())
	parents := []string{os.TempDir()}
	if _, err := os.Stat(memoryFolder); err == nil {
		parents = append(parents, memoryFolder)
	}
	want := map[string]bool{}
	for _, parent := range parents {
		running, end := runInScratch(t, parent)
		t.Cleanup(end)
		abandoned, end := runInScratch(t, parent)
		end()
		want[running], want[abandoned] = true, false
	}
	incomplete, err := os.MkdirTemp(os.TempDir(), "litfass-new-")
	if err != nil {
		t.Fatal(err)
	}
	folder, remove, err := newScratch()
	if err != nil {
		t.Fatal(err)
	}
	want[folder], want[incomplete] = true, true
	for path, there := range want {
		if _, err := os.Stat(path); (err == nil) != there {
			t.Errorf("%s: %v, want it there: %t", path, err, there)
		}
	}
	if parent := filepath.Dir(folder); parent != filepath.Clean(os.TempDir()) {
		t.Errorf("the folder is in %s", parent)
	}
	remove()
	if _, err := os.Stat(folder); err == nil {
		t.Error("the run's own folder stays")
	}
}

// useScratch fills a scratch folder, writes the folder's name, and waits for a signal that ends the
// process.
func useScratch(parent string) {
	folder, _, err := lockedScratch(parent)
	if err == nil {
		err = os.MkdirAll(filepath.Join(folder, "engines"), 0o700)
	}
	if err != nil {
		panic(err)
	}
	_, _ = os.Stdout.WriteString(folder + "\n")
	_, _ = io.ReadAll(os.Stdin)
}

// runInScratch starts another process with a scratch folder, and returns the function to kill the
// process. The folder is removed after the test.
func runInScratch(t *testing.T, parent string) (folder string, kill func()) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), scratchVariable+"="+parent)
	if _, err := child.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var name []byte
	for letter := make([]byte, 1); letter[0] != '\n'; name = append(name, letter...) {
		if _, err := output.Read(letter); err != nil {
			t.Fatal(err)
		}
	}
	folder = strings.TrimSpace(string(name))
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder, func() {
		_ = child.Process.Kill()
		_ = child.Wait() // it was killed
	}
}

// TestAvailableMemory: Linux reports the memory that programs can get.
func TestAvailableMemory(t *testing.T) {
	if _, err := os.Stat("/proc/meminfo"); err == nil && availableMemory() < 1<<20 {
		t.Errorf("%d bytes", availableMemory())
	}
}
