package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"litfass/services/admin/internal/catalogfile"
	"litfass/services/admin/internal/demo"
	"litfass/services/admin/internal/editing"
)

type migrateCommand struct{}

// Run brings the schema and the value sets up to date.
func (migrateCommand) Run(ctx context.Context) error {
	env, err := open(ctx)
	if err != nil {
		return err
	}
	defer env.db.Close()
	applied, err := env.db.Migrate(ctx)
	if err != nil {
		return err
	}
	changed, err := editing.NewOperator(env.db).SyncLookups(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "%d migrations applied, %d value sets written\n", applied, len(changed))
	return nil
}

type importCommand struct {
	File string `arg:"" help:"Catalogue file, plain or packed with gzip; - reads standard input."`
}

// Run imports a file, shows how far it is on a terminal, and prints what became of its lines. It
// fails when a line was refused.
func (c importCommand) Run(ctx context.Context) error {
	env, err := open(ctx)
	if err != nil {
		return err
	}
	defer env.db.Close()
	file, size, err := openInput(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	bar := newProgress(os.Stderr, "importing", size)
	importer := catalogfile.Importer{
		Saver:  editing.NewOperator(env.db),
		Report: func(r catalogfile.Refusal) { bar.line(r.String()) },
	}
	counts, err := importer.Import(ctx, bar.reader(file))
	bar.finish()
	if err := counts.Write(os.Stdout); err != nil {
		return err
	}
	if err != nil {
		return err
	}
	if refused := counts.Total().Refused; refused > 0 {
		return fmt.Errorf("%d lines were refused", refused)
	}
	return nil
}

// openInput opens a file, or standard input for "-", and returns its size; -1 when it has none.
func openInput(name string) (*os.File, int64, error) {
	if name == "-" {
		return os.Stdin, -1, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return file, -1, err
	}
	return file, info.Size(), nil
}

type exportCommand struct {
	File string `arg:"" optional:"" default:"-" help:"Where to write; - is standard output."`
}

// Run writes the catalogue. A file that exists is replaced once the new one is whole; a device or
// pipe is written to.
func (c exportCommand) Run(ctx context.Context) error {
	env, err := open(ctx)
	if err != nil {
		return err
	}
	defer env.db.Close()
	export := func(to io.Writer) (int, error) { return catalogfile.Export(ctx, env.db, to) }
	if c.File == "-" {
		_, err := export(os.Stdout)
		return err
	}
	write := replaceFile
	if info, err := os.Stat(c.File); err == nil && !info.Mode().IsRegular() {
		write = writeInto
	}
	lines, err := write(c.File, export)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "%d lines written to %s\n", lines, c.File)
	return nil
}

// replaceFile writes a file beside the named one and moves it into its place when that went well.
func replaceFile(name string, write func(io.Writer) (int, error)) (lines int, err error) {
	draft := name + ".part"
	file, err := os.Create(draft)
	if err != nil {
		return 0, err
	}
	lines, err = write(file)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return 0, errors.Join(err, os.Remove(draft))
	}
	return lines, os.Rename(draft, name)
}

// writeInto writes into what is there already and cannot be replaced.
func writeInto(name string, write func(io.Writer) (int, error)) (lines int, err error) {
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	lines, err = write(file)
	return lines, errors.Join(err, file.Close())
}

type demoCommand struct {
	Day string `help:"The day to make the catalogue around, YYYY-MM-DD. Default: today." placeholder:"DAY"`
}

// Run saves the demo catalogue. Saved again on the same day it changes nothing.
func (c demoCommand) Run(ctx context.Context) error {
	env, err := open(ctx)
	if err != nil {
		return err
	}
	defer env.db.Close()
	day, err := c.day(env.config)
	if err != nil {
		return err
	}
	entities := demo.Generate(day).Entities()
	bar := newProgress(os.Stderr, "filling in", int64(len(entities)))
	counts, err := catalogfile.Save(ctx, editing.NewOperator(env.db), entities, bar.add)
	bar.finish()
	if err != nil {
		return err
	}
	return counts.Write(os.Stdout)
}

func (c demoCommand) day(config config) (time.Time, error) {
	if c.Day != "" {
		day, err := time.Parse(time.DateOnly, c.Day)
		if err != nil {
			return day, fmt.Errorf("--day %q is not a date YYYY-MM-DD", c.Day)
		}
		return day, nil
	}
	zone, err := config.zone()
	return time.Now().In(zone), err
}
