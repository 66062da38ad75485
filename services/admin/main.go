// The admin service owns the catalogue: it takes what organizers write, keeps it in PostgreSQL and
// relays what is public to the stream. Beside serving it has commands for whoever runs it.
package main

import (
	"context"
	"log/slog"
	"strings"
	"time"
	_ "time/tzdata" // zones also where the system has none

	"github.com/alecthomas/kong"

	"litfass/pkg/language"
	"litfass/pkg/run"
	"litfass/pkg/stream"
	"litfass/services/admin/internal/postgres"
)

// commands are what the program can do, by name.
type commands struct {
	Version kong.VersionFlag `help:"Print version, commit and date of the program."`

	Serve     serveCommand     `cmd:"" default:"1" help:"Serve the admin operations and relay changes to the stream. This is the default."`
	Migrate   migrateCommand   `cmd:"" help:"Bring the database's schema and value sets up to date."`
	Import    importCommand    `cmd:"" help:"Read a catalogue file into the database."`
	Export    exportCommand    `cmd:"" help:"Write the whole catalogue to a file."`
	Demo      demoCommand      `cmd:"" help:"Fill in a demo catalogue around today."`
	Verify    verifyCommand    `cmd:"" help:"Compare what is public in the database with what the stream holds."`
	User      userCommand      `cmd:"" help:"Make, promote or deactivate an account."`
	Keys      keysCommand      `cmd:"" help:"Rotate the keys that sign tokens."`
	Republish republishCommand `cmd:"" help:"Publish the public state of everything anew, and remove from the stream what is not public."`
}

func main() {
	var cli commands
	command := kong.Parse(&cli, kong.Name("admin"), kong.UsageOnError(), kong.Vars{
		"version": run.ReadBuild().String(), "languages": strings.Join(language.Codes, ","), "language": language.Default,
	},
		kong.Description("The write side of Litfass. Configured by the environment."))
	tuneMemory()
	run.Main("admin", func(ctx context.Context) error {
		command.BindTo(ctx, (*context.Context)(nil))
		return command.Run()
	})
}

// environment is what most commands begin with.
type environment struct {
	config config
	log    *slog.Logger
	db     *postgres.DB
}

// open reads the configuration and opens the database. Close the database when done.
func open(ctx context.Context) (environment, error) {
	config, err := load()
	if err != nil {
		return environment{}, err
	}
	db, err := postgres.Open(ctx, config.DatabaseURL)
	if err != nil {
		return environment{}, err
	}
	return environment{config: config, log: config.Logger("admin"), db: db}, nil
}

// connect returns a connection to the stream, which must answer before ctx ends, and exist.
func (e environment) connect(ctx context.Context) (*stream.Stream, error) {
	s, err := stream.Connect(ctx, e.config.Stream, e.log)
	if err != nil {
		return nil, err
	}
	if err := s.Ensure(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// openBoth opens the database and connects to the stream, which must answer within wait. Close both
// when done.
func openBoth(ctx context.Context, wait time.Duration) (environment, *stream.Stream, error) {
	env, err := open(ctx)
	if err != nil {
		return env, nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	catalogue, err := env.connect(waiting)
	if err != nil {
		env.db.Close()
	}
	return env, catalogue, err
}
