package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

const (
	// memoryFolder is the file system in memory that Linux has.
	memoryFolder = "/dev/shm"
	// memoryNeeded is the free memory, in bytes, with which a run of tests keeps data in memory.
	memoryNeeded = 8 << 30
	// scratchPrefix begins the names of scratch folders; the number of their process follows.
	scratchPrefix = "litfass-test-"
)

// newScratch creates the folder for the data of a run of tests. The caller removes the folder.
// Folders of killed runs, which would keep memory, are removed first.
func newScratch() (folder string, err error) {
	parent := scratchParent()
	removeAbandoned(parent)
	return os.MkdirTemp(parent, fmt.Sprintf("%s%d-", scratchPrefix, os.Getpid()))
}

// scratchParent returns the parent of scratch folders: the folder of TMPDIR, else memory where the
// machine has enough, since engines that write to a disk keep processors busy.
func scratchParent() string {
	var folder syscall.Statfs_t
	if os.Getenv("TMPDIR") != "" || availableMemory() < memoryNeeded ||
		syscall.Statfs(memoryFolder, &folder) != nil || folder.Bavail*uint64(folder.Bsize) < memoryNeeded {
		return os.TempDir()
	}
	return memoryFolder
}

// availableMemory returns the memory, in bytes, that programs can still get; 0 where the kernel
// does not say.
func availableMemory() (size uint64) {
	content, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(content, []byte("MemAvailable:"))
	if _, err := fmt.Fscanf(bytes.NewReader(rest), "%d kB", &size); err != nil {
		return 0
	}
	return size << 10
}

// removeAbandoned removes scratch folders whose process is gone. Folders of other users stay.
func removeAbandoned(parent string) {
	found, err := filepath.Glob(filepath.Join(parent, scratchPrefix+"*"))
	if err != nil {
		return
	}
	for _, folder := range found {
		var process int
		_, err := fmt.Sscanf(filepath.Base(folder), scratchPrefix+"%d-", &process)
		if err == nil && syscall.Kill(process, 0) == syscall.ESRCH {
			_ = os.RemoveAll(folder) // the next run tries again
		}
	}
}
