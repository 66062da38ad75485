package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"litfass/deploy/local/console"
	"litfass/deploy/local/engine"
	"litfass/deploy/local/stack"
)

// unfinished ends the name of a file until the whole of it is written.
const unfinished = ".new"

// keptFolder is the data folder of the engines that stay up between runs of tests.
func (e *environment) keptFolder() string { return filepath.Join(e.data, "test-engines") }

// keptFile has the variables for tests of the kept engines, as a JSON array, while the engines
// answer.
func (e *environment) keptFile() string { return filepath.Join(e.keptFolder(), "environment.json") }

// keptOutput is the file with the output of the process that runs the kept engines.
func (e *environment) keptOutput() string { return filepath.Join(e.keptFolder(), "output.log") }

// kept returns the variables of the kept engines, or nil when none are up.
func (e *environment) kept() []string {
	if stack.Holder(e.keptFolder()) == 0 {
		return nil
	}
	content, err := os.ReadFile(e.keptFile())
	if err != nil {
		return nil // the engines are still starting
	}
	var variables []string
	if err := json.Unmarshal(content, &variables); err != nil {
		return nil
	}
	return variables
}

// enginesUpCommand starts the kept engines in the background.
type enginesUpCommand struct{}

// Run returns once the engines answer. Running engines stay.
func (enginesUpCommand) Run(ctx context.Context, env *environment) error {
	endWithTerminal()
	if env.kept() == nil {
		if err := startKept(ctx, env); err != nil {
			return err
		}
	}
	fmt.Println("The engines for tests are up until make engines-down.")
	return nil
}

// startKept starts this program again, detached from the terminal, and stops the new process when
// ctx ends.
func startKept(ctx context.Context, env *environment) error {
	if err := os.MkdirAll(env.keptFolder(), 0o711); err != nil { // PostgreSQL's user must enter it
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	output, err := os.Create(env.keptOutput())
	if err != nil {
		return err
	}
	defer output.Close()
	serve := exec.Command(program, "--data", env.data, "engines-serve") //nolint:noctx // the process outlives this one
	serve.Dir, serve.Stdout, serve.Stderr = env.root, output, output
	serve.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := serve.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- serve.Wait() }()
	for env.kept() == nil {
		select {
		case <-ctx.Done():
			_ = serve.Process.Signal(os.Interrupt) // unless it has ended
			<-ended                                //nolint:errcheck // it was interrupted
			return errors.Join(interrupted, cleanKept(env))
		case err := <-ended:
			said, _ := os.ReadFile(output.Name()) // the error below names the file as well
			return fmt.Errorf("the engines did not start: %w (%s):\n%s", err, output.Name(), said)
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}

// enginesServeCommand runs the kept engines until a signal ends it.
type enginesServeCommand struct{}

// Run deletes the data of the engines at the end. Its output stays after a failure.
func (enginesServeCommand) Run(ctx context.Context, env *environment) (err error) {
	lock, err := env.lockKept()
	if err != nil {
		return err
	}
	defer lock.Release()
	s, err := stack.New(ctx, stack.Options{
		Root: env.root, Data: env.keptFolder(), Engines: engine.All, Scratch: true, Console: console.New(os.Stdout),
	})
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, os.RemoveAll(env.keptFile()), s.Close())
		if err == nil || ctx.Err() != nil {
			err = errors.Join(err, os.RemoveAll(env.keptOutput()))
		}
		err = errors.Join(err, s.Remove())
	}()
	if err := s.Start(ctx); err != nil {
		return err
	}
	return keep(ctx, env, s)
}

// lockKept takes the lock of the kept engines, and deletes the variables of engines whose process
// was killed.
func (e *environment) lockKept() (*stack.Lock, error) {
	lock, err := stack.TakeLock(e.keptFolder())
	if err != nil {
		return nil, err
	}
	for _, file := range []string{e.keptFile(), e.keptFile() + unfinished} {
		if err := os.RemoveAll(file); err != nil {
			lock.Release()
			return nil, err
		}
	}
	return lock, nil
}

// keep writes the variables of engines that answer, and waits until ctx or an engine ends.
func keep(ctx context.Context, env *environment, s *stack.Stack) error {
	content, err := json.Marshal(engineEnvironment(s))
	if err != nil {
		return err
	}
	written := env.keptFile() + unfinished // a reader finds the whole file, or none
	if err := os.WriteFile(written, content, 0o600); err != nil {
		return err
	}
	if err := os.Rename(written, env.keptFile()); err != nil {
		return err
	}
	select {
	case failure := <-s.Failed():
		return failure
	case <-ctx.Done():
		return nil
	}
}

// cleanKept deletes what killed kept engines have left behind.
func cleanKept(env *environment) error {
	if _, err := os.Stat(env.keptFolder()); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if stack.Holder(env.keptFolder()) != 0 {
		return errors.New("the engines for tests are up: make engines-down stops them")
	}
	lock, err := env.lockKept()
	if err != nil {
		return err
	}
	defer lock.Release()
	if err := os.RemoveAll(env.keptOutput()); err != nil {
		return err
	}
	return stack.Clean(env.keptFolder())
}

// enginesDownCommand stops the kept engines.
type enginesDownCommand struct{}

// Run waits until the engines have ended.
func (enginesDownCommand) Run(ctx context.Context, env *environment) error {
	return stopHolder(ctx, env.keptFolder(), "No engines for tests are up.")
}
