package proc

import (
	"os/exec"
	"syscall"
)

// credential returns the user for the kernel, without supplementary groups.
func (u *User) credential() *syscall.Credential {
	return &syscall.Credential{Uid: uint32(u.UID), Gid: uint32(u.GID), Groups: []uint32{}}
}

// RunAs makes cmd run as the user. A nil user changes nothing.
func (u *User) RunAs(cmd *exec.Cmd) {
	if u == nil {
		return
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: u.credential()}
}
