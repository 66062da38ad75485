// Package proc runs one child process of the local stack: an engine or a service. It starts it in
// its own process group (so that Ctrl-C reaches only the launcher, which then stops everything in
// order), writes its output to a log file, waits until it is ready, and ensures that it does not
// outlive the launcher.
package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// User is an account that a process runs as. A nil *User means the launcher's own.
type User struct {
	Name     string
	UID, GID int
}

// Spec describes how a process is run. The optional fields default to the launcher's user, SIGTERM
// to stop, and 15 seconds until it is killed.
type Spec struct {
	Name    string   // for messages, e.g. "PostgreSQL"
	Command []string // program and its arguments
	Env     []string // "KEY=value", added to the launcher's own environment
	Dir     string   // working folder
	LogFile string   // standard output and standard error are appended here
	User    *User    // nil: the launcher's own

	StopSignal  syscall.Signal // asks the process to stop; 0 means SIGTERM
	OrphanSig   syscall.Signal // sent by the kernel when the launcher dies (Linux); 0 means SIGKILL
	StopTimeout time.Duration  // how long Stop waits before it kills; 0 means 15 s

	// Ready is called until it returns nil. Nil means ready as soon as started.
	Ready        func(context.Context) error
	ReadyTimeout time.Duration // 0 means 60 s

	// OnFailure is called when the process ends without Stop or Kill, also before it was ready. May
	// be nil.
	OnFailure func(error)
}

// Process is a process that can be started, stopped, killed and started again. It is safe for
// concurrent use.
type Process struct {
	Spec

	mu       sync.Mutex
	cmd      *exec.Cmd
	done     chan struct{} // closed when the current run has ended
	exit     error         // why the current run ended; valid once done is closed
	expected bool          // ended by Stop or Kill
}

// New returns a process that is not started yet.
func New(spec Spec) *Process {
	if spec.StopSignal == 0 {
		spec.StopSignal = syscall.SIGTERM
	}
	if spec.OrphanSig == 0 {
		spec.OrphanSig = syscall.SIGKILL
	}
	if spec.StopTimeout == 0 {
		spec.StopTimeout = 15 * time.Second
	}
	if spec.ReadyTimeout == 0 {
		spec.ReadyTimeout = 60 * time.Second
	}
	return &Process{Spec: spec}
}

// Start runs the process and waits until it is ready. It fails if the program cannot be run, ends
// before it is ready, or is not ready in time; then it leaves nothing running.
func (p *Process) Start(ctx context.Context) error {
	if err := p.launch(); err != nil {
		return fmt.Errorf("%s does not start: %w", p.Name, err)
	}
	if err := p.AwaitReady(ctx); err != nil {
		_ = p.Kill()
		return err
	}
	return nil
}

// launch starts the program without waiting for it to be ready.
func (p *Process) launch() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running() {
		return errors.New("it is running already")
	}
	log, err := p.openLog()
	if err != nil {
		return err
	}
	defer log.Close() // the child holds its own copy

	cmd := exec.Command(p.Command[0], p.Command[1:]...)
	cmd.Env = append(os.Environ(), p.Env...)
	cmd.Dir = p.Dir
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = p.attributes()

	p.cmd, p.done, p.exit, p.expected = cmd, make(chan struct{}), nil, false
	started := make(chan error, 1)
	go p.watch(cmd, p.done, started)
	if err := <-started; err != nil {
		p.exit = err
		close(p.done)
		return err
	}
	return nil
}

// watch starts the command and waits for its end on one locked thread: Linux
// sends the parent-death signal when the starting thread ends, not the program.
// The caller of launch deals with a failed start.
func (p *Process) watch(cmd *exec.Cmd, done chan struct{}, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := cmd.Start()
	started <- err
	if err != nil {
		return
	}
	err = cmd.Wait()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // children it left behind
	p.mu.Lock()
	p.exit = err
	close(done)
	p.mu.Unlock()
	if failure := p.Failure(); failure != nil && p.OnFailure != nil {
		p.OnFailure(failure)
	}
}

func (p *Process) openLog() (*os.File, error) {
	if p.LogFile == "" {
		return os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	}
	if err := os.MkdirAll(filepath.Dir(p.LogFile), 0o755); err != nil {
		return nil, err
	}
	return os.OpenFile(p.LogFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

// AwaitReady calls Spec.Ready until it returns nil. It returns an error as soon as the process
// ends, or when ctx or the time-out ends.
func (p *Process) AwaitReady(ctx context.Context) error {
	if p.Ready == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, p.ReadyTimeout)
	defer cancel()
	for {
		err := p.Ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.Done():
			return p.Failure()
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.Canceled) {
				return ctx.Err()
			}
			return fmt.Errorf("%s is not ready after %s: %w%s", p.Name, p.ReadyTimeout, err, p.logHint())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Done is closed when the current run has ended. Before the first Start it is nil.
func (p *Process) Done() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done
}

// Running reports whether the process runs.
func (p *Process) Running() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.running()
}

func (p *Process) running() bool {
	if p.done == nil {
		return false
	}
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// PID returns the process id of the current run, 0 if it does not run.
func (p *Process) PID() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.running() || p.cmd.Process == nil {
		return 0
	}
	return p.cmd.Process.Pid
}

// Failure describes in one line an unexpected end of the process; nil when it runs, never ran, or
// was ended by Stop or Kill.
func (p *Process) Failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done == nil || p.running() || p.expected {
		return nil
	}
	switch {
	case p.exit == nil:
		return fmt.Errorf("%s stopped: exit status 0%s", p.Name, p.logHint())
	case killed(p.exit):
		return fmt.Errorf("%s stopped: %w%s", p.Name, p.exit, p.logPlace())
	default:
		return fmt.Errorf("%s stopped: %w%s", p.Name, p.exit, p.logHint())
	}
}

// Stop signals the process to end, waits for it, and kills it after the time-out or when ctx ends.
// Stopping a process that does not run is no error.
func (p *Process) Stop(ctx context.Context) error {
	done := p.signal(p.StopSignal)
	if done == nil {
		return nil
	}
	select {
	case <-done:
		return nil
	case <-time.After(p.StopTimeout):
	case <-ctx.Done():
	}
	if err := p.Kill(); err != nil {
		return err
	}
	return fmt.Errorf("%s did not stop within %s and was killed", p.Name, p.StopTimeout)
}

// Kill ends the process and its children with SIGKILL and waits until it is gone. Killing a process
// that does not run is no error.
func (p *Process) Kill() error {
	done := p.signal(syscall.SIGKILL)
	if done == nil {
		return nil
	}
	select {
	case <-done:
		return nil
	case <-time.After(10 * time.Second):
		return fmt.Errorf("%s cannot be killed", p.Name)
	}
}

// signal marks the end as expected and sends sig. It returns the channel to wait on, nil if the
// process does not run.
func (p *Process) signal(sig syscall.Signal) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.running() {
		return nil
	}
	p.expected = true
	if p.cmd.Process != nil {
		_ = p.cmd.Process.Signal(sig)
	}
	return p.done
}
