package proc

import (
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// guard is the shell script of the first process of a group. Its standard input is a pipe of the
// launcher, and ends with the launcher in any way. At the end of the input the guard kills the
// group, the guard included.
const guard = `trap '' INT TERM HUP; read -r line; kill -KILL 0`

// RunInGroup runs a command, made with exec.CommandContext, in a process group of its own, and
// returns the command's error once the whole group has ended. When the command's context ends, the
// group is interrupted, as a terminal does on Ctrl-C, and killed if the command has not ended
// after patience. The group ends with the launcher, also when it is killed. The group has no
// terminal: the command must not read from one.
func RunInGroup(cmd *exec.Cmd, patience time.Duration) error {
	leader := exec.Command("sh", "-c", guard) //nolint:noctx // it ends with the command
	leader.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	launcher, err := leader.StdinPipe()
	if err != nil {
		return err
	}
	defer launcher.Close()
	if err := leader.Start(); err != nil {
		return fmt.Errorf("guard a process group: %w", err)
	}
	group := leader.Process.Pid // not given to others before the call of Wait
	defer func() {
		_ = syscall.Kill(-group, syscall.SIGKILL) // with children that the command left behind
		_ = leader.Wait()                         // it was killed
	}()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: group}
	cmd.Cancel = func() error { return syscall.Kill(-group, syscall.SIGINT) }
	cmd.WaitDelay = patience
	return cmd.Run()
}
