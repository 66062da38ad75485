package proc

import (
	"errors"
	"os"
	"syscall"
)

// Exclusive waits until no other process has locked a file, which it creates, and locks it. The
// kernel releases the lock with the process.
func Exclusive(path string) (release func(), err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() { _ = file.Close() }, nil // nothing was written
}
