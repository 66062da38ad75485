//go:build !linux

package proc

import (
	"os/exec"
	"syscall"
)

// attributes puts the process in its own group, under another user if given. Only Linux signals a
// child when its parent dies; elsewhere kill -9 of the launcher leaves its children running.
func (p *Process) attributes() *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setpgid: true}
	if p.User != nil {
		attributes.Credential = p.User.credential()
	}
	return attributes
}

// EndWithParent does nothing here: see attributes.
func EndWithParent(*exec.Cmd) {}
