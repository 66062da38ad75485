package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"litfass/services/admin/internal/app"
	"litfass/services/admin/internal/catalogue/catalogfile"
)

type exportCommand struct {
	File string `arg:"" optional:"" default:"-" help:"Where to write; - is standard output."`
}

// Run writes the catalogue. An existing file is replaced once the new one is complete; a device or
// pipe is written to.
func (c exportCommand) Run(ctx context.Context) error {
	db, err := app.OpenDatabase(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	export := func(to io.Writer) (int, error) { return catalogfile.Export(ctx, db, to) }
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

// replaceFile writes a temporary file in the same folder and renames it on success.
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

// writeInto writes to an existing device or pipe.
func writeInto(name string, write func(io.Writer) (int, error)) (lines int, err error) {
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	lines, err = write(file)
	return lines, errors.Join(err, file.Close())
}
