package bundle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Install fetches the locked libraries into assets/node_modules, unless they are there. npm refuses
// files that do not match their checksum; install scripts are off.
func Install(ctx context.Context, assets string) error {
	wanted, err := locked(filepath.Join(assets, "package-lock.json"))
	if err != nil {
		return err
	}
	// npm writes this file last.
	installed, err := locked(filepath.Join(assets, "node_modules", ".package-lock.json"))
	if err == nil && maps.Equal(installed, wanted) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return errors.New("npm is missing: install Node.js, whose npm fetches the libraries of the scripts")
	}
	cmd := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--loglevel=error")
	cmd.Dir = assets
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci in %s: %w\n%s", assets, err, strings.TrimSpace(string(output)))
	}
	return nil
}

// locked returns the checksums in a lock file of npm, by the folders of the packages.
func locked(path string) (map[string]string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct{ Integrity string }
	}
	if err := json.Unmarshal(content, &lock); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	sums := map[string]string{}
	for folder, pack := range lock.Packages {
		if folder != "" { // "" is the project itself
			sums[folder] = pack.Integrity
		}
	}
	return sums, nil
}
