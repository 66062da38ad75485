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
	return lock(file, syscall.LOCK_EX)
}

// TryExclusive locks a folder unless another process has, which is an error. The kernel releases
// the lock with the process.
func TryExclusive(folder string) (release func(), err error) {
	opened, err := os.OpenFile(folder, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	return lock(opened, syscall.LOCK_EX|syscall.LOCK_NB)
}

// lock locks an open file or folder in a mode of flock, and closes the file after a failure.
func lock(file *os.File, mode int) (release func(), err error) {
	if err := syscall.Flock(int(file.Fd()), mode); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() { _ = file.Close() }, nil // nothing was written
}
