package main

import (
	"os"
	"os/signal"
	"syscall"
)

// orphaned is the signal that reports the death of make; see endWithMake.
const orphaned = syscall.SIGUSR1

// endWithTerminal makes the launcher stop in order when its terminal is closed or the make that
// started it is killed: Ctrl-C could not reach it any more. Both may happen together, and a second
// request to stop would abort the orderly stop, so they are merged into one. Under nohup it keeps
// running. A closed reader of its output does not end it.
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
