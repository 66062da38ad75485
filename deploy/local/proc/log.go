package proc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// logHint names the log file and its last line, for error messages.
func (p *Process) logHint() string {
	if p.LogFile == "" {
		return ""
	}
	if line := lastLine(p.LogFile); line != "" {
		return fmt.Sprintf(" (%q; more in %s)", line, p.LogFile)
	}
	return p.logPlace()
}

// logPlace names only the log file.
func (p *Process) logPlace() string {
	if p.LogFile == "" {
		return ""
	}
	return fmt.Sprintf(" (see %s)", p.LogFile)
}

// killed reports whether a process ended by SIGKILL, which leaves no last line in its log.
func killed(err error) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// lastLine returns the last line of a file that is not blank, cut to a readable length; "" if there
// is none.
func lastLine(path string) string {
	const window, longest = 4096, 240
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > window {
		_, _ = file.Seek(-window, io.SeekEnd)
	}
	tail, _ := io.ReadAll(file)
	lines := bytes.Split(bytes.TrimSpace(tail), []byte("\n"))
	line := strings.TrimSpace(strings.ToValidUTF8(string(lines[len(lines)-1]), ""))
	if len(line) > longest {
		line = strings.ToValidUTF8(line[:longest], "") + "..."
	}
	return line
}
