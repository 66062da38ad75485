package stack

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Lock ensures that only one launcher uses a data folder. The kernel releases it with the process,
// so a crash never leaves it behind.
type Lock struct{ file *os.File }

// ErrLocked means that another launcher uses the folder.
var ErrLocked = errors.New("the stack is running here already")

// TakeLock takes the lock of a data folder and writes this process's id to it. It returns
// ErrLocked, wrapped with the id of its holder, if it is taken.
func TakeLock(data string) (*Lock, error) {
	if err := os.MkdirAll(data, 0o711); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(lockFile(data), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%w (process %d works on %s); make down stops it", ErrLocked, holder(data), data)
		}
		return nil, fmt.Errorf("lock %s: %w", data, err)
	}
	if err := file.Truncate(0); err != nil {
		return nil, err
	}
	_, err = file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return &Lock{file}, err
}

// Release releases the lock.
func (l *Lock) Release() { l.file.Close() }

// Holder returns the process id of the launcher that uses a data folder, or 0.
func Holder(data string) int {
	file, err := os.Open(lockFile(data))
	if err != nil {
		return 0
	}
	defer file.Close()
	if syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil {
		return 0
	}
	return holder(data)
}

// holder reads the id written by the lock's holder.
func holder(data string) int {
	content, err := os.ReadFile(lockFile(data))
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(content)))
	return pid
}

func lockFile(data string) string { return filepath.Join(data, "lock") }
