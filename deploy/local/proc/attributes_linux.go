package proc

import (
	"os/exec"
	"syscall"
)

// attributes: own process group, another user if asked for, and a signal from
// the kernel when the launcher dies without having stopped its children.
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
