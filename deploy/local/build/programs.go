package build

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// Programs are the programs of a folder that are kept equal to their source.
type Programs struct {
	Root     string   // where go build runs
	Folder   string   // the programs that run
	Staging  string   // where go build writes; it skips programs there that are up to date
	Flags    []string // of go build
	Packages []string // "./services/admin"; the last element names the program
}

// Update compiles the packages and replaces the programs of Folder that differ, whose names it
// returns in the order of Packages. A running process keeps the program that it was started from.
// It returns an *Error when the compiler refuses the source; then nothing is replaced.
func (p Programs) Update(ctx context.Context) (replaced []string, err error) {
	if err := Compile(ctx, p.Root, p.Staging, p.Flags, p.Packages); err != nil {
		return nil, err
	}
	for _, pkg := range p.Packages {
		name := path.Base(pkg)
		changed, err := replace(filepath.Join(p.Staging, name), filepath.Join(p.Folder, name))
		if err != nil {
			return replaced, err
		}
		if changed {
			replaced = append(replaced, name)
		}
	}
	return replaced, nil
}

// replace puts a copy of the file from in place of the file to, unless both hold the same.
func replace(from, to string) (changed bool, err error) {
	next, err := os.ReadFile(from)
	if err != nil {
		return false, err
	}
	current, err := os.ReadFile(to)
	if err == nil && bytes.Equal(current, next) {
		return false, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	// Renaming works while the old program runs; writing into its file does not.
	if err := os.WriteFile(to+".new", next, 0o755); err != nil {
		return false, err
	}
	return true, os.Rename(to+".new", to)
}
