package browser

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"litfass/deploy/local/proc"
)

// folder is where the journeys and the lock file are.
func folder(root string) string { return filepath.Join(root, "deploy", "e2e", "browser") }

// install fetches the packages of the lock file, unpacks Chromium, and returns the folder of both.
func install(ctx context.Context, root string) (home string, err error) {
	if home, err = Packages(ctx, root, folder(root)); err != nil || os.Getenv("CHROMIUM") != "" {
		return home, err
	}
	release, err := proc.Exclusive(filepath.Join(home, "lock"))
	if err != nil {
		return "", err
	}
	defer release()
	return home, once(home, "chromium", func(scratch string) error { return unpack(ctx, root, home, scratch) })
}

// Packages fetches the packages of the lock file in a folder, and returns the folder below .local
// of their node_modules, which are complete or absent. It is named after the lock, so that a
// changed one fetches again.
func Packages(ctx context.Context, root, from string) (home string, err error) {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", fmt.Errorf("%s is missing: install Node.js 20 or newer, with npm, for the tests in a browser", tool)
		}
	}
	lock, err := os.ReadFile(filepath.Join(from, "package-lock.json"))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(lock)
	home = filepath.Join(root, ".local", filepath.Base(from)+"-"+hex.EncodeToString(sum[:6]))
	if err := os.MkdirAll(home, 0o755); err != nil {
		return "", err
	}
	release, err := proc.Exclusive(filepath.Join(home, "lock"))
	if err != nil {
		return "", err
	}
	defer release()
	return home, once(home, "node_modules", func(scratch string) error { return fetch(ctx, from, scratch) })
}

// once makes a folder below home, unless it is there. fill makes it in a folder of that name below
// an empty one.
func once(home, name string, fill func(scratch string) error) error {
	target := filepath.Join(home, name)
	if _, err := os.Stat(target); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	scratch, err := os.MkdirTemp(home, ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if err := fill(scratch); err != nil {
		return err
	}
	return os.Rename(filepath.Join(scratch, name), target)
}

// fetch has npm install the locked packages into scratch/node_modules. npm refuses files that do
// not match their checksum; install scripts are off.
func fetch(ctx context.Context, from, scratch string) error {
	for _, name := range []string{".npmrc", "package.json", "package-lock.json"} {
		content, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(scratch, name), content, 0o644); err != nil {
			return err
		}
	}
	return run(ctx, scratch, nil, "npm", "ci", "--ignore-scripts", "--loglevel=error")
}

// unpack unpacks Chromium with its libraries and fonts into scratch/chromium.
func unpack(ctx context.Context, root, home, scratch string) error {
	if platform := runtime.GOOS + "/" + runtime.GOARCH; platform != "linux/amd64" {
		return fmt.Errorf("there is no Chromium package for %s: set CHROMIUM to the path of one", platform)
	}
	target := filepath.Join(scratch, "chromium")
	if err := os.Mkdir(target, 0o755); err != nil {
		return err
	}
	return run(ctx, folder(root), []string{"BROWSER_HOME=" + home, "TMPDIR=" + target}, "node", "unpack.mjs")
}

// run runs a command in a folder. The error holds what it printed.
func run(ctx context.Context, dir string, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, strings.TrimSpace(string(output)))
	}
	return nil
}
