// The admin service owns the catalogue: it stores the writes of organizers in PostgreSQL and relays
// public changes to the stream. It also has commands for operators.
package main

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"strings"
	_ "time/tzdata" // zones also where the system has none

	"github.com/alecthomas/kong"

	"litfass/pkg/chassis/run"
	"litfass/pkg/chassis/tracing"
	"litfass/pkg/contracts/language"
	"litfass/services/admin/internal/app"
)

// commands are the commands of the program.
type commands struct {
	Version kong.VersionFlag `help:"Print version, commit and date of the program."`

	Serve     serveCommand     `cmd:"" default:"1" help:"Serve the admin operations and relay changes to the stream. This is the default."`
	Migrate   migrateCommand   `cmd:"" help:"Bring the database's schema and value sets up to date."`
	Import    importCommand    `cmd:"" help:"Read a catalogue file into the database."`
	Export    exportCommand    `cmd:"" help:"Write the whole catalogue to a file."`
	Demo      demoCommand      `cmd:"" help:"Store a demo catalogue around today."`
	Verify    verifyCommand    `cmd:"" help:"Compare the public state of the database with the stream."`
	User      userCommand      `cmd:"" help:"Create, promote or deactivate an account."`
	Keys      keysCommand      `cmd:"" help:"Rotate the keys that sign tokens."`
	APIKey    apiKeyCommand    `cmd:"" name:"api-key" help:"Give an API key other limits."`
	Pictures  imagesCommand    `cmd:"" help:"Copy the images to another store, or back."`
	Republish republishCommand `cmd:"" help:"Publish the public state of everything again, and remove everything else from the stream."`
	Restored  restoredCommand  `cmd:"" help:"Run once after the database was restored from a backup, before serving: positions and revisions continue above all former ones, and everything is published again."`
}

// memoryLimit is the default of GOMEMLIMIT: every password hash leaves 19 MiB of garbage.
const memoryLimit = 112 << 20

func main() {
	var cli commands
	command := kong.Parse(&cli, options()...)
	tuneMemory()
	run.Main("admin", func(ctx context.Context) error {
		command.BindTo(ctx, (*context.Context)(nil))
		return command.Run()
	})
}

// options describe the program on its command line.
func options() []kong.Option {
	return []kong.Option{
		kong.Name("admin"), kong.UsageOnError(),
		kong.Description("The write side of Litfass. Configured by the environment."),
		kong.Vars{
			"version":   run.ReadBuild().String(),
			"languages": strings.Join(language.Codes, ","), "language": language.Default,
		},
	}
}

// tuneMemory bounds the memory of many concurrent logins, unless the operator has set GOMEMLIMIT.
func tuneMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}

type serveCommand struct{}

// Run serves until ctx ends. The service starts without its engines and waits for them.
func (serveCommand) Run(ctx context.Context) error {
	config, err := app.Load()
	if err != nil {
		return err
	}
	log := config.Logger("admin")
	run.LogStart(log)
	flush, err := tracing.Setup(config.Tracing, "admin", log)
	if err != nil {
		return err
	}
	defer flush()
	service, err := app.New(ctx, config, log)
	if err != nil {
		return err
	}
	return errors.Join(service.Run(ctx), service.Close())
}
