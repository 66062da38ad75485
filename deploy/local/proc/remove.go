package proc

import (
	"os"
	"time"
)

// RemoveAll deletes a folder that ending processes may still write to: children that a process left
// behind end shortly after it. It retries for five seconds and returns the last error.
func RemoveAll(folder string) error {
	const pause, patience = 100 * time.Millisecond, 5 * time.Second
	deadline := time.Now().Add(patience)
	for {
		err := os.RemoveAll(folder)
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(pause)
	}
}
