package stack

import (
	"context"
	"fmt"
	"syscall"
	"time"
)

const (
	roomToStart = 256 << 20 // a new database, its log and a demo catalogue
	roomToRun   = 32 << 20  // below this, engines begin to fail
)

// checkRoom returns an error when a folder's disk has less free space.
func checkRoom(folder string, least uint64) error {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(folder, &disk); err != nil {
		return fmt.Errorf("see how much room is in %s: %w", folder, err)
	}
	if left := disk.Bavail * uint64(disk.Bsize); left < least {
		return fmt.Errorf("the disk of %s is full: %d MB left, %d MB needed (LITFASS_DATA names another folder)",
			folder, left>>20, least>>20)
	}
	return nil
}

// checkRooms checks the disk of every data folder.
func (s *Stack) checkRooms(least uint64) error {
	if err := checkRoom(s.options.Data, least); err != nil || !s.home.Moved {
		return err
	}
	return checkRoom(s.home.Dir, least)
}

// WatchRoom makes the stack fail when a disk gets full: engines that cannot write hang or die one
// after the other, with errors that are hard to understand. It returns when ctx ends.
func (s *Stack) WatchRoom(ctx context.Context) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := s.checkRooms(roomToRun); err != nil {
			s.fail(err)
			return
		}
	}
}
