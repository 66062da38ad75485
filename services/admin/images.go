package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"litfass/pkg/media/blob"
	"litfass/services/admin/internal/app"
)

// imagesCommand holds the operator's commands for the store of images.
type imagesCommand struct {
	Backup  backupImagesCommand  `cmd:"" help:"Copy the images of BLOB_URL that another store lacks; variants are left out."`
	Restore restoreImagesCommand `cmd:"" help:"Copy the images that BLOB_URL lacks from another store."`
}

type backupImagesCommand struct {
	To    string `arg:"" help:"The other store, in the form of BLOB_URL: file:///folder or s3://bucket?region=..."`
	Prune bool   `help:"Also delete the files that BLOB_URL lacks."`
}

// Run copies and prints the numbers of images.
func (c backupImagesCommand) Run(ctx context.Context) error {
	return withBothStores(ctx, c.To, func(own, other *blob.Store) (blob.Mirrored, error) {
		return own.Mirror(ctx, other, c.Prune)
	})
}

type restoreImagesCommand struct {
	From string `arg:"" help:"The other store, in the form of BLOB_URL."`
}

// Run copies and prints the numbers of images.
func (c restoreImagesCommand) Run(ctx context.Context) error {
	return withBothStores(ctx, c.From, func(own, other *blob.Store) (blob.Mirrored, error) {
		return other.Mirror(ctx, own, false)
	})
}

// withBothStores opens the store of BLOB_URL and the other one for fn.
func withBothStores(ctx context.Context, address string, fn func(own, other *blob.Store) (blob.Mirrored, error)) error {
	own, err := app.OpenImages(ctx)
	if err != nil {
		return err
	}
	if own == nil {
		return errors.New("BLOB_URL is not set: there are no images")
	}
	defer func() { _ = own.Close() }()
	other, err := blob.Open(ctx, address)
	if err != nil {
		return fmt.Errorf("the other store: %w", err)
	}
	defer func() { _ = other.Close() }()
	done, err := fn(own, other)
	fmt.Fprintf(os.Stdout, "%d images copied, %d there already, %d deleted\n", done.Copied, done.Kept, done.Deleted)
	return err
}
