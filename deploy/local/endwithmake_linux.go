package main

import (
	"os"
	"syscall"
)

// endWithMake makes the launcher stop in good order when the make that started
// it is killed: nobody could stop it with Ctrl-C any more.
func endWithMake() {
	if os.Getenv("MAKELEVEL") != "" {
		_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGTERM), 0)
	}
}
