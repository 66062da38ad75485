package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// TestScratchOfKilledRuns: a run removes the data of killed runs, and keeps the data of others.
func TestScratchOfKilledRuns(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	gone := exec.CommandContext(t.Context(), "true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	abandoned := filepath.Join(os.TempDir(), scratchPrefix+strconv.Itoa(gone.Process.Pid)+"-1")
	running := filepath.Join(os.TempDir(), scratchPrefix+strconv.Itoa(os.Getpid())+"-1")
	foreign := filepath.Join(os.TempDir(), scratchPrefix+"of-a-person")
	for _, folder := range []string{abandoned, running, foreign} {
		if err := os.MkdirAll(filepath.Join(folder, "engines"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	folder, err := newScratch()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{folder: true, running: true, foreign: true, abandoned: false} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %t", filepath.Base(path), err, want)
		}
	}
	if parent := filepath.Dir(folder); parent != filepath.Clean(os.TempDir()) {
		t.Errorf("the folder is in %s", parent)
	}
}

// TestAvailableMemory: Linux reports the memory that programs can get.
func TestAvailableMemory(t *testing.T) {
	if _, err := os.Stat("/proc/meminfo"); err == nil && availableMemory() < 1<<20 {
		t.Errorf("%d bytes", availableMemory())
	}
}
