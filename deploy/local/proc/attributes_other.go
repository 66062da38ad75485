//go:build !linux

package proc

import (
	"os/exec"
	"syscall"
)

// attributes: own process group, and another user if asked for. Only Linux can
// tell a child that its parent died; elsewhere kill -9 of the launcher leaves
// its children running.
func (p *Process) attributes() *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setpgid: true}
	if p.User != nil {
		attributes.Credential = p.User.credential()
	}
	return attributes
}

// EndWithParent does nothing here: see attributes.
func EndWithParent(*exec.Cmd) {}
