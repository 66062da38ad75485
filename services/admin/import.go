package main

import (
	"context"
	"fmt"
	"os"

	"litfass/services/admin/internal/app"
	"litfass/services/admin/internal/catalogue/catalogfile"
	"litfass/services/admin/internal/catalogue/editing"
)

type importCommand struct {
	File string `arg:"" help:"Catalogue file, plain or compressed with gzip; - reads standard input."`
}

// Run imports a file, shows its progress on a terminal, and prints the results of its lines. It
// fails when a line was refused.
func (c importCommand) Run(ctx context.Context) error {
	db, err := app.OpenDatabase(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	file, size, err := openInput(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	bar := newProgress(os.Stderr, "importing", size)
	importer := catalogfile.Importer{
		Saver:  editing.NewOperator(db),
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
