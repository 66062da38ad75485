package stack

import (
	"context"
	"fmt"
	"syscall"
	"time"
)

const (
	roomToStart = 256 << 20 // a new database, its log and a demo catalogue
	roomToRun   = 32 << 20  // below this, engines begin to fail, each in its own words
)

// checkRoom returns an error when a folder's disk has less room left.
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

// checkRooms checks every disk that data lies on.
func (s *Stack) checkRooms(least uint64) error {
	if err := checkRoom(s.options.Data, least); err != nil || !s.home.Moved {
		return err
	}
	return checkRoom(s.home.Dir, least)
}

// WatchRoom makes the stack fail when a disk gets full: engines that can no
// longer write stand still or die one after the other, and what they say about
// it is hard to read. It returns when ctx ends.
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
