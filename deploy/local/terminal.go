package main

import (
	"os"
	"os/signal"
	"syscall"
)

// orphaned is the signal that says that make is gone, see endWithMake.
const orphaned = syscall.SIGUSR1

// endWithTerminal makes the launcher stop in good order when its terminal is
// closed or the make that started it is killed: nobody could stop it with Ctrl-C
// any more. Both may happen at once, but a second request to stop would break
// the stopping off, so only one is made of them. Under nohup it stays. A reader
// of its output that has gone away does not end it.
func endWithTerminal() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // the write fails instead
	gone := make(chan os.Signal, 1)
	signal.Notify(gone, orphaned)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(gone, syscall.SIGHUP)
	}
	endWithMake()
	go func() {
		<-gone
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
	}()
}
