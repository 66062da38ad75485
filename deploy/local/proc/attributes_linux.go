package proc

import (
	"os/exec"
	"syscall"
)

// attributes puts the process in its own group, under another user if given, and has the kernel
// signal it when the launcher dies without stopping it.
func (p *Process) attributes() *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: p.OrphanSig}
	if p.User != nil {
		attributes.Credential = p.User.credential()
	}
	return attributes
}

// EndWithParent makes a command that is run directly end with the launcher.
func EndWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
