// Command record runs an earlier release with a small catalogue and records its data for
// TestDataOfEarlierReleases: the rows of the database, the streams, the search indexes and some
// answers. A recording never changes: record refuses to write an existing recording again.
//
//	go run ./deploy/e2e/faults/record 19454f33
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"litfass/deploy/e2e/faults/recorded"
)

// day is the day around which the release makes its demo catalogue: far ahead, so that no date of a
// recording is over when the recording is used.
const day = "2037-05-04"

func main() {
	for _, commit := range os.Args[1:] {
		if err := record(context.Background(), commit); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", commit, err)
			os.Exit(1)
		}
	}
}

// record records one release.
func record(ctx context.Context, commit string) error {
	path := filepath.Join("deploy", "e2e", "faults", "testdata", commit+".json.gz")
	if _, err := os.Stat(path); err == nil {
		return errors.New("is recorded already")
	}
	folder, err := os.MkdirTemp("", "litfass-record-")
	if err != nil {
		return err
	}
	// PostgreSQL refuses root and runs as another user.
	err = os.Chmod(folder, 0o711)
	defer os.RemoveAll(folder)
	r := &release{tree: filepath.Join(folder, "tree"), data: filepath.Join(folder, "data")}
	if err == nil {
		err = r.build(ctx, commit)
	}
	defer r.forget(ctx)
	if err != nil {
		return err
	}
	catalogue := filepath.Join(folder, "catalogue.jsonl")
	if err := r.during(ctx, func(s *service) error { return r.writeCatalogue(ctx, s, catalogue) }); err != nil {
		return fmt.Errorf("make the catalogue: %w", err)
	}
	if err := os.RemoveAll(r.data); err != nil {
		return err
	}
	return r.during(ctx, func(s *service) error {
		if _, err := r.run(ctx, "exec", "admin", "--", "import", catalogue); err != nil {
			return err
		}
		if err := s.fill(ctx); err != nil {
			return err
		}
		found, err := s.read(ctx)
		if err != nil {
			return err
		}
		return found.Write(path, func(content []byte) []byte {
			return bytes.ReplaceAll(content, []byte(s.url), []byte(recorded.Base))
		})
	})
}

// build checks the release out and builds its launcher; the launcher builds the services.
func (r *release) build(ctx context.Context, commit string) error {
	if err := command(ctx, ".", "git", "worktree", "add", "--detach", r.tree, commit); err != nil {
		return err
	}
	engines, err := filepath.Abs(".local/engines")
	if err != nil {
		return err
	}
	local := filepath.Join(r.tree, ".local")
	if err := os.MkdirAll(local, 0o755); err != nil {
		return err
	}
	if _, err := os.Stat(engines); err == nil { // else they are fetched
		if err := os.CopyFS(filepath.Join(local, "engines"), os.DirFS(engines)); err != nil {
			return err
		}
	}
	return command(ctx, r.tree, "go", "build", "-o", filepath.Join(local, "bin", "local"), "./deploy/local")
}

// forget removes the worktree.
func (r *release) forget(ctx context.Context) {
	if err := command(ctx, ".", "git", "worktree", "remove", "--force", r.tree); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

func command(ctx context.Context, folder, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
