// Command bundle builds what the site's pages load: it bundles the scripts and styles of assets/,
// draws the land of the maps, and writes the result where the package asset embeds it. Libraries
// come from npm by their lock file. Files that are as they were are not touched, so a build after a
// bundle without changes has nothing to do.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

func main() {
	site := flag.String("site", filepath.Join("services", "site"), "folder of the site's module")
	flag.Parse()
	if err := run(context.Background(), *site); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

// run bundles the assets of a site's folder into its package asset.
func run(ctx context.Context, site string) (err error) {
	assets, err := filepath.Abs(filepath.Join(site, "assets"))
	if err != nil {
		return err
	}
	release, err := lock(filepath.Join(assets, "package-lock.json"))
	if err != nil {
		return err
	}
	defer release()
	if err := install(ctx, assets); err != nil {
		return err
	}
	made, err := bundle(assets)
	if err != nil {
		return err
	}
	land, err := drawLand(filepath.Join(assets, "node_modules", "world-atlas"))
	if err != nil {
		return err
	}
	return write(filepath.Join(site, "internal", "asset", "dist"), append(made, land...))
}

// lock waits until no other bundle works on the same folder. The kernel releases it with the
// process.
func lock(path string) (release func(), err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), file.Close())
	}
	return func() { _ = file.Close() }, nil // it was read by the lock alone
}
