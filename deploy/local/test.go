package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"litfass/deploy/local/build"
	"litfass/deploy/local/console"
	"litfass/deploy/local/engine"
	"litfass/deploy/local/proc"
	"litfass/deploy/local/stack"
)

// testCommand runs go test with engines of its own. A -- among the arguments begins those of a
// further run, which also follows a run that failed.
type testCommand struct {
	Long bool     `help:"The long lane: also the tests of deploy/e2e/long.txt, each test with all its cases."`
	Args []string `arg:"" passthrough:"" help:"The arguments of go test, and after a -- those of the next run."`
}

// interrupted is the exit code of a command that was ended by a signal, as a shell has it.
const interrupted exitError = 130

// patience is the time in which interrupted tests may end.
const patience = 10 * time.Second

// Run starts engines on free ports with temporary data, runs go test, and removes everything in any
// case. It returns the exit code of go test and ends its output with the failures. Tests that are
// interrupted have not passed.
func (t testCommand) Run(ctx context.Context, env *environment) error {
	endWithTerminal()
	output := &failures{to: os.Stdout}
	err := t.test(ctx, env, output)
	output.summarize()
	if ctx.Err() != nil {
		return interrupted
	}
	return err
}

func (t testCommand) test(ctx context.Context, env *environment, output io.Writer) error {
	progress := console.New(os.Stdout)
	err := progress.Step("bundling the pages' scripts and styles", func() error { return build.Bundle(ctx, env.root) })
	if err != nil {
		return err
	}
	return withEngines(ctx, env, engine.All, progress, func(s *stack.Stack, scratch string) error {
		return t.goTest(ctx, env, s, scratch, output)
	})
}

// withEngines starts engines with temporary data, and removes these once use has returned. scratch
// is a folder for further temporary files.
func withEngines(
	ctx context.Context, env *environment, need engine.Need, progress *console.Console, use func(s *stack.Stack, scratch string) error,
) error {
	scratch, remove, err := newScratch()
	if err != nil {
		return err
	}
	defer remove()
	if err := os.Chmod(scratch, 0o711); err != nil { // PostgreSQL's user must enter it
		return err
	}
	s, err := stack.New(ctx, stack.Options{
		Root: env.root, Data: filepath.Join(scratch, "engines"), Engines: need, Scratch: true, Console: progress,
	})
	if err != nil {
		return err
	}
	if err = s.Start(ctx); err == nil {
		err = use(s, scratch)
	}
	return errors.Join(err, s.Close())
}

func (t testCommand) goTest(ctx context.Context, env *environment, s *stack.Stack, scratch string, output io.Writer) error {
	raced := t.Long && slices.Contains(t.Args, "-race")
	command := []string{"test"}
	if !t.Long {
		skipped, err := longTests(env.root)
		if err != nil {
			return err
		}
		command = append(command, "-skip", skipped)
	}
	var failed error
	for _, args := range runs(t.Args) {
		cmd := exec.CommandContext(ctx, "go", slices.Concat(command, goFlags(args))...)
		cmd.Dir = env.root
		cmd.Stdout, cmd.Stderr = output, output
		cmd.Env = append(os.Environ(), testEnvironment(s, scratch, t.Long, raced)...)
		err := proc.RunInGroup(cmd, patience)
		select {
		case failure := <-s.Failed():
			return failure // the tests failed because of it
		default:
		}
		failed = cmp.Or(failed, commandEnd(err))
	}
	return failed
}

// runs splits the arguments into those of each run.
func runs(args []string) (all [][]string) {
	args = withoutDash(args)
	for {
		next := slices.Index(args, "--")
		if next < 0 {
			return append(all, args)
		}
		all, args = append(all, args[:next]), args[next+1:]
	}
}

// goFlags returns the arguments of go test, with the launcher's flags for the race detector in
// place of -race.
func goFlags(args []string) (flags []string) {
	for _, arg := range args {
		if arg == "-race" {
			flags = append(flags, build.RaceFlags()...)
		} else {
			flags = append(flags, arg)
		}
	}
	return flags
}

// testEnvironment returns the addresses of the engines, the paths of programs for tests, whether
// tests run all cases, and whether services of concurrent tests have the race detector.
func testEnvironment(s *stack.Stack, scratch string, long, raced bool) []string {
	return append(engineEnvironment(s),
		"TEST_LONG="+strconv.FormatBool(long),
		"TEST_RACE="+strconv.FormatBool(raced),
		"GORACE=atexit_sleep_ms=50",                     // else each program with the race detector ends a second later
		"TMPDIR="+scratch,                               // removed with the files of killed tests
		"TEST_VALKEY_URL="+os.Getenv("TEST_VALKEY_URL"), // none: tests use one of their own
	)
}

// engineEnvironment returns the addresses and the programs of engines for tests.
func engineEnvironment(s *stack.Stack) []string {
	return []string{
		"TEST_DATABASE_URL=" + s.PostgresURL(),
		"TEST_NATS_URL=" + s.NATSURL(),
		"TEST_NATS_SERVER=" + s.Binaries.NATS,
		"TEST_MEILI_URL=" + s.MeiliURL(),
		"TEST_MEILI_KEY=" + s.MeiliKey(),
		"TEST_MEILI_SERVER=" + s.Binaries.Meili,
	}
}
