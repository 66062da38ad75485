package bundle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Options configure a bundle.
type Options struct {
	// Service is the folder of the service's module: assets/ has the sources and the lock file of
	// npm, and the result is written to internal/asset/dist/.
	Service string
	// Prefix is the prefix of the addresses of the files, such as "/assets/".
	Prefix string
	// More returns further files, made of the libraries in node_modules; nil for none.
	More func(modules string) ([]File, error)
}

// Make bundles the assets of a service into its package asset.
func Make(ctx context.Context, o Options) (err error) {
	assets, err := filepath.Abs(filepath.Join(o.Service, "assets"))
	if err != nil {
		return err
	}
	release, err := lock(filepath.Join(assets, "package-lock.json"))
	if err != nil {
		return err
	}
	defer release()
	if err := Install(ctx, assets); err != nil {
		return err
	}
	files, err := bundle(assets, o.Prefix)
	if err != nil {
		return err
	}
	if o.More != nil {
		more, err := o.More(filepath.Join(assets, "node_modules"))
		if err != nil {
			return err
		}
		files = append(files, more...)
	}
	return write(filepath.Join(o.Service, "internal", "asset", "dist"), files)
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
	return func() { _ = file.Close() }, nil // nothing was written to it
}
