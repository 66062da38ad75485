package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"gocloud.dev/blob"
)

// Mirrored counts what Mirror has done.
type Mirrored struct{ Copied, Kept, Deleted int }

// Mirror copies to another store the pictures that it lacks, without the variants of images, which
// are drawn again when they are asked for. With prune it deletes there what this store does not
// hold. A picture that is deleted here meanwhile is left out. What failed is in the error; the rest
// is done.
func (s *Store) Mirror(ctx context.Context, to *Store, prune bool) (Mirrored, error) {
	var done Mirrored
	there := map[string]bool{} // by key; false once it was met here
	if err := to.walk(ctx, "", func(object *blob.ListObject) { there[object.Key] = true }); err != nil {
		return done, err
	}
	var failures []error
	err := s.walk(ctx, "", func(object *blob.ListObject) {
		if isVariant(object.Key) {
			return
		}
		if _, known := there[object.Key]; known {
			there[object.Key] = false
			done.Kept++
			return
		}
		switch err := s.copyTo(ctx, to, object.Key); {
		case err == nil:
			done.Copied++
		case !errors.Is(err, ErrGone):
			failures = append(failures, err)
		}
	})
	failures = append(failures, err)
	if err == nil && prune {
		for key, left := range there {
			if left {
				failures = append(failures, to.Delete(ctx, key))
				done.Deleted++
			}
		}
	}
	return done, errors.Join(failures...)
}

// isVariant reports whether a key is that of a variant of an image.
func isVariant(key string) bool {
	return strings.HasPrefix(key, Images+"/") && key != OriginalKey(path.Base(path.Dir(key)))
}

// copyTo stores what lies under a key under the same key of another store, a piece at a time.
func (s *Store) copyTo(ctx context.Context, to *Store, key string) error {
	reader, _, err := s.Open(ctx, key)
	if err != nil {
		return err
	}
	defer func() { _ = reader.Close() }()
	writing, cancel := context.WithCancel(ctx)
	defer cancel()
	writer, err := to.bucket.NewWriter(writing, key, &blob.WriterOptions{CacheControl: "private"})
	if err != nil {
		return fmt.Errorf("store picture %s: %w", key, err)
	}
	if _, err := io.Copy(writer, reader); err != nil {
		cancel() // so that closing stores nothing
		return fmt.Errorf("copy picture %s: %w", key, errors.Join(err, writer.Close()))
	}
	if err := writer.Close(); err != nil {
		return fmt.Errorf("store picture %s: %w", key, err)
	}
	return nil
}
