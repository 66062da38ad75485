package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"litfass/deploy/local/proc"
)

const (
	// memoryFolder is the file system in memory that Linux has.
	memoryFolder = "/dev/shm"
	// memoryNeeded is the free memory, in bytes, with which a run of tests keeps data in memory.
	memoryNeeded = 8 << 30
	// scratchPrefix begins the names of scratch folders. A run locks its folder.
	scratchPrefix = "litfass-scratch-"
)

// newScratch creates the folder for the data of a run of tests, and returns the function to
// remove the folder. Folders of killed runs would keep memory, and are removed first.
func newScratch() (folder string, remove func(), err error) {
	for _, parent := range slices.Compact([]string{memoryFolder, filepath.Clean(os.TempDir())}) {
		removeAbandoned(parent)
	}
	return lockedScratch(scratchParent())
}

// lockedScratch creates a scratch folder. The folder is locked before it gets the name: other
// runs take an unlocked scratch folder for abandoned.
func lockedScratch(parent string) (folder string, remove func(), err error) {
	unlocked, err := os.MkdirTemp(parent, "litfass-new-")
	if err != nil {
		return "", nil, err
	}
	release, err := proc.TryExclusive(unlocked)
	if err != nil {
		_ = os.Remove(unlocked) // the error below matters
		return "", nil, fmt.Errorf("lock a new folder: %w", err)
	}
	folder = filepath.Join(parent, scratchPrefix+rand.Text())
	if err := os.Rename(unlocked, folder); err != nil {
		release()
		_ = os.Remove(unlocked) // the error below matters
		return "", nil, err
	}
	return folder, func() {
		_ = proc.RemoveAll(folder) // the next run tries again
		release()
	}, nil
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

// removeAbandoned removes scratch folders without a lock: the kernel has released the lock with the
// process. Folders beyond the rights of the user stay.
func removeAbandoned(parent string) {
	found, err := filepath.Glob(filepath.Join(parent, scratchPrefix+"*"))
	if err != nil {
		return
	}
	for _, folder := range found {
		release, err := proc.TryExclusive(folder)
		if err != nil {
			continue
		}
		_ = os.RemoveAll(folder) // the next run tries again
		release()
	}
}
