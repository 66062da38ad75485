package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"gocloud.dev/blob"
)

// Sweep deletes the pictures of a folder that no row names, and returns how many blobs that were.
// live holds the names, right below the folder, of those that a row does name: of event/1/original
// in the folder event it is 1. What was stored after the given moment stays, as its row may be yet
// to come: the moment must lie before live was read, by more than an upload can take.
func (s *Store) Sweep(
	ctx context.Context, folder string, live map[string]bool, before time.Time,
) (deleted int, err error) {
	var failures []error
	err = s.walk(ctx, folder+"/", func(object *blob.ListObject) {
		name, _, _ := strings.Cut(strings.TrimPrefix(object.Key, folder+"/"), "/")
		if live[name] || !object.ModTime.Before(before) {
			return
		}
		if err := s.Delete(ctx, object.Key); err != nil {
			failures = append(failures, err)
			return
		}
		deleted++
	})
	return deleted, errors.Join(append(failures, err)...)
}

// walk calls use with every object whose key begins with the prefix.
func (s *Store) walk(ctx context.Context, prefix string, use func(*blob.ListObject)) error {
	objects := s.bucket.List(&blob.ListOptions{Prefix: prefix})
	for {
		object, err := objects.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("list pictures: %w", err)
		}
		use(object)
	}
}
