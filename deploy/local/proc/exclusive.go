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

// TryExclusive locks a folder unless another process has, which is an error. The kernel releases
// the lock with the process.
func TryExclusive(folder string) (release func(), err error) {
	opened, err := os.OpenFile(folder, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(opened.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return func() { _ = opened.Close() }, nil // nothing was written
}
