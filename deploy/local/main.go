// Command local is the launcher that the Makefile uses: it runs all of Litfass on this machine in
// the foreground, and the tests against engines of their own.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"litfass/deploy/local/build"
	"litfass/deploy/local/stack"
	"litfass/pkg/chassis/run"
)

// commands is the command line.
type commands struct {
	Version kong.VersionFlag `help:"Print version, commit and date of the program."`

	Data string `env:"LITFASS_DATA" help:"Folder for data and logs (default: .local in the source tree)." placeholder:"DIR"`

	Up      upCommand      `cmd:"" help:"Run everything until Ctrl-C."`
	Down    downCommand    `cmd:"" help:"Stop what up started in another terminal."`
	Exec    execCommand    `cmd:"" help:"Run a command of a service against the running stack."`
	Verify  verifyCommand  `cmd:"" help:"Compare PostgreSQL with the stream, and the stream with the index of every read node."`
	Engines enginesCommand `cmd:"" help:"Fetch the engines and print their folders."`
	Test    testCommand    `cmd:"" help:"Run go test against engines of its own."`
	TestOne testOneCommand `cmd:"" help:"Run go test on one package, with the engines that it needs."`

	EnginesUp    enginesUpCommand    `cmd:"" help:"Start engines that test-one uses until engines-down."`
	EnginesDown  enginesDownCommand  `cmd:"" help:"Stop them and delete their data."`
	EnginesServe enginesServeCommand `cmd:"" hidden:"" help:"Run them in the foreground."`

	Clean cleanCommand `cmd:"" help:"Delete data and logs."`
}

func main() {
	var line commands
	parsed := kong.Parse(&line, kong.Name("local"), kong.Description("Runs Litfass on this machine."),
		kong.Vars{"version": run.ReadBuild().String()})
	run.Main("litfass", func(ctx context.Context) error {
		root, err := stack.FindRoot()
		if err != nil {
			return err
		}
		if line.Data == "" {
			line.Data = filepath.Join(root, ".local")
		}
		if line.Data, err = filepath.Abs(line.Data); err != nil {
			return err
		}
		parsed.BindTo(ctx, (*context.Context)(nil))
		err = parsed.Run(&environment{root: root, data: line.Data})
		var code exitError
		if errors.As(err, &code) {
			os.Exit(int(code)) // nothing is printed after the command's own output
		}
		return inOneLine(err)
	})
}

// environment is passed to every command.
type environment struct {
	root string // source tree
	data string // data folder
}

// inOneLine joins the parts of an error into one line. A compiler's output keeps its lines.
func inOneLine(err error) error {
	var refused *build.Error
	if err == nil || errors.As(err, &refused) || errors.Is(err, context.Canceled) {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
}

// exitError ends the launcher with the exit code of a command that has already printed its error.
type exitError int

// Error describes the code; it is not shown.
func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// commandEnd turns the error of a command that printed its own message into its exit code.
func commandEnd(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exitError(max(exit.ExitCode(), 1)) // -1 after a signal
	}
	return err
}

// downCommand stops a running stack from another terminal.
type downCommand struct{}

// Run stops the launcher and waits until it has ended.
func (downCommand) Run(ctx context.Context, env *environment) error {
	return stopHolder(ctx, env.data, "Litfass is not running here.")
}

// stopHolder stops the launcher of a data folder and waits for the end, or prints the text none
// without a launcher.
func stopHolder(ctx context.Context, data, none string) error {
	pid := stack.Holder(data)
	if pid == 0 {
		fmt.Println(none)
		return nil
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	if err := process.Signal(os.Interrupt); err != nil {
		return fmt.Errorf("stop process %d: %w", pid, err)
	}
	return waitUntilFree(ctx, data)
}

// cleanCommand deletes the data of the stack.
type cleanCommand struct {
	Everything bool `help:"Also fetched engines and built programs."`
}

// Run refuses while a running stack needs the files.
func (c cleanCommand) Run(env *environment) error {
	folders := []string{env.data}
	if usual := filepath.Join(env.root, ".local"); c.Everything && usual != env.data {
		folders = append(folders, usual)
	}
	for _, folder := range folders {
		lock, err := stack.TakeLock(folder)
		if err != nil {
			return err
		}
		defer lock.Release()
	}
	for _, folder := range folders {
		if err := cleanKept(&environment{root: env.root, data: folder}); err != nil {
			return err
		}
		if err := stack.Clean(folder); err != nil {
			return err
		}
	}
	if c.Everything {
		return stack.CleanPrograms(env.root)
	}
	return nil
}

// withoutDash drops the "--" that ends the launcher's own arguments.
func withoutDash(args []string) []string {
	if len(args) > 0 && args[0] == "--" {
		return args[1:]
	}
	return args
}
